import { describe, expect, it } from 'vitest';
import { makeNodeRules, nodeAuthorizer, NodeGraph, type Verdict } from '../../src/authz/index.ts';
import { claimOf, nodeConfigMap, podTargets, volumeSecrets } from '../../src/authz/node/references.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { request, user } from './helpers.ts';

const names = namesOf('k8s.io');
const object = (name: string, spec: unknown, namespace?: string): ApiObject =>
  ({ metadata: { name, ...(namespace && { namespace }), creationTimestamp: null }, spec }) as ApiObject;
const pod = (name: string, nodeName: string | undefined, spec: object): ApiObject =>
  object(name, { ...(nodeName !== undefined && { nodeName }), ...spec }, 'a');
const secretVolume = (secretName: string): object => ({ volumes: [{ secret: { secretName } }] });

describe('what a pod refers to', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ serviceAccountName: 'robot' }, ['serviceaccounts a/robot']],
    [{ serviceAccountName: '' }, []],
    [{ imagePullSecrets: [{ name: 'x' }, { name: 'y' }] }, ['secrets a/x', 'secrets a/y']],
    [{ imagePullSecrets: [{ name: 7 }, 'x', null, {}] }, []],
    [{ imagePullSecrets: 'x' }, []],
    ...['containers', 'initContainers', 'ephemeralContainers'].flatMap((field): [object, string[]][] => [
      [
        { [field]: [{ envFrom: [{ secretRef: { name: 'x' } }, { configMapRef: { name: 'y' } }] }] },
        ['secrets a/x', 'configmaps a/y'],
      ],
      [
        {
          [field]: [
            {
              env: [{ valueFrom: { secretKeyRef: { name: 'x' } } }, { valueFrom: { configMapKeyRef: { name: 'y' } } }],
            },
          ],
        },
        ['secrets a/x', 'configmaps a/y'],
      ],
      [{ [field]: [{ env: [{ name: 'plain', value: 'z' }] }] }, []],
    ]),
    [{ volumes: [{ secret: { secretName: 'x', name: 'other' } }] }, ['secrets a/x']],
    [{ volumes: [{ configMap: { name: 'x' } }] }, ['configmaps a/x']],
    [{ volumes: [{ persistentVolumeClaim: { claimName: 'x' } }] }, ['persistentvolumeclaims a/x']],
    [
      { volumes: [{ projected: { sources: [{ secret: { name: 'x' } }, { configMap: { name: 'y' } }] } }] },
      ['secrets a/x', 'configmaps a/y'],
    ],
    [{ volumes: [{ azureFile: { secretName: 'x' } }] }, ['secrets a/x']],
    ...['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'].map((driver): [object, string[]] => [
      { volumes: [{ [driver]: { secretRef: { name: 'x' } } }] },
      ['secrets a/x'],
    ]),
    [{ volumes: [{ csi: { nodePublishSecretRef: { name: 'x' }, other: { name: 'y' } } }] }, ['secrets a/x']],
    [{ volumes: [{ name: 'scratch', ephemeral: {} }] }, ['persistentvolumeclaims a/p-scratch']],
    [{ volumes: [{ name: 'scratch', emptyDir: {} }] }, []],
  ])('%j → %j', (spec, targets) => {
    expect([...podTargets(object('p', spec, 'a'))]).toEqual(targets);
  });
});

