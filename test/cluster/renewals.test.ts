/**
 * The leases of many nodes are renewed together, and so are their reports written. Nobody can tell them from updates and
 * patches: the same work on two clusters with one seed, of which one is traced so that each of them is a request, leaves
 * the same objects, revisions, events and counts.
 */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Cluster, ClusterOptions, TraceEvent } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';

const NODES = 44;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const FAULTS = 'simulation.vitrine.dev';
const CHECKED = 'application/merge-patch+json';
const LEASE_PATH = `${LEASES}/`;

async function send(
  cluster: Cluster,
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
): Promise<string> {
  const request = new Request(`http://test${path}`, {
    method,
    headers: { authorization: 'Bearer admintoken', 'content-type': type, 'user-agent': 'test' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await cluster.fetch(request)).text();
}

/** Everything that a watch of all leases is told. */
async function watched(cluster: Cluster): Promise<() => Promise<string>> {
  const stop = new AbortController();
  const headers = { authorization: 'Bearer admintoken' };
  const response = await cluster.fetch(
    new Request(`http://test${LEASES}?watch=1&allowWatchBookmarks=1`, { headers, signal: stop.signal }),
  );
  const text = response.text();
  return () => {
    stop.abort();
    return text;
  };
}

type Action = (cluster: Cluster, node: string) => Promise<unknown>;

const patchLease =
  (change: unknown, agent = 'test'): Action =>
  (cluster, node) =>
    send(cluster, 'PATCH', `${LEASES}/${node}?fieldManager=${agent}`, change, CHECKED);
const patchNode =
  (change: unknown, below = '', type = CHECKED): Action =>
  (cluster, node) =>
    send(cluster, 'PATCH', `/api/v1/nodes/${node}${below}?fieldManager=test`, change, type);
const fault =
  (kind: string, value: string | null): Action =>
  (cluster, node) =>
    send(
      cluster,
      'PATCH',
      `/api/v1/nodes/${node}`,
      { metadata: { annotations: { [`${FAULTS}/${kind}`]: value } } },
      CHECKED,
    );

const STRATEGIC = 'application/strategic-merge-patch+json';
const OLD = '2025-12-31T00:00:00Z';

/** What keeps the next report of a node from being written with those of others. */
const NODE_ACTIONS: Readonly<Record<string, Action>> = {
  'report for the node': patchNode(
    { status: { conditions: [{ type: 'Ready', lastHeartbeatTime: OLD }] } },
    '/status',
    STRATEGIC,
  ),
  'add a condition': patchNode(
    { status: { conditions: [{ type: 'NetworkUnavailable', status: 'False', lastHeartbeatTime: OLD }] } },
    '/status',
    STRATEGIC,
  ),
  'drop the owners of the node': patchNode({ metadata: { managedFields: [{}] } }),
  'hold the node and delete it': async (cluster, node) => {
    await patchNode({ metadata: { finalizers: ['test.io/held'] } })(cluster, node);
    await send(cluster, 'DELETE', `/api/v1/nodes/${node}`);
  },
  'add to its capacity': patchNode({ status: { capacity: { 'test.io/gpu': '2' } } }, '/status'),
};

/** What happens between two heartbeats. */
const ACTIONS: Readonly<Record<string, Action>> = {
  ...NODE_ACTIONS,
  'label the node': patchNode({ metadata: { labels: { a: 'b' } } }),
  nothing: () => Promise.resolve(),
  annotate: patchLease({ metadata: { annotations: { note: 'here' } } }),
  'take the field over': patchLease({ spec: { renewTime: '2026-01-01T00:00:00.000000Z' } }),
  'change the duration': patchLease({ spec: { leaseDurationSeconds: 41 } }),
  'drop the owners of fields': patchLease({ metadata: { managedFields: [] } }),
  'become the agent': patchLease({ metadata: { labels: { a: 'b' } } }, 'kubelet'),
  'delete the lease': (cluster, node) => send(cluster, 'DELETE', `${LEASES}/${node}`),
  'delete the node': (cluster, node) => send(cluster, 'DELETE', `/api/v1/nodes/${node}`),
  split: fault('split', 'true'),
  heal: fault('split', null),
  'go down': fault('down', 'true'),
  'come back': fault('down', null),
  press: fault('pressure', 'memory'),
  'set a quota': (cluster) =>
    send(cluster, 'POST', '/api/v1/namespaces/kube-node-lease/resourcequotas', {
      metadata: { name: 'q' },
      spec: { hard: { 'count/leases.coordination.k8s.io': '1000' } },
    }),
  'lift the quota': (cluster) => send(cluster, 'DELETE', '/api/v1/namespaces/kube-node-lease/resourcequotas/q'),
  'take away a right': (cluster) =>
    send(cluster, 'PATCH', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node', { rules: [] }, CHECKED),
  'wait for some minutes': (cluster) => cluster.clock.step(290_000),
  'wait for an hour': (cluster) => cluster.clock.step(3_600_000),
};

interface Step {
  readonly action: string;
  readonly node: number;
  readonly beats: number;
}

interface Seen {
  readonly changes: readonly string[];
  readonly objects: readonly string[];
  readonly watch: string;
  readonly metrics: string;
  readonly next: number;
  /** How many revisions of leases and of nodes were written together. */
  readonly together: { readonly renewals: number; readonly reports: number };
}

async function play(steps: readonly Step[], options: Partial<ClusterOptions>, isTraced: boolean): Promise<Seen> {
  const cluster = await createCluster({
    ...{ name: 'renewals', naming: 'k8s.io', clock: 'manual', seed: 7, storage: 'memory', nodes: NODES },
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
    ...options,
  });
  try {
    if (isTraced) cluster.trace.listen(() => undefined, ['request']);
    const together = { renewals: 0, reports: 0 };
    cluster.trace.listen(
      (event) => {
        if (event.topic === 'together' && (event.what === 'renewals' || event.what === 'reports'))
          together[event.what] += event.count;
      },
      ['together'],
    );
    await send(cluster, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'nodes' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    });
    // With a quota, events of nodes are never created together: the order of writes, and so their uids, would differ.
    await send(cluster, 'POST', '/api/v1/namespaces/default/resourcequotas', {
      ...{ metadata: { name: 'q' }, spec: { hard: { 'count/configmaps': '1000' } } },
    });
    await cluster.clock.step(45_000);
    const stopWatching = await watched(cluster);
    const from = cluster.storage.revision;
    Object.assign(together, { renewals: 0, reports: 0 });
    for (const { action, node, beats } of steps) {
      await ACTIONS[action]?.(cluster, `node-${node}`);
      for (let i = 0; i < beats; i++) await cluster.clock.step(10_000);
    }
    const watch = await stopWatching();
    const { start, end } = { start: '/', end: '0' };
    const changes = cluster.storage.changesSince(Math.max(from, cluster.storage.compacted));
    return {
      changes: changes.map(
        ({ type, revision, key, entry }) => `${revision} ${type} ${key} ${entry?.version} ${entry?.value}`,
      ),
      objects: cluster.storage.range({ start, end }).entries.map((entry) => JSON.stringify(entry)),
      watch,
      metrics: await send(cluster, 'GET', '/metrics'),
      next: cluster.clock.now(),
      together,
    };
  } finally {
    await cluster.stop();
  }
}

const step = fc.record({
  action: fc.constantFrom(...Object.keys(ACTIONS)),
  node: fc.integer({ min: 1, max: NODES }),
  beats: fc.integer({ min: 0, max: 3 }),
});

const OPTIONS: readonly Partial<ClusterOptions>[] = [
  { apiserver: ['--token-auth-file=tokens.csv', '--authorization-mode=RBAC'] },
  {
    apiserver: [
      '--token-auth-file=tokens.csv',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
    ],
  },
  {
    apiserver: [
      '--token-auth-file=tokens.csv',
      '--authorization-mode=AlwaysAllow',
      '--enable-priority-and-fairness=false',
    ],
  },
];

/** The first lines that differ. */
const differences = (some: readonly string[], others: readonly string[]): readonly string[] =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, i) => i)
    .filter((i) => some[i] !== others[i])
    .slice(0, 5)
    .flatMap((i) => [`+ ${some[i]}`, `- ${others[i]}`]);

