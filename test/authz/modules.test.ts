import { describe, expect, it } from 'vitest';
import {
  alwaysAllow,
  alwaysDeny,
  authorizationChain,
  makeNodeRules,
  nodeAuthorizer,
  NodeGraph,
  superusers,
} from '../../src/authz/index.ts';
import { abacAuthorizer, AbacPolicyError, parseAbacPolicies } from '../../src/authz/abac.ts';
import { webhookAuthorizer } from '../../src/authz/webhook.ts';
import type { Authorizer, Verdict } from '../../src/authz/index.ts';
import { namesOf } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { request } from './helpers.ts';

const names = namesOf('k8s.io');

describe('the chain of modules', () => {
  const saying = (name: string, decision: Verdict['decision'], reason = ''): Authorizer => ({
    name,
    authorize: () => ({ decision, reason }),
  });
  const later = (authorizer: Authorizer): Authorizer => ({
    ...authorizer,
    authorize: async (r) => authorizer.authorize(r),
  });
  const failing: Authorizer = { name: 'broken', authorize: () => Promise.reject(new Error('out of order')) };

  it.each<[string, Authorizer[], string, string]>([
    [
      'the first that allows decides',
      [saying('a', 'no-opinion'), saying('b', 'allow', 'b says so'), saying('c', 'deny')],
      'allow',
      'b says so',
    ],
    ['the first that denies decides', [saying('a', 'deny', 'never'), saying('b', 'allow')], 'deny', 'never'],
    [
      'nobody decides: all reasons',
      [saying('a', 'no-opinion', 'one'), saying('b', 'no-opinion'), saying('c', 'no-opinion', 'two')],
      'no-opinion',
      'one\ntwo',
    ],
    ['no modules at all', [], 'no-opinion', ''],
    [
      'modules that take their time',
      [later(saying('a', 'no-opinion')), saying('b', 'no-opinion'), later(saying('c', 'allow', 'late'))],
      'allow',
      'late',
    ],
    ['a module that fails does not hide the next', [failing, saying('b', 'allow', 'fine')], 'allow', 'fine'],
    ['superusers come before a denial', [superusers, saying('b', 'deny')], 'allow', ''],
    ['everything is allowed', [alwaysAllow], 'allow', ''],
    ['everything is forbidden', [alwaysDeny], 'no-opinion', 'Everything is forbidden.'],
  ])('%s', async (_what, modules, decision, reason) => {
    const verdict = await authorizationChain(modules).authorize(request('root of system:masters', 'get pods'));
    expect(verdict).toMatchObject({ decision, reason });
  });

  it('tells of a module that failed when nobody decides', async () => {
    const verdict = await authorizationChain([failing, saying('b', 'no-opinion')]).authorize(request('u', 'get pods'));
    expect(verdict).toMatchObject({
      decision: 'no-opinion',
      error: 'out of order',
      verdicts: [{ module: 'broken' }, { module: 'b' }],
    });
  });
});