describe('what a volume refers to', () => {
  it.each<[object, string | undefined]>([
    [{ claimRef: { name: 'c', namespace: 'a' } }, 'persistentvolumeclaims a/c'],
    [{ claimRef: { name: 'c' } }, undefined],
    [{ claimRef: { namespace: 'a' } }, undefined],
    [{}, undefined],
  ])('the claim of %j is %s', (spec, claim) => {
    expect(claimOf(object('pv', spec))).toBe(claim);
  });

  const claimRef = { name: 'c', namespace: 'a' };
  const byRef = (secretRef: object): [string, object][] =>
    ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'].map((driver) => [
      driver,
      { claimRef, [driver]: { secretRef } },
    ]);
  it.each<[string, object, string[]]>([
    ...byRef({ name: 'x', namespace: 's' }).map(([name, spec]): [string, object, string[]] => [
      name,
      spec,
      ['secrets s/x'],
    ]),
    ...byRef({ name: 'x' }).map(([name, spec]): [string, object, string[]] => [
      `${name} at home`,
      spec,
      ['secrets a/x'],
    ]),
    ...byRef({ name: 'x', namespace: '' }).map(([name, spec]): [string, object, string[]] => [
      `${name} with an empty namespace`,
      spec,
      ['secrets a/x'],
    ]),
    ...byRef({ name: '' }).map(([name, spec]): [string, object, string[]] => [`${name} without a name`, spec, []]),
    ['azureFile', { claimRef, azureFile: { secretName: 'x', secretNamespace: 's' } }, ['secrets s/x']],
    ['azureFile at home', { claimRef, azureFile: { secretName: 'x' } }, ['secrets a/x']],
    ['csi, to publish', { claimRef, csi: { nodePublishSecretRef: { name: 'x', namespace: 's' } } }, ['secrets s/x']],
    ['csi, to stage', { claimRef, csi: { nodeStageSecretRef: { name: 'x', namespace: 's' } } }, ['secrets s/x']],
    [
      'csi, for controllers alone',
      { claimRef, csi: { controllerPublishSecretRef: { name: 'x', namespace: 's' } } },
      [],
    ],
    ['nothing', {}, []],
  ])('%s', (_what, spec, secrets) => {
    expect([...volumeSecrets(object('pv', spec))]).toEqual(secrets);
  });
});

describe('what a node refers to', () => {
  it.each<[object, string | undefined]>([
    [{ configSource: { configMap: { name: 'm', namespace: 'n' } } }, 'configmaps n/m'],
    [{ configSource: { configMap: { name: 'm' } } }, undefined],
    [{ configSource: { configMap: { namespace: 'n' } } }, undefined],
    [{}, undefined],
  ])('%j → %s', (spec, target) => {
    expect(nodeConfigMap(object('one', spec))).toBe(target);
  });
});

