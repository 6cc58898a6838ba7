/** Plugins that are on by default and complete pods, or hold them to what their namespace says. */
import { describe, expect, it } from 'vitest';
import { pluginIn, pod, podWith, request, specAfter, verdictOf, type Raw, type World } from './helpers.ts';

describe('DefaultTolerationSeconds', () => {
  const flags = { 'default-not-ready-toleration-seconds': '300', 'default-unreachable-toleration-seconds': '60' };
  const stays = (what: string, tolerationSeconds: number): Raw => ({
    key: `node.kubernetes.io/${what}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  it.each<[string, readonly Raw[], readonly Raw[]]>([
    ['nothing said', [], [stays('not-ready', 300), stays('unreachable', 60)]],
    ['one said', [stays('not-ready', 5)], [stays('not-ready', 5), stays('unreachable', 60)]],
    ['all tolerated', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'another effect',
      [{ ...stays('not-ready', 5), effect: 'NoSchedule', tolerationSeconds: undefined }],
      [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
        stays('not-ready', 300),
        stays('unreachable', 60),
      ],
    ],
  ])('%s', async (_what, tolerations, expected) => {
    const plugin = pluginIn('DefaultTolerationSeconds', { flags });
    const spec = await specAfter(plugin, request('CREATE pods', { object: pod({ tolerations }) }));
    expect(spec['tolerations']).toEqual(expected);
  });
});

describe('Priority', () => {
  const world: World = {
    objects: {
      'priorityclasses.scheduling.k8s.io': [
        { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' },
        { metadata: { name: 'standard' }, value: 7, globalDefault: true },
        { metadata: { name: 'least' }, value: 5, globalDefault: true },
      ],
    },
  };
  const resolved = (
    priorityClassName: string | undefined,
    priority: number,
    preemptionPolicy = 'PreemptLowerPriority',
  ): Raw => ({
    priorityClassName,
    priority,
    preemptionPolicy,
  });
  const numbers = ({ priorityClassName, priority, preemptionPolicy }: Raw): Raw => ({
    priorityClassName,
    priority,
    preemptionPolicy,
  });

  it.each<[string, World, Raw, unknown]>([
    ['by its class', world, { priorityClassName: 'high' }, resolved('high', 100, 'Never')],
    ['by the default, the least of several', world, {}, resolved('least', 5)],
    ['by nothing', {}, {}, resolved(undefined, 0)],
    [
      'a class that is not there',
      world,
      { priorityClassName: 'x' },
      '403 pods "p" is forbidden: no PriorityClass with name x was found',
    ],
    [
      'another number',
      world,
      { priorityClassName: 'high', priority: 1 },
      '403 pods "p" is forbidden: the integer value of priority (1) must not be provided in pod spec; priority admission controller computed 100 from the given PriorityClass name',
    ],
    [
      'another policy',
      world,
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      '403 pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('%s', async (_what, where, spec, expected) => {
    const attributes = request('CREATE pods', { object: pod(spec) });
    const verdict = await verdictOf(pluginIn('Priority', where), attributes);
    expect(verdict === 'allowed' ? numbers(attributes.object?.['spec'] as Raw) : verdict).toEqual(expected);
  });

  it('keeps the resolved priority', async () => {
    const attributes = request('UPDATE pods', { object: pod(), old: pod(resolved('gone', 3, 'Never')) });
    expect(numbers(await specAfter(pluginIn('Priority', world), attributes))).toEqual(resolved(undefined, 3, 'Never'));
  });

  const already = (name: string): string =>
    `403 priorityclasses.scheduling.k8s.io "${name}" is forbidden: PriorityClass least is already marked as default. Only one default can exist`;
  it.each<[string, string, string]>([
    ['CREATE', 'new', already('new')],
    ['CREATE', 'least', already('least')],
    ['UPDATE', 'least', 'allowed'],
    ['UPDATE', 'high', already('high')],
  ])('%s of the default %s', async (operation, name, expected) => {
    const object = { metadata: { name }, value: 1, globalDefault: true };
    const attributes = request(`${operation} priorityclasses.scheduling.k8s.io`, { object, old: object });
    expect(await verdictOf(pluginIn('Priority', world), attributes)).toBe(expected);
  });
});

describe('RuntimeClass', () => {
  const gpu = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
  const world: World = {
    objects: {
      'runtimeclasses.node.k8s.io': [
        { metadata: { name: 'plain' }, handler: 'h' },
        {
          metadata: { name: 'heavy' },
          handler: 'h',
          overhead: { podFixed: { cpu: '250m' } },
          scheduling: { nodeSelector: { kind: 'vm' }, tolerations: [gpu] },
        },
      ],
    },
  };
  const refused = (why: string): string => `403 pods "p" is forbidden: ${why}`;
  it.each<[string, Raw, unknown]>([
    ['none', {}, {}],
    ['one that adds nothing', { runtimeClassName: 'plain' }, {}],
    [
      'its overhead, nodes and tolerations',
      { runtimeClassName: 'heavy' },
      { overhead: { cpu: '250m' }, nodeSelector: { kind: 'vm' }, tolerations: [gpu] },
    ],
    [
      'tolerations that cover its own',
      { runtimeClassName: 'heavy', tolerations: [{ operator: 'Exists' }] },
      { overhead: { cpu: '250m' }, nodeSelector: { kind: 'vm' }, tolerations: [{ operator: 'Exists' }] },
    ],
    ['one that is not there', { runtimeClassName: 'x' }, refused('pod rejected: RuntimeClass "x" not found')],
    [
      'other nodes',
      { runtimeClassName: 'heavy', nodeSelector: { kind: 'metal' } },
      refused('conflict: runtimeClass.scheduling.nodeSelector[kind] = vm; pod.spec.nodeSelector[kind] = metal'),
    ],
    [
      'another overhead',
      { runtimeClassName: 'heavy', overhead: { cpu: '1' } },
      refused("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"),
    ],
    [
      'an overhead of its own',
      { overhead: { cpu: '1' } },
      refused('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'),
    ],
  ])('%s', async (_what, spec, expected) => {
    const attributes = request('CREATE pods', { object: pod(spec) });
    const verdict = await verdictOf(pluginIn('RuntimeClass', world), attributes);
    const { overhead, nodeSelector, tolerations } = attributes.object?.['spec'] as Raw;
    expect(verdict === 'allowed' ? { overhead, nodeSelector, tolerations } : verdict).toEqual(expected);
  });
});

describe('LimitRanger', () => {
  const ranges = (...limits: readonly Raw[]): World => ({
    objects: { limitranges: [{ metadata: { name: 'r', namespace: 'ns' }, spec: { limits } }] },
  });
  const resources = (requests?: Raw, limits?: Raw): Raw => ({
    resources: { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) },
  });
  const two = (a: Raw, b: Raw, init: Raw = {}): Raw =>
    pod({
      containers: [
        { name: 'a', ...a },
        { name: 'b', ...b },
      ],
      initContainers: [{ name: 'i', ...init }],
    });

  it.each<[string, World, Raw, string]>([
    ['none', {}, podWith({}), 'allowed'],
    ['enough', ranges({ type: 'Container', min: { cpu: '100m' } }), podWith(resources({ cpu: '0.1' })), 'allowed'],
    [
      'too little',
      ranges({ type: 'Container', min: { cpu: '100m' } }),
      podWith(resources({ cpu: '50m' })),
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'no request where the range fills it in',
      ranges({ type: 'Container', min: { cpu: '100m' } }),
      podWith({}),
      'allowed',
    ],
    [
      'too much',
      ranges({ type: 'Container', max: { memory: '1Gi' } }),
      podWith(resources({ memory: '1Gi' }, { memory: '2Gi' })),
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'a ratio',
      ranges({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }),
      podWith(resources({ cpu: '100m' }, { cpu: '300m' })),
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
    [
      'a pod in all',
      ranges({ type: 'Pod', max: { cpu: '1' } }),
      two(resources({ cpu: '600m' }, { cpu: '600m' }), resources({ cpu: '600m' }, { cpu: '600m' })),
      'maximum cpu usage per Pod is 1, but limit is 1200m',
    ],
    [
      'a pod of which one container says nothing',
      ranges({ type: 'Pod', min: { cpu: '1' } }),
      two(resources({ cpu: '2' }), {}),
      'minimum cpu usage per Pod is 1.  No request is specified',
    ],
    [
      'a pod whose init container asks for most',
      ranges({ type: 'Pod', max: { cpu: '1' } }),
      two(resources({}, { cpu: '100m' }), resources({}, { cpu: '100m' }), resources({}, { cpu: '2' })),
      'maximum cpu usage per Pod is 1, but limit is 2',
    ],
    [
      'each thing once',
      ranges({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }),
      pod({ containers: [{ name: 'a' }, { name: 'b' }] }),
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'two things',
      ranges({ type: 'Container', maxLimitRequestRatio: { cpu: '2', memory: '2' } }),
      podWith({}),
      '[cpu max limit to request ratio per Container is 2, but no request is specified or request is 0, memory max limit to request ratio per Container is 2, but no request is specified or request is 0]',
    ],
  ])('%s', async (_what, world, object, expected) => {
    const verdict = await verdictOf(pluginIn('LimitRanger', world), request('CREATE pods', { object }));
    expect(verdict).toBe(expected === 'allowed' ? expected : `403 pods "p" is forbidden: ${expected}`);
  });

  it('sets defaults and records them', async () => {
    const world = ranges({ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '500m', memory: '1Mi' } });
    const attributes = request('CREATE pods', { object: podWith(resources({ memory: '2Mi' })) });
    const spec = await specAfter(pluginIn('LimitRanger', world), attributes);
    expect((spec['containers'] as Raw[])[0]?.['resources']).toEqual({
      limits: { cpu: '1' },
      requests: { cpu: '500m', memory: '2Mi' },
    });
    expect(attributes.object?.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
    });
  });

  const claim = (storage: string, metadata: Raw = {}): Raw => ({
    metadata: { name: 'v', ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  it.each<[string, string, Raw, Raw | undefined, string]>([
    ['within', 'CREATE', claim('2Gi'), undefined, 'allowed'],
    [
      'too small',
      'CREATE',
      claim('1Gi'),
      undefined,
      'minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    ],
    [
      'too large',
      'UPDATE',
      claim('5Gi'),
      claim('2Gi'),
      'maximum storage usage per PersistentVolumeClaim is 3Gi, but request is 5Gi',
    ],
    ['going', 'UPDATE', claim('5Gi'), claim('5Gi', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'allowed'],
  ])('a claim: %s', async (_what, operation, object, old, expected) => {
    const world = ranges({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '3Gi' } });
    const attributes = request(`${operation} persistentvolumeclaims`, { object, ...(old ? { old } : {}) });
    const verdict = await verdictOf(pluginIn('LimitRanger', world), attributes);
    expect(verdict).toBe(
      expected === 'allowed' ? expected : `403 persistentvolumeclaims "v" is forbidden: ${expected}`,
    );
  });
});

describe('ServiceAccount', () => {
  const token = (name: string, account: string): Raw => ({
    metadata: {
      name,
      namespace: 'ns',
      annotations: { 'kubernetes.io/service-account.name': account, 'kubernetes.io/service-account.uid': 'u' },
    },
    type: 'kubernetes.io/service-account-token',
  });
  const account = (name: string, more: Raw = {}): Raw => ({
    metadata: { name, namespace: 'ns', uid: 'u' },
    secrets: [{ name: 'mine' }, { name: `${name}-token` }],
    ...more,
  });
  const world: World = {
    off: ['BoundServiceAccountTokenVolume'],
    objects: {
      serviceaccounts: [
        account('default'),
        account('pulls', { imagePullSecrets: [{ name: 'pull' }], automountServiceAccountToken: false }),
        account('fresh', { secrets: [] }),
        {
          ...account('strict', { imagePullSecrets: [{ name: 'pull' }] }),
          metadata: {
            name: 'strict',
            namespace: 'ns',
            uid: 'u',
            annotations: { 'kubernetes.io/enforce-mountable-secrets': 'T' },
          },
        },
      ],
      secrets: [
        token('default-token', 'default'),
        token('strict-token', 'strict'),
        { metadata: { name: 'mine', namespace: 'ns' } },
      ],
    },
  };
  const plugin = pluginIn('ServiceAccount', world);
  const mount = { name: 'default-token', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };

  it('gives pods the default account and its token', async () => {
    const spec = await specAfter(plugin, request('CREATE pods', { object: pod() }));
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      volumes: [{ name: 'default-token', secret: { secretName: 'default-token', defaultMode: 420 } }],
      containers: [{ volumeMounts: [mount] }],
    });
  });

  it('uses an existing token volume, and keeps mounts at its path', async () => {
    const volumes = [{ name: 'own', secret: { secretName: 'default-token' } }];
    const spec = await specAfter(
      plugin,
      request('CREATE pods', {
        object: pod({
          volumes,
          containers: [{ name: 'a' }, { name: 'b', volumeMounts: [{ name: 'x', mountPath: mount.mountPath }] }],
        }),
      }),
    );
    expect((spec['containers'] as Raw[]).map((c) => c['volumeMounts'])).toEqual([
      [{ ...mount, name: 'own' }],
      [{ name: 'x', mountPath: mount.mountPath }],
    ]);
    expect(spec['volumes']).toHaveLength(1);
  });

  it('chooses another name if the token’s name is in use', async () => {
    const spec = await specAfter(
      plugin,
      request('CREATE pods', { object: pod({ volumes: [{ name: 'default-token', emptyDir: {} }] }) }),
    );
    expect((spec['volumes'] as Raw[])[1]?.['name']).toMatch(/^default-token-.{5}$/);
  });

  it('copies the account’s pull secrets, and mounts no token if disabled', async () => {
    const spec = await specAfter(plugin, request('CREATE pods', { object: pod({ serviceAccountName: 'pulls' }) }));
    expect(spec).toMatchObject({ imagePullSecrets: [{ name: 'pull' }] });
    expect(spec['volumes']).toBeUndefined();
  });

  it('mounts a projected token where tokens are bound to pods', async () => {
    const spec = await specAfter(
      pluginIn('ServiceAccount', { ...world, off: [] }),
      request('CREATE pods', { object: pod() }),
    );
    const [volume] = spec['volumes'] as { name: string; projected: { sources: Raw[] } }[];
    expect(volume?.name).toMatch(/^kube-api-access-.{5}$/);
    expect(volume?.projected.sources.map((source) => Object.keys(source)[0])).toEqual([
      'serviceAccountToken',
      'configMap',
      'downwardAPI',
    ]);
  });

  it('refuses a pod whose account has no token yet, so that it is retried', async () => {
    const attributes = request('CREATE pods', { object: pod({ serviceAccountName: 'fresh' }) });
    const admit = async (): Promise<void> =>
      plugin.admit?.(attributes, { reinvocation: false, reinvoke: () => undefined });
    await expect(admit()).rejects.toMatchObject({
      status: {
        code: 500,
        reason: 'ServerTimeout',
        details: { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
      },
    });
  });

  it('retries reading the default account', async () => {
    let looks = 0;
    const transport: NonNullable<World['transport']> = () => {
      looks += 1;
      return Promise.resolve(new Response('', { status: 404 }));
    };
    const attributes = request('CREATE pods', { object: pod() });
    expect(await verdictOf(pluginIn('ServiceAccount', { transport }), attributes)).toBe(
      '403 pods "p" is forbidden: error looking up service account ns/default: serviceaccount "default" not found',
    );
    expect(looks).toBe(10);
  });

  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
  const strict = (spec: Raw): Raw => pod({ serviceAccountName: 'strict', ...spec });
  const secretEnv = { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'other', key: 'k' } } }] };
  it.each<[string, Raw, string]>([
    ['an account that is not there', pod({ serviceAccountName: 'ghost' }), 'error looking up service account'],
    ['a mirror pod', pod({}, mirror), 'allowed'],
    [
      'a mirror pod with an account',
      pod({ serviceAccountName: 'default' }, mirror),
      'a mirror pod may not reference service accounts',
    ],
    ['a mirror pod with a secret', podWith(secretEnv, {}), 'allowed'],
    [
      'a mirror pod with a secret in its environment',
      { ...podWith(secretEnv), metadata: { name: 'p', ...mirror } },
      'a mirror pod may not reference secrets',
    ],
    [
      'a mirror pod with a token',
      pod({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] }, mirror),
      'a mirror pod may not use ServiceAccountToken volume projections',
    ],
    ['a secret of the account', strict({ volumes: [{ name: 'v', secret: { secretName: 'mine' } }] }), 'allowed'],
    [
      'a secret of another',
      strict({ volumes: [{ name: 'v', secret: { secretName: 'other' } }] }),
      'volume with secret.secretName="other"',
    ],
    [
      'a secret of another, by the environment',
      { ...podWith(secretEnv, { serviceAccountName: 'strict' }) },
      'container c with',
    ],
    ['a secret of another, to pull', strict({ imagePullSecrets: [{ name: 'other' }] }), 'imagePullSecret'],
  ])('%s', async (_what, object, expected) => {
    expect(await verdictOf(plugin, request('CREATE pods', { object }))).toContain(expected);
  });
});
