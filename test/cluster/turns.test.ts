/** What people ask is answered between the components' own requests, however many of these there are. */
import { expect, test } from 'vitest';
import { administrator, createCluster, type Cluster } from '../../src/cluster/index.ts';
import { yieldToTasks } from '../../src/std/index.ts';

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

test('between two requests of a person a large replica set creates at most two pods', async () => {
  const cluster = await createCluster({ name: 'turns', seed: 1, apiserver });
  try {
    await ask(cluster, '/apis/apps/v1/namespaces/default/replicasets', replicaSet);
    const jumps: number[] = [];
    for (let before = 0; before < REPLICAS;) {
      await yieldToTasks();
      const after = await podCount(cluster);
      jumps.push(after - before);
      before = after;
    }
    expect(Math.max(...jumps)).toBeLessThanOrEqual(2);
  } finally {
    await cluster.stop();
  }
});
