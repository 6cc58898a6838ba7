/** A day of heartbeats: what is kept must not grow with the time that has passed. */
import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, openStorage, type Op } from '../../src/storage/index.ts';

const NODES = 50;
const DAY_MS = 24 * 3_600_000;
const BEAT_MS = 10_000;

/** A lease as an agent renews it. */
const beat = (node: number, at: number): Op => ({
  type: 'put',
  key: `/registry/leases/node-lease/node-${node}`,
  value: JSON.stringify({ metadata: { name: `node-${node}` }, spec: { renewTime: new Date(at).toISOString() } }),
});

test(
  '24 hours of the heartbeats of 50 nodes: storage holds what ten minutes of them take',
  { timeout: 120_000 },
  async () => {
    const clock = manualClock();
    const disk = memoryDisk();
    const storage = await openStorage({ backend: memoryBackend(disk), clock, keep: 5 * 60_000 });
    const bytesOnDisk = (): number =>
      Object.values(disk.tables).reduce(
        (sum, rows) => [...rows.values()].reduce((all, { length }) => all + length, sum),
        0,
      );
    const most = { revisions: 0, bytes: 0, segments: 0 };
    for (let at = 0; at < DAY_MS; at += BEAT_MS) {
      await Promise.all(Array.from({ length: NODES }, (_, node) => storage.commit([beat(node, clock.now())])));
      await clock.step(BEAT_MS);
      const { revisions, segments } = storage.stats();
      most.revisions = Math.max(most.revisions, revisions);
      most.segments = Math.max(most.segments, segments);
      most.bytes = Math.max(most.bytes, bytesOnDisk());
    }
    const inTenMinutes = (10 * 60_000 * NODES) / BEAT_MS;
    expect(storage.revision).toBe((DAY_MS / BEAT_MS) * NODES);
    expect(storage.stats().keys).toBe(NODES);
    expect(most.revisions).toBeLessThanOrEqual(inTenMinutes + NODES);
    // A log of four megabytes is taken up by a snapshot; it may be as large again until that is written.
    expect(most.bytes).toBeLessThan(10 << 20);
    expect(most.segments).toBeLessThan(1000);
    await storage.close();
  },
);

test(
  'half an hour of 50 nodes, every heartbeat written: the cluster keeps no more than after ten minutes',
  { timeout: 180_000 },
  async () => {
    const cluster = await createCluster({ name: 'beats', clock: 'manual', seed: 1, nodes: NODES });
    /** So short a step that no heartbeat of it is left out. */
    const pass = async (minutes: number): Promise<void> => {
      for (let i = 0; i < minutes; i++) await cluster.clock.step(60_000);
    };
    await pass(12);
    const before = cluster.storage.stats();
    await pass(18);
    const after = cluster.storage.stats();
    expect(after.revision - before.revision).toBeGreaterThan(18 * NODES);
    expect(after.keys).toBeLessThanOrEqual(before.keys);
    expect(after.watches).toBeLessThanOrEqual(before.watches);
    expect(after.revisions).toBeLessThan(before.revisions * 1.5);
    await cluster.stop();
  },
);