describe('the graph follows changes', () => {
  const volume = (claim: string | undefined, secret?: string): ApiObject =>
    object('pv', {
      ...(claim && { claimRef: { name: claim, namespace: 'a' } }),
      ...(secret && { cinder: { secretRef: { name: secret } } }),
    });
  const usesClaim = pod('p', 'one', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] });
  const attachment = object('va', { nodeName: 'one' });
  const settings = object('one', { configSource: { configMap: { name: 'm', namespace: 'n' } } });

  /** What nodes need in the end, of all that the steps speak of. */
  const asked = [
    'secrets a/x',
    'secrets a/y',
    'persistentvolumes /pv',
    'persistentvolumeclaims a/c',
    'volumeattachments /va',
    'configmaps n/m',
  ] as const;
  const needs = (graph: NodeGraph): string[] =>
    ['one', 'two'].flatMap((node) =>
      asked
        .filter((target) => {
          const [type = '', namespace = '', name = ''] = target.split(/[ /]/);
          return graph.needs(node, type as 'secrets', namespace, name);
        })
        .map((target) => `${node}: ${target}`),
    );

  it.each<[string, ((graph: NodeGraph) => void)[], string[]]>([
    ['a pod comes', [(g) => g.upsertPod(pod('p', 'one', secretVolume('x')))], ['one: secrets a/x']],
    ['a pod without a node', [(g) => g.upsertPod(pod('p', undefined, secretVolume('x')))], []],
    [
      'a pod changes what it refers to',
      [(g) => g.upsertPod(pod('p', 'one', secretVolume('x'))), (g) => g.upsertPod(pod('p', 'one', secretVolume('y')))],
      ['one: secrets a/y'],
    ],
    [
      'a pod goes',
      [(g) => g.upsertPod(pod('p', 'one', secretVolume('x'))), (g) => g.removePod(pod('p', undefined, {}))],
      [],
    ],
    [
      'a pod of the same name in another namespace goes',
      [(g) => g.upsertPod(pod('p', 'one', secretVolume('x'))), (g) => g.removePod(object('p', {}, 'b'))],
      ['one: secrets a/x'],
    ],
    [
      'two pods refer to it and one goes',
      [
        (g) => g.upsertPod(pod('p', 'one', secretVolume('x'))),
        (g) => g.upsertPod(pod('q', 'one', secretVolume('x'))),
        (g) => g.removePod(pod('p', 'one', {})),
      ],
      ['one: secrets a/x'],
    ],
    [
      'two nodes need it and one pod goes',
      [
        (g) => g.upsertPod(pod('p', 'one', secretVolume('x'))),
        (g) => g.upsertPod(pod('q', 'two', secretVolume('x'))),
        (g) => g.removePod(pod('p', 'one', {})),
      ],
      ['two: secrets a/x'],
    ],
    [
      'a volume of a claim in use',
      [(g) => g.upsertPod(usesClaim), (g) => g.upsertVolume(volume('c', 'x'))],
      ['one: secrets a/x', 'one: persistentvolumes /pv', 'one: persistentvolumeclaims a/c'],
    ],
    [
      'a volume that came before its claim is in use',
      [(g) => g.upsertVolume(volume('c', 'x')), (g) => g.upsertPod(usesClaim)],
      ['one: secrets a/x', 'one: persistentvolumes /pv', 'one: persistentvolumeclaims a/c'],
    ],
    [
      'the volume gets another secret',
      [(g) => g.upsertPod(usesClaim), (g) => g.upsertVolume(volume('c', 'x')), (g) => g.upsertVolume(volume('c', 'y'))],
      ['one: secrets a/y', 'one: persistentvolumes /pv', 'one: persistentvolumeclaims a/c'],
    ],
    [
      'the volume is released',
      [
        (g) => g.upsertPod(usesClaim),
        (g) => g.upsertVolume(volume('c', 'x')),
        (g) => g.upsertVolume(volume(undefined, 'x')),
      ],
      ['one: persistentvolumeclaims a/c'],
    ],
    [
      'the volume goes',
      [(g) => g.upsertPod(usesClaim), (g) => g.upsertVolume(volume('c', 'x')), (g) => g.removeVolume(volume('c'))],
      ['one: persistentvolumeclaims a/c'],
    ],
    ['an attachment', [(g) => g.upsertAttachment(attachment)], ['one: volumeattachments /va']],
    ['an attachment without a node', [(g) => g.upsertAttachment(object('va', {}))], []],
    [
      'an attachment moves',
      [(g) => g.upsertAttachment(attachment), (g) => g.upsertAttachment(object('va', { nodeName: 'two' }))],
      ['two: volumeattachments /va'],
    ],
    ['an attachment goes', [(g) => g.upsertAttachment(attachment), (g) => g.removeAttachment(attachment)], []],
    ["a node's settings", [(g) => g.upsertNode(settings)], ['one: configmaps n/m']],
    ["a node's settings are taken away", [(g) => g.upsertNode(settings), (g) => g.upsertNode(object('one', {}))], []],
    ['a node goes', [(g) => g.upsertNode(settings), (g) => g.removeNode(settings)], []],
    ['what was never there goes', [(g) => g.removePod(usesClaim), (g) => g.removeVolume(volume('c'))], []],
  ])('%s', (_what, steps, expected) => {
    const graph = new NodeGraph(names);
    for (const step of steps) step(graph);
    expect(needs(graph)).toEqual(expected);
  });

  it('lists what needs an object on a node, directly or through a claim', () => {
    const graph = new NodeGraph(names);
    graph.upsertPod(usesClaim);
    graph.upsertPod(pod('other', 'two', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] }));
    graph.upsertVolume(volume('c', 'x'));
    graph.upsertAttachment(attachment);
    graph.upsertNode(settings);
    expect([
      graph.reasons('one', 'secrets', 'a', 'x'),
      graph.reasons('two', 'persistentvolumes', '', 'pv'),
      graph.reasons('one', 'volumeattachments', '', 'va'),
      graph.reasons('one', 'configmaps', 'n', 'm'),
      graph.reasons('two', 'configmaps', 'n', 'm'),
    ]).toEqual([['pod a/p'], ['pod a/other'], ['attachment va'], ['node one'], []]);
  });
});