/**
 * What happened to each object, in order. A lease that has to be updated may come before or after those of other nodes,
 * so revisions and what is made from random numbers differ.
 */
const byObject = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => line.replace(/^\d+ /, '').replace(/"resourceVersion":"\d+"/g, '"resourceVersion":""'))
    .map((line) => line.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uid'))
    .map((line, i) => ({ name: /"name":"[^"]*"/.exec(line)?.[0] ?? '', line, i }))
    .sort((a, b) => (a.name === b.name ? a.i - b.i : a.name < b.name ? -1 : 1))
    .map(({ line }) => line);

/** How often controllers are woken depends on what they are told of at once. */
const looselySeen = ({ changes, objects, watch, metrics, ...rest }: Seen): Seen => ({
  ...rest,
  metrics: metrics.replace(/^workqueue_.*\n/gm, ''),
  changes: byObject(changes),
  objects: byObject(objects.map((text) => text.replace(/"(created|revision)":\d+/g, ''))),
  watch: byObject(watch.split('\n')).join('\n'),
});

async function compare(
  steps: readonly Step[],
  options: Partial<ClusterOptions>,
  inOrder: boolean,
): Promise<Seen['together']> {
  const seen = inOrder ? (one: Seen): Seen => one : looselySeen;
  const together = seen(await play(steps, options, false));
  const apart = seen(await play(steps, options, true));
  expect(apart.together).toEqual({ renewals: 0, reports: 0 });
  expect(differences(together.changes, apart.changes)).toEqual([]);
  expect(differences(together.objects, apart.objects)).toEqual([]);
  expect(differences(together.watch.split('\n'), apart.watch.split('\n'))).toEqual([]);
  expect(differences(together.metrics.split('\n'), apart.metrics.split('\n'))).toEqual([]);
  expect(together.next).toBe(apart.next);
  return together.together;
}

test('leases that are renewed together, with nothing else', { timeout: 60_000 }, async () => {
  for (const options of OPTIONS)
    expect(await compare([{ action: 'nothing', node: 1, beats: 5 }], options, true)).toEqual({
      ...{ renewals: 5 * NODES, reports: 0 },
    });
});

test(
  'heartbeats that are written into the status of all nodes together, beside the renewals',
  { timeout: 60_000 },
  async () => {
    for (const options of OPTIONS)
      expect(await compare([{ action: 'wait for some minutes', node: 1, beats: 4 }], options, false)).toEqual({
        ...{ renewals: 33 * NODES, reports: NODES },
      });
  },
);

test.each([...Object.keys(NODE_ACTIONS), 'label the node', 'press', 'split'])(
  'one node may differ: %s',
  { timeout: 60_000 },
  async (action) => {
    const steps = [
      { action, node: 7, beats: 1 },
      { action: 'wait for some minutes', node: 1, beats: 4 },
    ];
    const { reports } = await compare(steps, OPTIONS[0] ?? {}, false);
    expect(reports).toBeGreaterThanOrEqual(NODES - 1);
  },
);

test('what is renewed and reported together, with other work', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.constantFrom(...OPTIONS), async (steps, options) => {
      await compare(steps, options, false);
    }),
    { numRuns: 5 },
  );
});

