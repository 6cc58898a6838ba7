/** ResourceQuota: what requests cost, what quotas cover, and many requests at once. */
import { describe, expect, it } from 'vitest';
import { pluginIn, pod, podWith, request, verdictOf, type Raw, type World } from './helpers.ts';

const quota = (hard: Raw, used: Raw, spec: Raw = {}, name = 'q'): Raw => ({
  metadata: { name, namespace: 'ns', resourceVersion: '1' },
  spec: { hard, ...spec },
  status: { hard, used },
});

/** Quotas that can be written; `conflicts` says how often a write comes too late. */
function store(quotas: readonly Raw[], conflicts = 0): { world: World; used: () => unknown; writes: () => number } {
  const stored = [...quotas];
  let writes = 0;
  let left = conflicts;
  return {
    world: {
      objects: { resourcequotas: stored },
      transport: (path, init) => {
        writes += 1;
        if (left-- > 0) return Promise.resolve(new Response('', { status: 409 }));
        const name = path.split('/').at(-2);
        const at = stored.findIndex((one) => (one['metadata'] as Raw)['name'] === name);
        stored[at] = JSON.parse(String(init?.body)) as Raw;
        return Promise.resolve(new Response('{}'));
      },
    },
    used: () => stored.map((one) => (one['status'] as Raw)['used']),
    writes: () => writes,
  };
}

const map = (name = 'm'): Raw => ({ metadata: { name } });
const service = (type: string, ports: number): Raw => ({
  metadata: { name: 's', resourceVersion: '1' },
  spec: { type, ports: Array.from({ length: ports }, (_, i) => ({ name: `p${i}`, port: i + 1 })) },
});
const claim = (storage: string): Raw => ({
  metadata: { name: 'v', resourceVersion: '1' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'a', resources: { requests: { storage } } },
});
const asks = (requests: Raw, spec: Raw = {}): Raw => podWith({ resources: { requests } }, spec);

describe('ResourceQuota', () => {
  it.each<[string, Raw, string, Raw, Raw | undefined, string | Raw]>([
    [
      'nothing that is counted',
      quota({ pods: '1' }, { pods: '1' }),
      'CREATE configmaps',
      map(),
      undefined,
      { pods: '1' },
    ],
    [
      'one more',
      quota({ 'count/configmaps': '2' }, { 'count/configmaps': '1' }),
      'CREATE configmaps',
      map(),
      undefined,
      { 'count/configmaps': '2' },
    ],
    [
      'one too many',
      quota({ configmaps: '1' }, { configmaps: '1' }),
      'CREATE configmaps',
      map(),
      undefined,
      'configmaps "m" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    ],
    [
      'not counted yet',
      quota({ configmaps: '1' }, {}),
      'CREATE configmaps',
      map(),
      undefined,
      'configmaps "m" is forbidden: status unknown for quota: q, resources: configmaps',
    ],
    [
      'an event, which never counts',
      quota({ 'count/events': '0' }, {}),
      'CREATE events',
      { metadata: { name: 'e' }, involvedObject: {} },
      undefined,
      {},
    ],
    [
      'another group',
      quota({ 'count/leases.coordination.k8s.io': '1' }, { 'count/leases.coordination.k8s.io': '0' }),
      'CREATE leases.coordination.k8s.io',
      { metadata: { name: 'l' }, spec: {} },
      undefined,
      { 'count/leases.coordination.k8s.io': '1' },
    ],
    [
      'a pod that has to say more',
      quota({ 'limits.cpu': '1', 'requests.memory': '1' }, { 'limits.cpu': '0', 'requests.memory': '0' }),
      'CREATE pods',
      pod(),
      undefined,
      'pods "p" is forbidden: failed quota: q: must specify limits.cpu,requests.memory',
    ],
    [
      'a pod with what it asks for',
      quota(
        { cpu: '1', pods: '5', 'requests.a.example/gpu': '4' },
        { cpu: '100m', pods: '1', 'requests.a.example/gpu': '1' },
      ),
      'CREATE pods',
      asks({ cpu: '200m', 'a.example/gpu': '2' }),
      undefined,
      { cpu: '300m', pods: '2', 'requests.a.example/gpu': '3' },
    ],
    [
      'a negative amount',
      quota({ cpu: '1' }, { cpu: '0' }),
      'CREATE pods',
      asks({ cpu: '-1' }),
      undefined,
      'pods "p" is forbidden: quota usage is negative for resource(s): cpu,requests.cpu',
    ],
    [
      'a pod out of scope',
      quota({ pods: '1' }, { pods: '1' }, { scopes: ['BestEffort'] }),
      'CREATE pods',
      asks({ cpu: '1' }),
      undefined,
      { pods: '1' },
    ],
    [
      'a pod in scope',
      quota({ pods: '1' }, { pods: '1' }, { scopes: ['NotBestEffort', 'NotTerminating'] }),
      'CREATE pods',
      asks({ cpu: '1' }),
      undefined,
      'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    ],
    [
      'a pod of a class',
      quota(
        { pods: '1' },
        { pods: '0' },
        { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['low'] }] } },
      ),
      'CREATE pods',
      pod({ priorityClassName: 'high' }),
      undefined,
      { pods: '1' },
    ],
    ['an update of a pod', quota({ pods: '0' }, { pods: '1' }), 'UPDATE pods', pod(), pod(), { pods: '1' }],
    [
      'a service that gets ports',
      quota({ 'services.nodeports': '3' }, { 'services.nodeports': '0' }),
      'UPDATE services',
      service('NodePort', 2),
      service('ClusterIP', 2),
      { 'services.nodeports': '2' },
    ],
    [
      'a service that gives ports back',
      quota({ 'services.nodeports': '3' }, { 'services.nodeports': '2' }),
      'UPDATE services',
      service('ClusterIP', 2),
      service('NodePort', 2),
      { 'services.nodeports': '2' },
    ],
    [
      'a balancer',
      quota({ 'services.loadbalancers': '0' }, { 'services.loadbalancers': '0' }),
      'CREATE services',
      service('LoadBalancer', 1),
      undefined,
      'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    ],
    [
      'a claim',
      quota(
        { 'requests.storage': '3Gi', 'a.storageclass.storage.k8s.io/requests.storage': '3Gi' },
        { 'requests.storage': '0', 'a.storageclass.storage.k8s.io/requests.storage': '0' },
      ),
      'CREATE persistentvolumeclaims',
      claim('2Gi'),
      undefined,
      { 'requests.storage': '2Gi', 'a.storageclass.storage.k8s.io/requests.storage': '2Gi' },
    ],
    [
      'a claim that grows',
      quota({ 'requests.storage': '3Gi' }, { 'requests.storage': '2Gi' }),
      'UPDATE persistentvolumeclaims',
      claim('4Gi'),
      claim('2Gi'),
      'persistentvolumeclaims "v" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi',
    ],
  ])('%s', async (_what, one, what, object, old, expected) => {
    const { world, used } = store([one]);
    const verdict = await verdictOf(
      pluginIn('ResourceQuota', world),
      request(what, { object, ...(old ? { old } : {}) }),
    );
    if (typeof expected === 'string') expect(verdict).toBe(`403 ${expected}`);
    else expect([verdict, used()]).toEqual(['allowed', [expected]]);
  });

  it('adds no usage for a dry run', async () => {
    const { world, writes } = store([quota({ configmaps: '1' }, { configmaps: '0' })]);
    expect(
      await verdictOf(pluginIn('ResourceQuota', world), request('CREATE configmaps', { object: map(), dryRun: true })),
    ).toBe('allowed');
    expect(writes()).toBe(0);
  });

  it('adds the usage of many requests up to the limit in few writes', async () => {
    const { world, used, writes } = store([quota({ configmaps: '60' }, { configmaps: '0' })]);
    const plugin = pluginIn('ResourceQuota', world);
    const all = Array.from({ length: 100 }, (_, i) =>
      verdictOf(plugin, request('CREATE configmaps', { object: map(`m${i}`) })),
    );
    const verdicts = await Promise.all(all);
    expect(verdicts.filter((verdict) => verdict === 'allowed')).toHaveLength(60);
    expect(used()).toEqual([{ configmaps: '60' }]);
    expect(writes()).toBeLessThan(5);
  });

  it('retries after a concurrent write without adding usage twice', async () => {
    const quotas = [
      quota({ configmaps: '5' }, { configmaps: '0' }, {}, 'a'),
      quota({ configmaps: '5' }, { configmaps: '3' }, {}, 'b'),
    ];
    const { world, used } = store(quotas, 1);
    expect(await verdictOf(pluginIn('ResourceQuota', world), request('CREATE configmaps', { object: map() }))).toBe(
      'allowed',
    );
    expect(used()).toEqual([{ configmaps: '1' }, { configmaps: '4' }]);
  });

  it('gives up if every write conflicts', async () => {
    const { world } = store([quota({ configmaps: '5' }, { configmaps: '0' })], Infinity);
    expect(await verdictOf(pluginIn('ResourceQuota', world), request('CREATE configmaps', { object: map() }))).toMatch(
      /^409 Operation cannot be fulfilled on resourcequotas "q"/,
    );
  });
});

