import { QueueSet } from '../../../src/apiserver/flow/queueSet.ts';
import type { FlowRequest } from '../../../src/apiserver/flow/types.ts';
import { createCluster, type Cluster } from '../../../src/cluster/index.ts';
import { manualClock } from '../../../src/std/index.ts';
import { clusterOptions, configMap, headers } from '../objects.ts';
import { byTurns, concurrently, median, perSecond, rate, timed, type Row } from '../row.ts';

const PATH = 'http://bench.local/api/v1/namespaces/default/configmaps';
const READS = 2_000;
const OFF = ['--enable-priority-and-fairness=false', '--max-requests-inflight=0', '--max-mutating-requests-inflight=0'];

/** Somebody whom limits hold: an ordinary user who may read. */
const files = { 'tokens.csv': 'admintoken,ann,uid-ann,"readers"\n' };

async function clusterWith(...flags: readonly string[]): Promise<Cluster> {
  const apiserver = ['--token-auth-file=tokens.csv', ...flags];
  const cluster = await createCluster({ ...clusterOptions, name: 'bench', apiserver, files });
  await cluster.fetch(new Request(PATH, { method: 'POST', headers, body: configMap('one') }));
  return cluster;
}

async function readsPerSecond(cluster: Cluster): Promise<number> {
  const read = async (): Promise<void> => {
    await (await cluster.fetch(new Request(`${PATH}/one`, { headers }))).arrayBuffer();
  };
  return rate(READS, await timed(() => concurrently(READS, 50, read)));
}

const ENTRIES = 100_000;

/** Requests of a hundred users through one level of the size that the suggested ones have. */
async function seatsPerSecond(): Promise<number> {
  const observer = { waiting: () => undefined, executing: () => undefined, enqueued: () => undefined };
  const set = new QueueSet({ clock: manualClock(), waitLimit: 15_000, observer });
  set.configure({ queues: 128, handSize: 6, queueLengthLimit: 50 }, 100);
  const details = {} as FlowRequest;
  const ms = await timed(async () => {
    for (let i = 0; i < ENTRIES; i++) {
      const started = set.start({ flowSchema: 'schema', distinguisher: `user${i % 100}`, details });
      if ('admitted' in started && started.admitted) started.release();
    }
  });
  return rate(ENTRIES, ms);
}

export const flowRows: readonly Row[] = [
  {
    name: 'get by an ordinary user, limits on',
    aim: 'at most 1.1 times what it costs without limits',
    run: async () => {
      const [limited, free] = [await clusterWith(), await clusterWith(...OFF)];
      const { subject, reference } = await byTurns(
        () => readsPerSecond(limited),
        () => readsPerSecond(free),
      );
      await Promise.all([limited.stop(), free.stop()]);
      return {
        subject: perSecond(subject, 'gets'),
        reference: `${perSecond(reference, 'gets')} without limits`,
        ratio: reference / subject,
      };
    },
  },
  {
    name: 'seats given and given back, 128 queues',
    aim: 'at least 1',
    run: async () => {
      const rates = [await seatsPerSecond(), await seatsPerSecond(), await seatsPerSecond()];
      const subject = median(rates);
      return { subject: perSecond(subject, 'seats'), reference: '100 000 seats/s', ratio: subject / 100_000 };
    },
  },
];