test('whoever listens for renewals is told of their sums, until somebody wants each of them as a request', async () => {
  const cluster = await createCluster({
    ...{ name: 'sums', naming: 'k8s.io', clock: 'manual', seed: 7, storage: 'memory', nodes: NODES },
    apiserver: ['--authorization-mode=AlwaysAllow'],
  });
  onTestFinished(() => cluster.stop());
  await cluster.clock.step(45_000);
  let events: TraceEvent[] = [];
  const told = (): { sums: number; requests: number; revision: number | undefined } => {
    const renewals = events.filter((event) => event.topic === 'together');
    const updates = events.filter(
      (event) => event.topic === 'request' && event.stage === 'received' && event.url.includes(LEASE_PATH),
    );
    events = [];
    const sums = renewals.reduce((sum, { count }) => sum + count, 0);
    return { sums, requests: updates.length, revision: renewals.at(-1)?.revision };
  };
  cluster.trace.listen((event) => events.push(event), ['request', 'together']);
  await cluster.clock.step(10_000);
  expect(told()).toEqual({ sums: NODES, requests: 0, revision: cluster.storage.revision });
  const end = cluster.trace.listen(() => undefined, ['request']);
  await cluster.clock.step(10_000);
  expect(told()).toEqual({ sums: 0, requests: NODES, revision: undefined });
  end();
  await cluster.clock.step(10_000);
  expect(told()).toMatchObject({ sums: NODES, requests: 0 });
});
