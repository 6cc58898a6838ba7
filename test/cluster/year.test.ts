import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import type { Loose } from '../controllers/bench.ts';

const YEAR = 365 * 86_400_000;

test(
  'a year of an idle cluster passes quickly: its nodes stay ready, and it works afterwards',
  { timeout: 60_000 },
  async () => {
    const cluster = await createCluster({ name: 'year', clock: 'manual', storage: 'memory', seed: 1, nodes: 3 });
    const ask = async (path: string): Promise<Loose> => (await cluster.transportAs('admin')(path)).json();
    await cluster.clock.step(60_000);
    const before = cluster.storage.revision;
    await cluster.clock.step(YEAR);
    const nodes: Loose[] = (await ask('/api/v1/nodes')).items;
    const ready = (node: Loose): string => node.status.conditions.find((c: Loose) => c.type === 'Ready').status;
    expect(nodes.map(ready)).toEqual(['True', 'True', 'True']);
    expect(nodes.flatMap((node) => node.spec.taints ?? [])).toEqual([]);
    const leases: Loose[] = (await ask('/apis/coordination.cluster.io/v1/namespaces/cluster-node-lease/leases')).items;
    for (const { spec } of leases) expect(cluster.clock.now() - Date.parse(spec.renewTime)).toBeLessThan(60_000);
    // Work is that of what happened: a few writes for each node, not one for each ten seconds.
    expect(cluster.storage.revision - before).toBeLessThan(100);
    await cluster.stop();
  },
);
