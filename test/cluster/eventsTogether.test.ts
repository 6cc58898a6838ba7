/**
 * Events of the components that wait are created together. Nobody can tell that from requests: the same work on two
 * clusters with one seed, of which one is traced so that each event is a request, leaves the same events and counts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';

const ADMINISTRATOR = { authorization: 'Bearer admintoken', 'user-agent': 'test' };

async function send(cluster: Cluster, method: string, path: string, body?: unknown): Promise<string> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const request = new Request(`http://test${path}`, {
    ...{ method, headers: { ...ADMINISTRATOR, 'content-type': type } },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await cluster.fetch(request)).text();
}

type Action = (cluster: Cluster) => Promise<unknown>;

/** The name of a pod whose events would have names that are too long. */
const LONG = 'p'.repeat(240);

const quota = (hard: Readonly<Record<string, string>>): Action => {
  return (cluster) =>
    send(cluster, 'POST', '/api/v1/namespaces/work/resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
};
const role = (name: string, rules: readonly unknown[]): Action => {
  return (cluster) => send(cluster, 'PATCH', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`, { rules });
};
const webhook = (kind: 'mutating' | 'validating'): Action => {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['events'] }];
  const clientConfig = { url: 'https://nobody.invalid/' };
  const hook = { name: 'a.b.c', rules, clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  return (cluster) =>
    send(cluster, 'POST', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
      ...{ metadata: { name: 'w' }, webhooks: [{ ...hook, failurePolicy: 'Ignore', timeoutSeconds: 1 }] },
    });
};

/** What happens before more pods are created. */
const ACTIONS: Readonly<Record<string, Action>> = {
  nothing: () => Promise.resolve(),
  'limit the events': quota({ 'count/events': '30' }),
  'limit the pods': quota({ pods: '20' }),
  'lift the limit': (cluster) => send(cluster, 'DELETE', '/api/v1/namespaces/work/resourcequotas/q'),
  'delete the namespace': (cluster) => send(cluster, 'DELETE', '/api/v1/namespaces/work'),
  'take the rights of nodes away': role('system:node', []),
  'take the rights of the scheduler away': role('system:kube-scheduler', []),
  'call a mutating webhook': webhook('mutating'),
  'call a validating webhook': webhook('validating'),
};

interface Step {
  readonly action: string;
  readonly pods: number;
  /** Which of the pods has a name that is too long for its events; none if there are fewer. */
  readonly long: number;
}

interface Left {
  readonly events: readonly string[];
  readonly watch: readonly string[];
  readonly counts: readonly string[];
}

/** An event without what hangs on the order of other writes. */
function shown(event: unknown): string {
  const text = JSON.stringify(event, (key, value: unknown) =>
    key === 'uid' || key === 'resourceVersion' ? undefined : value,
  );
  return text.replace(/("name":"[^"]+)\.[0-9a-f]{16}"/, '$1"');
}

const pod = (name: string): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});

async function play(steps: readonly Step[], isTraced: boolean): Promise<Left & { readonly together: number }> {
  const cluster = await createCluster({
    ...{ name: 'events', naming: 'k8s.io', clock: 'manual', seed: 7, storage: 'memory', nodes: 1 },
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
    apiserver: ['--authorization-mode=RBAC', '--token-auth-file=tokens.csv'],
  });
  try {
    let together = 0;
    cluster.trace.listen(
      (event) => {
        if (event.topic === 'together' && event.what === 'events') together += event.count;
      },
      isTraced ? ['request'] : ['together'],
    );
    await send(cluster, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'nodes' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    });
    await send(cluster, 'POST', '/api/v1/namespaces', { metadata: { name: 'work' } });
    await cluster.clock.step(20_000);
    const stop = new AbortController();
    const watching = new Request('http://test/api/v1/events?watch=1', { headers: ADMINISTRATOR, signal: stop.signal });
    const watched = (await cluster.fetch(watching)).text();
    for (const [round, { action, pods, long }] of steps.entries()) {
      await ACTIONS[action]?.(cluster);
      const names = Array.from({ length: pods }, (_, i) => (i === long ? `${LONG}${round}` : `p-${round}-${i}`));
      await Promise.all(names.map((name) => send(cluster, 'POST', '/api/v1/namespaces/work/pods', pod(name))));
      await cluster.clock.step(8000);
    }
    stop.abort();
    const list = JSON.parse(await send(cluster, 'GET', '/api/v1/events')) as { readonly items: readonly unknown[] };
    const metrics = await send(cluster, 'GET', '/metrics');
    const isCount = (line: string): boolean => /(resource="events".*verb="POST"|type="Event")/.test(line);
    return {
      events: list.items.map(shown).sort(),
      watch: (await watched)
        .split('\n')
        .filter(Boolean)
        .map((line) => shown(JSON.parse(line)))
        .sort(),
      counts: metrics
        .split('\n')
        .filter((line) => isCount(line) && /(_total|_count)\{/.test(line))
        .sort(),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

/** Plays the steps both ways and compares what is left; returns how many events were created together. */
async function compare(steps: readonly Step[]): Promise<number> {
  const { together, ...left } = await play(steps, false);
  const { together: none, ...plain } = await play(steps, true);
  expect(left).toEqual(plain);
  expect(none).toBe(0);
  return together;
}

const calm = { action: 'nothing', pods: 70, long: 99 };

test('events of many pods', { timeout: 60_000 }, async () => {
  expect(await compare([calm])).toBeGreaterThan(40);
});

test('an event that is refused between others', { timeout: 60_000 }, async () => {
  expect(await compare([{ ...calm, long: 12 }])).toBeGreaterThan(20);
});

test.each(Object.keys(ACTIONS))('events after somebody did this: %s', { timeout: 60_000 }, async (action) => {
  await compare([calm, { ...calm, action }]);
});

test('events between other work', { timeout: 300_000 }, async () => {
  const step = fc.record({
    action: fc.constantFrom(...Object.keys(ACTIONS)),
    pods: fc.integer({ min: 0, max: 40 }),
    long: fc.integer({ min: 0, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      await compare(steps);
    }),
    { numRuns: 5 },
  );
});