describe('ABAC reads one policy per line', () => {
  const line = (spec: object): string =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
  const text = [
    '# policies',
    '',
    line({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' }),
    line({ group: 'dev', namespace: 'a', resource: 'pods', readonly: true }),
    line({ user: 'bob', group: 'ops', namespace: 'a', resource: 'pods' }),
    line({ user: '*', nonResourcePath: '/public/*' }),
    '{"user": "old", "resource": "pods"}',
    '{"readonly": true, "resource": "services"}',
  ].join('\n');
  const abac = abacAuthorizer(parseAbacPolicies(text, names));

  it.each([
    ['alice', 'delete deployments.apps x in b', 'allow'],
    ['alice', 'get /x', 'no-opinion'],
    ['carol of dev', 'get pods x in a', 'allow'],
    ['carol of dev', 'get pods x in b', 'no-opinion'],
    ['carol of dev', 'delete pods x in a', 'no-opinion'],
    ['bob of ops', 'delete pods x in a', 'allow'],
    ['bob', 'delete pods x in a', 'no-opinion'],
    ['other of ops', 'delete pods x in a', 'no-opinion'],
    ['x of system:authenticated', 'get /public/y', 'allow'],
    ['x of system:authenticated', 'get /private', 'no-opinion'],
    ['x of system:unauthenticated', 'get /public/y', 'no-opinion'],
    ['old', 'delete pods x in z', 'allow'],
    ['y of system:authenticated', 'get services x in a', 'allow'],
    ['y of system:authenticated', 'delete services x in a', 'no-opinion'],
  ])('%s: %s → %s', (who, what, decision) => {
    expect((abac.authorize(request(who, what)) as Verdict).decision).toBe(decision);
  });

  it('says which policies count in a namespace', () => {
    const asked = abac.rules?.({ name: 'carol', groups: ['dev'], extra: {} }, 'b');
    const there = abac.rules?.({ name: 'carol', groups: ['dev'], extra: {} }, 'a');
    expect(asked?.resourceRules).toEqual([]);
    expect(there?.resourceRules).toEqual([{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }]);
  });

  it.each([
    'nonsense',
    '[]',
    '{"apiVersion": "x/v1", "kind": "Policy"}',
    '{"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Other"}',
  ])('does not start with %s', (bad) => {
    expect(() => parseAbacPolicies(bad, names)).toThrow(AbacPolicyError);
  });
});

describe('an ABAC policy is read', () => {
  const nothing = {
    ...{ user: '', group: '', readonly: false },
    apiGroup: '',
    resource: '',
    namespace: '',
    nonResourcePath: '',
  };
  const group = 'abac.authorization.kubernetes.io';
  const everywhere = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };
  const everyone = { user: '', group: 'system:authenticated' };

  it.each<[string, object, object]>([
    ['in the oldest form, where what is left out matches everything', { user: 'a' }, { user: 'a', ...everywhere }],
    [
      'for a namespace: then not for paths',
      { user: 'a', namespace: 'n' },
      { ...{ user: 'a', ...everywhere }, namespace: 'n', nonResourcePath: '' },
    ],
    [
      'for a resource: then not for paths',
      { user: 'a', resource: 'pods' },
      { ...{ user: 'a', ...everywhere }, resource: 'pods', nonResourcePath: '' },
    ],
    ['for a group', { group: 'g' }, { group: 'g', ...everywhere }],
    ['for everyone, who is not named', {}, { ...everyone, ...everywhere }],
    ['for everyone, by a star as the user', { user: '*' }, { ...everyone, ...everywhere }],
    ['for everyone, by a star as the group', { user: 'a', group: '*' }, { ...everyone, ...everywhere }],
    [
      'in version v0, which is the oldest form',
      { apiVersion: `${group}/v0`, kind: 'Policy', user: 'a' },
      { user: 'a', ...everywhere },
    ],
    [
      'in version v1beta1, where what is left out matches nothing',
      { apiVersion: `${group}/v1beta1`, kind: 'Policy', spec: { user: 'a', readonly: true } },
      { user: 'a', readonly: true },
    ],
    [
      'in version v1beta1, for everyone',
      { apiVersion: `${group}/v1beta1`, kind: 'Policy', spec: { group: '*', resource: 'pods' } },
      { ...everyone, resource: 'pods' },
    ],
    ['in version v1beta1, without a spec', { apiVersion: `${group}/v1beta1`, kind: 'Policy' }, {}],
    ['with fields that are no texts', { user: 'a', namespace: 1, readonly: 'true' }, { user: 'a', ...everywhere }],
  ])('%s', (_what, line, policy) => {
    expect(parseAbacPolicies(JSON.stringify(line), names)).toEqual([{ ...nothing, ...policy }]);
  });

  it.each<[string, string]>([
    ['{"kind":"Policy","user":"a"}', 'line 1: unknown kind or version: undefined, "Policy"'],
    [`{"apiVersion":"${group}/v1beta1"}`, `line 1: unknown kind or version: "${group}/v1beta1", undefined`],
    [`{"apiVersion":"${group}/v0","kind":"Other"}`, `line 1: unknown kind or version: "${group}/v0", "Other"`],
    [
      `\n# a comment\n{"apiVersion":"${group}/v2","kind":"Policy"}`,
      `line 3: unknown kind or version: "${group}/v2", "Policy"`,
    ],
    ['{"apiVersion":"other/v1beta1","kind":"Policy"}', 'line 1: unknown kind or version: "other/v1beta1", "Policy"'],
    ['"text"', 'line 1: not a JSON object'],
  ])('and not from %s', (text, message) => {
    expect(() => parseAbacPolicies(text, names)).toThrow(new AbacPolicyError(message));
  });
});

describe('Node follows what pods refer to', () => {
  const graph = new NodeGraph(names);
  const object = (metadata: ApiObject['metadata'] | object, spec: object): ApiObject => ({
    metadata: { creationTimestamp: null, ...metadata },
    spec,
  });
  const pod = object(
    { name: 'p', namespace: 'a' },
    {
      nodeName: 'one',
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'pull' }],
      initContainers: [{ envFrom: [{ secretRef: { name: 'init-from' } }] }],
      containers: [
        {
          env: [
            { valueFrom: { secretKeyRef: { name: 'env' } } },
            { valueFrom: { configMapKeyRef: { name: 'env-map' } } },
          ],
        },
      ],
      volumes: [
        { secret: { secretName: 'volume' } },
        { configMap: { name: 'volume-map' } },
        { persistentVolumeClaim: { claimName: 'claim' } },
        { projected: { sources: [{ secret: { name: 'projected' } }] } },
        { name: 'scratch', ephemeral: {} },
      ],
    },
  );
  graph.upsertPod(pod);
  graph.upsertPod(
    object(
      { name: 'mirror', namespace: 'a', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      { nodeName: 'one', volumes: [{ secret: { secretName: 'mirrored' } }] },
    ),
  );
  graph.upsertPod(object({ name: 'waiting', namespace: 'a' }, { volumes: [{ secret: { secretName: 'waiting' } }] }));
  graph.upsertVolume(
    object(
      { name: 'pv' },
      {
        claimRef: { name: 'claim', namespace: 'a' },
        csi: {
          nodePublishSecretRef: { name: 'publish', namespace: 's' },
          controllerPublishSecretRef: { name: 'control', namespace: 's' },
        },
      },
    ),
  );
  graph.upsertVolume(
    object(
      { name: 'cinder' },
      { claimRef: { name: 'claim', namespace: 'a' }, cinder: { secretRef: { name: 'cinder', namespace: 's' } } },
    ),
  );
  graph.upsertAttachment(object({ name: 'va' }, { nodeName: 'one' }));
  graph.upsertNode(
    object({ name: 'one' }, { configSource: { configMap: { name: 'settings', namespace: 'kube-system' } } }),
  );
  const node = nodeAuthorizer({ names, graph, rules: makeNodeRules(names, () => true), gate: () => true });
  const one = 'system:node:one of system:nodes';
  const two = 'system:node:two of system:nodes';

  it.each([
    [one, 'get secrets volume in a', 'allow'],
    [one, 'list secrets volume in a', 'allow'],
    [one, 'watch secrets volume in a', 'allow'],
    [one, 'list secrets in a', 'no-opinion'],
    [one, 'delete secrets volume in a', 'no-opinion'],
    [one, 'get secrets volume in b', 'no-opinion'],
    [one, 'get secrets pull in a', 'allow'],
    [one, 'get secrets init-from in a', 'allow'],
    [one, 'get secrets env in a', 'allow'],
    [one, 'get secrets projected in a', 'allow'],
    [one, 'get secrets mirrored in a', 'no-opinion'],
    [one, 'get secrets waiting in a', 'no-opinion'],
    [two, 'get secrets volume in a', 'no-opinion'],
    [one, 'get configmaps env-map in a', 'allow'],
    [one, 'get configmaps volume-map in a', 'allow'],
    [one, 'get configmaps settings in kube-system', 'allow'],
    [two, 'get configmaps settings in kube-system', 'no-opinion'],
    [one, 'get persistentvolumeclaims claim in a', 'allow'],
    [one, 'patch persistentvolumeclaims/status claim in a', 'allow'],
    [one, 'get persistentvolumeclaims/status claim in a', 'no-opinion'],
    [one, 'list persistentvolumeclaims claim in a', 'no-opinion'],
    [one, 'get persistentvolumes pv', 'allow'],
    [two, 'get persistentvolumes pv', 'no-opinion'],
    [one, 'get secrets publish in s', 'allow'],
    [one, 'get secrets control in s', 'no-opinion'],
    [one, 'get secrets cinder in s', 'allow'],
    [one, 'get persistentvolumeclaims p-scratch in a', 'allow'],
    [one, 'get persistentvolumeclaims p-other in a', 'no-opinion'],
    [one, 'get volumeattachments.storage.k8s.io va', 'allow'],
    [two, 'get volumeattachments.storage.k8s.io va', 'no-opinion'],
    [one, 'create serviceaccounts/token robot in a', 'allow'],
    [two, 'create serviceaccounts/token robot in a', 'no-opinion'],
    [one, 'get serviceaccounts robot in a', 'no-opinion'],
    [one, 'update leases.coordination.k8s.io one in kube-node-lease', 'allow'],
    [one, 'create leases.coordination.k8s.io in kube-node-lease', 'allow'],
    [one, 'update leases.coordination.k8s.io two in kube-node-lease', 'no-opinion'],
    [one, 'update leases.coordination.k8s.io one in a', 'no-opinion'],
    [one, 'list leases.coordination.k8s.io in kube-node-lease', 'no-opinion'],
    [one, 'get csinodes.storage.k8s.io one', 'allow'],
    [one, 'get csinodes.storage.k8s.io two', 'no-opinion'],
    [one, 'get csinodes.storage.k8s.io/x one', 'no-opinion'],
    [one, 'list pods', 'allow'],
    [one, 'patch nodes/status two', 'allow'],
    [one, 'delete nodes one', 'no-opinion'],
    ['system:node:one of other', 'list pods', 'no-opinion'],
    ['system:node: of system:nodes', 'list pods', 'no-opinion'],
    ['one of system:nodes', 'list pods', 'no-opinion'],
  ])('%s: %s → %s', (who, what, decision) => {
    expect((node.authorize(request(who, what)) as Verdict).decision).toBe(decision);
  });

  it('forgets what a pod brought when it goes, and keeps what another still brings', () => {
    const own = new NodeGraph(names);
    own.upsertPod(pod);
    own.upsertPod(
      object({ name: 'q', namespace: 'a' }, { nodeName: 'one', volumes: [{ secret: { secretName: 'volume' } }] }),
    );
    own.removePod(pod);
    expect([own.needs('one', 'secrets', 'a', 'volume'), own.needs('one', 'secrets', 'a', 'pull')]).toEqual([
      true,
      false,
    ]);
    own.removePod(object({ name: 'q', namespace: 'a' }, {}));
    expect(own.needs('one', 'secrets', 'a', 'volume')).toBe(false);
  });

  it('says which pods bring an object to a node', () => {
    expect(graph.reasons('one', 'persistentvolumes', '', 'pv')).toEqual(['pod a/p']);
  });
});

