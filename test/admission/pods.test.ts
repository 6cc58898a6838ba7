/** Plugins that look at pods, each with what it changes and what it refuses. */
import { describe, expect, it } from 'vitest';
import { pluginIn, pod, podWith, request, specAfter, verdictOf, type Raw, type World } from './helpers.ts';

describe('AlwaysAdmit and AlwaysDeny', () => {
  it.each([
    ['AlwaysAdmit', 'CREATE pods', 'allowed'],
    ['AlwaysDeny', 'CREATE pods', '403 pods "p" is forbidden: admission control is denying all modifications'],
    ['AlwaysDeny', 'DELETE pods', '403 pods "p" is forbidden: admission control is denying all modifications'],
  ])('%s: %s', async (name, what, expected) => {
    expect(await verdictOf(pluginIn(name), request(what, { object: pod() }))).toBe(expected);
  });
});

describe('AlwaysPullImages', () => {
  const plugin = pluginIn('AlwaysPullImages');
  const policies = (spec: Raw): unknown =>
    [...(spec['containers'] as Raw[]), ...((spec['initContainers'] ?? []) as Raw[])].map((c) => c['imagePullPolicy']);

  it('sets the pull policy of every container', async () => {
    const object = podWith({ imagePullPolicy: 'Never' }, { initContainers: [{ name: 'i', image: 'i' }] });
    expect(policies(await specAfter(plugin, request('CREATE pods', { object })))).toEqual(['Always', 'Always']);
  });

  it('ignores an old pod without a new image', async () => {
    const old = podWith({ imagePullPolicy: 'Never' });
    const attributes = request('UPDATE pods', { object: old, old });
    expect(policies(await specAfter(plugin, attributes))).toEqual(['Never']);
  });

  it('refuses a policy that a later plugin reset', async () => {
    const attributes = request('CREATE pods', { object: podWith({ imagePullPolicy: 'Never' }) });
    expect(() => plugin.validate?.(attributes)).toThrow(
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });
});

describe('SecurityContextDeny', () => {
  const denied = (field: string): string => `403 pods "p" is forbidden: ${field} is forbidden`;
  it.each<[string, Raw, string]>([
    ['nothing said', pod(), 'allowed'],
    ['only runAsNonRoot', pod({ securityContext: { runAsNonRoot: true } }), 'allowed'],
    [
      'supplemental groups',
      pod({ securityContext: { supplementalGroups: [1] } }),
      denied('pod.Spec.SecurityContext.SupplementalGroups'),
    ],
    [
      'labels',
      pod({ securityContext: { seLinuxOptions: { level: 's0' } } }),
      denied('pod.Spec.SecurityContext.SELinuxOptions'),
    ],
    ['root for all', pod({ securityContext: { runAsUser: 0 } }), denied('pod.Spec.SecurityContext.RunAsUser')],
    ['fsGroup', pod({ securityContext: { fsGroup: 1 } }), denied('pod.Spec.SecurityContext.FSGroup')],
    ['a user for a container', podWith({ securityContext: { runAsUser: 1 } }), denied('SecurityContext.RunAsUser')],
  ])('%s', async (_what, object, expected) => {
    expect(await verdictOf(pluginIn('SecurityContextDeny'), request('CREATE pods', { object }))).toBe(expected);
  });

  it('ignores subresources', async () => {
    const object = pod({ securityContext: { runAsUser: 0 } });
    expect(
      await verdictOf(pluginIn('SecurityContextDeny'), request('UPDATE pods/status', { object, old: object })),
    ).toBe('allowed');
  });
});

describe('LimitPodHardAntiAffinityTopology', () => {
  const apart = (topologyKey: string, rule = 'requiredDuringSchedulingIgnoredDuringExecution'): Raw => {
    const term = { topologyKey, labelSelector: { matchLabels: { a: 'b' } } };
    return pod({
      affinity: {
        podAntiAffinity: { [rule]: [rule.startsWith('required') ? term : { weight: 1, podAffinityTerm: term }] },
      },
    });
  };
  it.each<[string, Raw, string]>([
    ['none', pod(), 'allowed'],
    ['by host', apart('kubernetes.io/hostname'), 'allowed'],
    [
      'by zone, if possible',
      apart('topology.kubernetes.io/zone', 'preferredDuringSchedulingIgnoredDuringExecution'),
      'allowed',
    ],
    [
      'by zone',
      apart('topology.kubernetes.io/zone'),
      '403 pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
    ],
  ])('%s', async (_what, object, expected) => {
    const plugin = pluginIn('LimitPodHardAntiAffinityTopology');
    expect(await verdictOf(plugin, request('CREATE pods', { object }))).toBe(expected);
  });
});

describe('ExtendedResourceToleration', () => {
  const exists = (key: string): Raw => ({ key, operator: 'Exists', effect: 'NoSchedule' });
  it.each<[string, Raw, unknown]>([
    ['nothing asked for', pod(), undefined],
    ['only the usual', podWith({ resources: { requests: { cpu: '1' } } }), undefined],
    [
      'devices, in order of their names',
      podWith({ resources: { requests: { 'z.example/b': '1', 'a.example/a': '1' } } }),
      [exists('a.example/a'), exists('z.example/b')],
    ],
    [
      'tolerated already',
      podWith(
        { resources: { requests: { 'a.example/a': '1' } } },
        { tolerations: [{ ...exists('a.example/a'), tolerationSeconds: undefined }, exists('other')] },
      ),
      [exists('a.example/a'), exists('other')],
    ],
  ])('%s', async (_what, object, expected) => {
    const spec = await specAfter(pluginIn('ExtendedResourceToleration'), request('CREATE pods', { object }));
    expect(spec['tolerations']).toEqual(expected);
  });
});

describe('PodNodeSelector', () => {
  const world = (annotation: string | undefined): World => ({
    config: {
      podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'pool=all', ns: 'pool=a,disk=ssd' },
    },
    objects: {
      namespaces: [
        {
          metadata: {
            name: 'ns',
            ...(annotation === undefined
              ? {}
              : { annotations: { 'scheduler.alpha.kubernetes.io/node-selector': annotation } }),
          },
        },
        { metadata: { name: 'free' } },
      ],
    },
  });
  it.each<[string, string | undefined, string, Raw | undefined, unknown]>([
    ['the namespace’s', 'pool=a', 'ns', undefined, { pool: 'a' }],
    ['the namespace’s and the pod’s', 'pool=a', 'ns', { disk: 'ssd' }, { pool: 'a', disk: 'ssd' }],
    ['the cluster’s', undefined, 'free', undefined, { pool: 'all' }],
    [
      'both, which contradict each other',
      'pool=a',
      'ns',
      { pool: 'b' },
      '403 pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    ],
    [
      'a label that the namespace may not select',
      'pool=a',
      'ns',
      { gpu: 'yes' },
      '403 pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    ],
    ['an annotation that is no selector', 'pool', 'ns', undefined, '500 invalid selector: [pool]'],
    ['a namespace that is not there', 'pool=a', 'gone', undefined, '404 namespaces "gone" not found'],
  ])('%s', async (_what, annotation, namespace, nodeSelector, expected) => {
    const attributes = request('CREATE pods', { object: pod(nodeSelector ? { nodeSelector } : {}), namespace });
    const verdict = await verdictOf(pluginIn('PodNodeSelector', world(annotation)), attributes);
    expect(verdict === 'allowed' ? (attributes.object?.['spec'] as Raw)['nodeSelector'] : verdict).toEqual(expected);
  });
});

describe('PodTolerationRestriction', () => {
  const gpu = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
  const pressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };
  const world = (annotations: Raw, whitelist: readonly Raw[] = []): World => ({
    config: {
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      kind: 'Configuration',
      default: [{ key: 'cluster', operator: 'Exists' }],
      whitelist,
    },
    objects: { namespaces: [{ metadata: { name: 'ns', annotations } }] },
  });
  const defaults = (value: readonly Raw[]): Raw => ({
    'scheduler.alpha.kubernetes.io/defaultTolerations': JSON.stringify(value),
  });
  const allowed = (value: string): Raw => ({ 'scheduler.alpha.kubernetes.io/tolerationsWhitelist': value });
  const conflict =
    '500 pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';
  it.each<[string, World, Raw, unknown]>([
    ['the cluster’s', world({}), pod(), [{ key: 'cluster', operator: 'Exists' }]],
    ['the namespace’s instead', world(defaults([gpu])), pod(), [gpu]],
    ['none, by an empty annotation', world(defaults([])), pod(), undefined],
    [
      'memory pressure, for who asked for memory',
      world(defaults([])),
      podWith({ resources: { requests: { memory: '1Mi' } } }),
      [pressure],
    ],
    [
      'one that covers the others',
      world(defaults([{ operator: 'Exists' }])),
      pod({ tolerations: [gpu] }),
      [{ operator: 'Exists' }],
    ],
    [
      'one that the namespace allows',
      world({ ...defaults([]), ...allowed(JSON.stringify([gpu])) }),
      pod({ tolerations: [gpu] }),
      [gpu],
    ],
    [
      'one that the namespace does not allow',
      world({ ...defaults([]), ...allowed(JSON.stringify([gpu])) }),
      pod({ tolerations: [{ ...gpu, key: 'x' }] }),
      conflict,
    ],
    [
      'one that the cluster does not allow',
      world(defaults([]), [gpu]),
      pod({ tolerations: [{ operator: 'Exists' }] }),
      conflict,
    ],
    [
      'any, where the namespace’s list is empty',
      world({ ...defaults([]), ...allowed('') }, [gpu]),
      pod({ tolerations: [{ operator: 'Exists' }] }),
      [{ operator: 'Exists' }],
    ],
  ])('%s', async (_what, where, object, expected) => {
    const attributes = request('CREATE pods', { object });
    const verdict = await verdictOf(pluginIn('PodTolerationRestriction', where), attributes);
    expect(verdict === 'allowed' ? (attributes.object?.['spec'] as Raw)['tolerations'] : verdict).toEqual(expected);
  });
});

describe('DenyEscalatingExec and DenyExecOnPrivileged', () => {
  const refused = (why: string): string => `403 pods "p" is forbidden: cannot exec into or attach to ${why}`;
  it.each<[string, string, Raw, string]>([
    ['DenyEscalatingExec', 'CONNECT pods/exec', pod(), 'allowed'],
    ['DenyEscalatingExec', 'CONNECT pods/exec', pod({ hostPID: true }), refused('a container using host pid')],
    [
      'DenyEscalatingExec',
      'CONNECT pods/attach',
      pod({ hostNetwork: true }),
      refused('a container using host network'),
    ],
    ['DenyEscalatingExec', 'CONNECT pods/portforward', pod({ hostPID: true }), 'allowed'],
    [
      'DenyEscalatingExec',
      'CONNECT pods/exec',
      podWith({ securityContext: { privileged: true } }),
      refused('a privileged container'),
    ],
    ['DenyExecOnPrivileged', 'CONNECT pods/exec', pod({ hostPID: true }), 'allowed'],
    [
      'DenyExecOnPrivileged',
      'CONNECT pods/exec',
      podWith({ securityContext: { privileged: true } }),
      refused('a privileged container'),
    ],
  ])('%s: %s %j', async (name, what, stored, expected) => {
    const plugin = pluginIn(name, { objects: { pods: [stored] } });
    expect(await verdictOf(plugin, request(what, { name: 'p' }))).toBe(expected);
  });
});
