import { createCluster } from '../../../src/cluster/index.ts';
import { median, type Row } from '../row.ts';

const YEAR = 365 * 86_400_000;
const NODES = 50;

/** Milliseconds of the host's time for a year of an idle cluster. */
async function aYear(): Promise<number> {
  const cluster = await createCluster({ name: 'year', clock: 'manual', storage: 'memory', seed: 1, nodes: NODES });
  await cluster.clock.step(60_000);
  const from = performance.now();
  await cluster.clock.step(YEAR);
  const ms = performance.now() - from;
  await cluster.stop();
  return ms;
}

const CHANGES = 10_000;

/** Milliseconds until a revision that lies ten thousand changes back has answered its first list. */
async function openPast(): Promise<number> {
  const cluster = await createCluster({ name: 'past', clock: 'manual', storage: 'memory', seed: 1 });
  const { storage } = cluster;
  const revision = storage.revision;
  for (let i = 0; i < CHANGES; i++)
    await storage.commit([{ type: 'put', key: `/registry/bench/${i % 500}`, value: `{"i":${i}}` }]);
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const from = performance.now();
    const past = await cluster.at(revision + i);
    await past.fetch(new Request('http://bench.local/api/v1/namespaces'), { from: 'bench' });
    times.push(performance.now() - from);
    await past.stop();
  }
  await cluster.stop();
  return median(times);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const timeRows: readonly Row[] = [
  {
    name: `a year of an idle cluster of ${NODES} nodes`,
    aim: 'at most 10 s',
    run: async () => {
      const ms = await aYear();
      return { subject: seconds(ms), reference: '10 s', ratio: ms / 10_000 };
    },
  },
  {
    name: 'opening a revision 10 000 back',
    aim: 'at most 200 ms',
    run: async () => {
      const ms = await openPast();
      return { subject: `${Math.round(ms)} ms`, reference: '200 ms', ratio: ms / 200 };
    },
  },
];