describe('Webhook asks a remote service', () => {
  function remote(answer: (spec: Record<string, unknown>) => object): {
    asked: Record<string, unknown>[];
    authorizer: Authorizer;
    clock: ReturnType<typeof manualClock>;
  } {
    const clock = manualClock();
    const asked: Record<string, unknown>[] = [];
    const fetch = async (sent: Request): Promise<Response> => {
      const review = (await sent.json()) as { spec: Record<string, unknown> };
      asked.push(review.spec);
      return Response.json({ ...review, status: answer(review.spec) });
    };
    const endpoint = { url: 'https://authz.example/', headers: {} };
    return {
      asked,
      clock,
      authorizer: webhookAuthorizer({
        fetch,
        clock,
        endpoint,
        apiVersion: 'authorization.k8s.io/v1beta1',
        authorizedTtlMs: 300_000,
        unauthorizedTtlMs: 30_000,
      }),
    };
  }

  it.each([
    [{ allowed: true, reason: 'yes' }, 'allow', 'yes'],
    [{ allowed: false, reason: 'perhaps' }, 'no-opinion', 'perhaps'],
    [{ allowed: false, denied: true, reason: 'no' }, 'deny', 'no'],
  ])('%j → %s', async (status, decision, reason) => {
    expect(await remote(() => status).authorizer.authorize(request('u of g', 'get pods x in a'))).toMatchObject({
      decision,
      reason,
    });
  });

  it('sends the attributes that are there', async () => {
    const { asked, authorizer } = remote(() => ({ allowed: true }));
    await authorizer.authorize(request('u of g', 'get pods/log x in a'));
    await authorizer.authorize(request('u', 'get /healthz'));
    expect(asked).toEqual([
      {
        resourceAttributes: {
          namespace: 'a',
          verb: 'get',
          version: 'v1',
          resource: 'pods',
          subresource: 'log',
          name: 'x',
        },
        user: 'u',
        group: ['g'],
      },
      { nonResourceAttributes: { path: '/healthz', verb: 'get' }, user: 'u' },
    ]);
  });

  it('keeps answers for as long as their kind is kept', async () => {
    const { asked, authorizer, clock } = remote((spec) => ({ allowed: spec.user === 'good' }));
    const ask = async (who: string): Promise<void> => void (await authorizer.authorize(request(who, 'get pods')));
    await ask('good');
    await ask('bad');
    await clock.step(29_000);
    await ask('good');
    await ask('bad');
    expect(asked.length).toBe(2);
    await clock.step(2_000);
    await ask('good');
    await ask('bad');
    expect(asked.length).toBe(3);
    await clock.step(300_000);
    await ask('good');
    expect(asked.length).toBe(4);
  });

  it('refuses an answer that both allows and denies', async () => {
    await expect(
      remote(() => ({ allowed: true, denied: true })).authorizer.authorize(request('u', 'get pods')),
    ).rejects.toThrow('both allow and deny');
  });
});