describe('why a node agent is refused', () => {
  const graph = new NodeGraph(names);
  const authorizer = (expands = true): ReturnType<typeof nodeAuthorizer> =>
    nodeAuthorizer({ names, graph, rules: makeNodeRules(names, () => true), gate: () => expands });
  const one = 'system:node:one of system:nodes';
  const reason = (who: string, what: string, expands?: boolean): string =>
    (authorizer(expands).authorize(request(who, what)) as Verdict).reason;
  const unrelated = "no relationship found between node 'one' and this object";
  const lease = 'leases.coordination.k8s.io';
  const csi = 'csinodes.storage.k8s.io';
  const pv = 'can only get individual resources of this type';
  const own = 'can only get, create, update, patch, or delete a';

  it.each([
    ['system:node: of system:nodes', 'list pods', 'unknown node for user "system:node:"'],
    ['alice of system:nodes', 'get secrets x in a', ''],
    ['system:node:one', 'get secrets x in a', ''],
    [one, 'delete nodes one', ''],
    [one, 'get secrets x in a', unrelated],
    [one, 'get secrets in a', 'No Object name found'],
    [one, 'delete secrets x in a', 'can only read resources of this type'],
    [one, 'get configmaps/x x in a', 'cannot read subresource'],
    [one, 'list configmaps', 'can only read namespaced object of this type'],
    [one, 'get persistentvolumeclaims x in a', unrelated],
    [one, 'list persistentvolumeclaims x in a', pv],
    [one, 'get persistentvolumeclaims/status x in a', 'can only get/update/patch this type'],
    [one, 'update persistentvolumeclaims/status x in a', unrelated],
    [one, 'patch persistentvolumeclaims/status x in a', unrelated],
    [one, 'list persistentvolumes', pv],
    [one, 'get persistentvolumes/status x', 'cannot get subresource'],
    [one, 'list volumeattachments.storage.k8s.io', pv],
    [one, 'create serviceaccounts/token in a', 'can only create tokens for individual service accounts'],
    [one, 'get serviceaccounts/token x in a', 'can only create tokens for individual service accounts'],
    [one, 'create serviceaccounts x in a', 'can only create token subresource of serviceaccount'],
    [one, 'create serviceaccounts/token x in a', unrelated],
    [one, `list ${lease} in kube-node-lease`, `${own} node lease`],
    [one, `get ${lease} one in a`, 'can only access leases in the "kube-node-lease" system namespace'],
    [
      one,
      `get ${lease} two in kube-node-lease`,
      'can only access node lease with the same name as the requesting node',
    ],
    [one, `list ${csi}`, `${own} CSINode`],
    [one, `get ${csi}/x one`, 'cannot authorize CSINode subresources'],
    [one, `get ${csi} two`, 'can only access CSINode with the same name as the requesting node'],
  ])('%s: %s: %j', (who, what, expected) => {
    expect(reason(who, what)).toBe(expected);
  });

  it.each(['get', 'create', 'update', 'patch', 'delete'])('may %s its own lease and CSINode', (verb) => {
    for (const what of [`${verb} ${lease} one in kube-node-lease`, `${verb} ${csi} one`])
      expect(authorizer().authorize(request(one, what))).toEqual({ decision: 'allow', reason: '' });
  });

  it('may not write the status of claims without expansion', () => {
    expect(reason(one, 'patch persistentvolumeclaims/status x in a', false)).toBe(pv);
  });

  it('proves what it allows', () => {
    const used = new NodeGraph(names);
    used.upsertPod(pod('p', 'one', secretVolume('x')));
    const node = nodeAuthorizer({ names, graph: used, rules: makeNodeRules(names, () => true), gate: () => true });
    const proof = (what: string): unknown => (node.authorize(request(one, what)) as Verdict).proof?.();
    expect(proof('get secrets x in a')).toEqual({ decision: 'allow', node: 'one', through: ['pod a/p'] });
    expect(proof('list pods')).toEqual({ decision: 'allow', by: 'node rules' });
  });

  it('lists no rules, and says so for a node', () => {
    const nothing = { resourceRules: [], nonResourceRules: [], incomplete: false };
    const error = 'node authorizer does not support user rule resolution';
    expect(authorizer().name).toBe('Node');
    expect(authorizer().rules?.(user('alice'), 'a')).toEqual(nothing);
    expect(authorizer().rules?.(user(one), 'a')).toEqual({ ...nothing, incomplete: true, error });
  });
});