describe('resources that are limited by default', () => {
  const high = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
  const config = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'ResourceQuotaConfiguration',
    limitedResources: [
      { resource: 'persistentvolumeclaims', matchContains: ['gold.storageclass'] },
      { resource: 'pods', matchScopes: [high] },
    ],
  };
  const gold = { ...claim('1Gi'), spec: { ...(claim('1Gi')['spec'] as Raw), storageClassName: 'gold' } };
  const covers = 'gold.storageclass.storage.k8s.io/requests.storage';
  it.each<[string, readonly Raw[], string, Raw, string]>([
    ['what is not limited', [], 'CREATE persistentvolumeclaims', claim('1Gi'), 'allowed'],
    [
      'without a quota',
      [],
      'CREATE persistentvolumeclaims',
      gold,
      '403 persistentvolumeclaims "v" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/persistentvolumeclaims,gold.storageclass.storage.k8s.io/requests.storage',
    ],
    [
      'with a quota for some of it',
      [quota({ [covers]: '1Gi' }, { [covers]: '0' })],
      'CREATE persistentvolumeclaims',
      gold,
      '403 persistentvolumeclaims "v" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/persistentvolumeclaims',
    ],
    [
      'a class without a quota',
      [],
      'CREATE pods',
      pod({ priorityClassName: 'high' }),
      '500 insufficient quota to match these scopes: [{PriorityClass In [high]}]',
    ],
    [
      'a class with a quota',
      [quota({ pods: '1' }, { pods: '0' }, { scopeSelector: { matchExpressions: [high] } })],
      'CREATE pods',
      pod({ priorityClassName: 'high' }),
      'allowed',
    ],
    ['another class', [], 'CREATE pods', pod({ priorityClassName: 'low' }), 'allowed'],
  ])('%s', async (_what, quotas, what, object, expected) => {
    const plugin = pluginIn('ResourceQuota', { ...store(quotas).world, config });
    expect(await verdictOf(plugin, request(what, { object }))).toBe(expected);
  });
});
