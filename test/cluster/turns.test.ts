/** What people ask is answered between the components' own requests, however many of these there are. */
import { expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import { administrator, createCluster, type Cluster } from '../../src/cluster/index.ts';
import { inTurn, Turns } from '../../src/cluster/turns.ts';
import { controllers } from '../../src/controllers/index.ts';
import { manualClock, yieldToTasks } from '../../src/std/index.ts';

const REPLICAS = 200;

/** Pods need no service account, which may not be there yet. */
const apiserver = ['--authorization-mode=AlwaysAllow', '--disable-admission-plugins=ServiceAccount'];

const replicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

async function ask(cluster: Cluster, path: string, body?: object): Promise<unknown> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const as = { ...administrator, name: cluster.names.fill(administrator.name) };
  return (await cluster.fetch(new Request(`http://x${path}`, init), { as, from: 'page' })).json();
}

interface PodList {
  readonly items: readonly unknown[];
  readonly metadata: { readonly remainingItemCount?: number };
}

/** How many pods a person sees. */
async function podCount(cluster: Cluster): Promise<number> {
  const list = (await ask(cluster, '/api/v1/namespaces/default/pods?limit=1')) as PodList;
  return list.items.length + (list.metadata.remainingItemCount ?? 0);
}

/** The pods that a replica set creates in one turn, where somebody follows the requests, and where nobody does. */
test.each([
  ['two pods while requests are followed', true, 2],
  ['32 pods', false, 32],
])('between two requests of a person a large replica set creates at most %s', async (_, isFollowed, most) => {
  const cluster = await createCluster({ name: 'turns', seed: 1, apiserver });
  if (isFollowed) cluster.trace.listen(() => undefined, ['request']);
  try {
    await ask(cluster, '/apis/apps/v1/namespaces/default/replicasets', replicaSet);
    const jumps: number[] = [];
    for (let before = 0; before < REPLICAS;) {
      await yieldToTasks();
      const after = await podCount(cluster);
      jumps.push(after - before);
      before = after;
    }
    expect(Math.max(...jumps)).toBeLessThanOrEqual(most);
  } finally {
    await cluster.stop();
  }
});

/** Makes a replica set whose pods run on nodes; resolves with how many of them a watch has shown before their containers ran. */
async function shownEarly(cluster: Cluster, name: string, replicas: number): Promise<number> {
  const as = { ...administrator, name: cluster.names.fill(administrator.name) };
  const watch = await cluster.fetch(
    new Request(`http://x/api/v1/namespaces/default/pods?watch=1&labelSelector=app%3D${name}`),
    { as, from: 'page' },
  );
  const labels = { app: name };
  const template = { ...replicaSet.spec.template, metadata: { labels } };
  await ask(cluster, '/apis/apps/v1/namespaces/default/replicasets', {
    ...replicaSet,
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
  const early = new Set<string>();
  const running = new Set<string>();
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of watch.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { object } = JSON.parse(line) as { readonly object: Pod };
      if (object.status.phase === 'Running') running.add(object.metadata.name);
      else if (object.status.containerStatuses) early.add(object.metadata.name);
    }
    if (running.size === replicas) break;
  }
  return early.size;
}

test('pods that start are shown before their containers run, but where hundreds start at once most are not', async () => {
  const cluster = await createCluster({ name: 'crowd', apiserver, nodes: 24 });
  try {
    expect(await shownEarly(cluster, 'few', 10)).toBe(10);
    expect(await shownEarly(cluster, 'many', 800)).toBeLessThan(400);
  } finally {
    await cluster.stop();
  }
});

test('what nodes depend on does not wait for the pods that start', async () => {
  const sent: string[] = [];
  const transportFor = inTurn(
    (identity) => () => {
      sent.push(identity);
      return Promise.resolve(new Response());
    },
    new Turns(manualClock(0)),
  );
  const agents = Array.from({ length: 300 }, () => transportFor('agent')('/'));
  const health = transportFor('lifecycle', undefined, 'health')('/');
  const background = transportFor('discovery', undefined, 'background')('/');
  await Promise.all([...agents, health, background]);
  expect(sent.indexOf('lifecycle')).toBe(2);
  expect(sent.at(-1)).toBe('discovery');
});

test('nodes depend on the controllers that give them addresses and taints', () => {
  const keeping = controllers.filter(({ keepsNodes }) => keepsNodes);
  expect(keeping.map(({ name }) => name).sort()).toEqual(['nodeipam', 'nodelifecycle']);
});
