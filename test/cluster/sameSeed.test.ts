/** The same seed and commands give the same bytes: every object with its uids, names, revisions, and the cluster's own keys. */
import { afterEach, expect, test } from 'vitest';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import { Bench, deployment, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const running: Bench[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((bench) => bench.stop()));
});

/** All that storage holds after a day's usual commands: each key with its revision and bytes. */
async function play(options: Partial<ClusterOptions>): Promise<ReadonlyMap<string, string>> {
  const bench = await Bench.start({ nodes: 2, ...options });
  running.push(bench);
  await bench.create(DEPLOYMENTS, deployment('web', 3));
  await bench.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await bench.create('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await bench.until(PODS, ({ items }) => items.length === 3 && items.every(isRunning));
  await bench.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 5, template: { metadata: { labels: { v: '2' } } } } });
  await bench.until(
    `${DEPLOYMENTS}/web`,
    ({ status }) => status.updatedReplicas === 5 && status.availableReplicas === 5,
  );
  await bench.create('/apis/batch/v1/namespaces/default/jobs', {
    metadata: { generateName: 'once-' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } },
  });
  await bench.delete('/api/v1/namespaces/shop');
  await bench.gone('/api/v1/namespaces/shop');
  await bench.advance(60_000, 1000);
  const { entries } = bench.cluster.storage.range({ start: '', end: '\uffff' });
  return new Map(entries.map(({ key, revision, value }) => [key, `${revision} ${value}`]));
}

const isRunning = ({ status }: Loose): boolean => status.phase === 'Running';

test('the same seed twice', { timeout: 240_000 }, async () => {
  // The first cluster of a process fetches and learns what later ones find there, which moves some work by a turn.
  await play({ seed: 6 });
  const [first, second] = [await play({ seed: 7 }), await play({ seed: 7 })];
  expect(first.size).toBeGreaterThan(200);
  expect([...second.keys()]).toEqual([...first.keys()]);
  const differing = [...first].filter(([key, bytes]) => second.get(key) !== bytes);
  expect(differing).toEqual([]);
});

test('another seed gives different keys and uids', { timeout: 240_000 }, async () => {
  const [first, second] = [await play({ seed: 7 }), await play({ seed: 8 })];
  for (const key of ['/vitrine/pki/ca.key', '/vitrine/pki/sa.key', '/registry/namespaces/default'])
    expect(second.get(key), key).not.toBe(first.get(key));
});
