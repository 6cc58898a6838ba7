import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { asRoot, smallCluster } from './flowCluster.ts';

const path = '/api/v1/namespaces/default/configmaps';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await smallCluster('--delete-collection-workers=5');
});
afterAll(() => cluster.stop());

test('several workers delete each object once, and the response lists them all', async () => {
  const names = Array.from({ length: 23 }, (_, i) => `c${String(i).padStart(2, '0')}`);
  for (const name of names) await asRoot(cluster, 'POST', path, { metadata: { name, labels: { of: 'test' } } });
  const deleted: string[] = [];
  cluster.trace.listen(
    (event) => {
      if (event.topic === 'request' && event.stage === 'stored' && event.verb === 'delete') deleted.push(event.key);
    },
    ['request'],
  );
  const answer = (await asRoot(cluster, 'DELETE', `${path}?labelSelector=of%3Dtest`)) as {
    items: { metadata: { name: string } }[];
  };
  expect(answer.items.map(({ metadata }) => metadata.name)).toEqual(names);
  const left = (await asRoot(cluster, 'GET', `${path}?labelSelector=of%3Dtest`)) as { items: unknown[] };
  expect(left.items).toEqual([]);
  expect(new Set(deleted).size).toBe(deleted.length);
});
