import { Client, execIn, readAll } from '../../../src/client/index.ts';
import type { Cluster } from '../../../src/cluster/index.ts';
import { headers, referenceOptions } from '../objects.ts';
import { byTurns, median, type Row, timed } from '../row.ts';
import { onCluster } from './onCluster.ts';

const CORE = 'http://bench.local/api/v1/namespaces/default';
const [NODES, PODS_ON_NODE, CONTAINERS_IN_POD] = [10, 100, 10];
/** Milliseconds that idle containers are watched for. */
const WATCHED = 20_000;
/** What a person may have to wait longer for a request because a container computes. */
const LONGEST_DELAY = 50;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pause = { image: 'pause', resources: { requests: { cpu: '1m' } } };

async function post(cluster: Cluster, path: string, body: unknown): Promise<void> {
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await cluster.fetch(new Request(`${CORE}/${path}`, init));
  if (!response.ok) throw new Error(await response.text());
}

async function running(cluster: Cluster, count: number): Promise<void> {
  for (;;) {
    const response = await cluster.fetch(new Request(`${CORE}/pods?fieldSelector=status.phase=Running`, { headers }));
    const { items } = (await response.json()) as { readonly items: readonly unknown[] };
    if (items.length >= count) return;
    await wait(200);
  }
}

/** Milliseconds of a core that pass in a while. */
async function cpuOf(ms: number): Promise<number> {
  const before = process.cpuUsage();
  await wait(ms);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The same of several whiles in a row, the one in the middle: a full collection of what starting left falls into one of them. */
async function usualCpu(): Promise<number> {
  return median([await cpuOf(WATCHED), await cpuOf(WATCHED), await cpuOf(WATCHED)]);
}

const idle: Row = {
  name: '10,000 idle containers',
  aim: 'less than 1 % of a core',
  run: () =>
    onCluster(
      async (cluster) => {
        const without = await usualCpu();
        const containers = Array.from({ length: CONTAINERS_IN_POD }, (_, i) => ({ name: `c${i}`, ...pause }));
        for (let i = 0; i < NODES * PODS_ON_NODE; i++) {
          const nodeName = `node-${1 + (i % NODES)}`;
          await post(cluster, 'pods', { metadata: { name: `p${i}` }, spec: { nodeName, containers } });
        }
        await running(cluster, NODES * PODS_ON_NODE);
        // What starting them left to do is done by then.
        await wait(5000);
        const used = await usualCpu();
        const percent = (ms: number): string => `${((ms / WATCHED) * 100).toFixed(2)} %`;
        return {
          subject: `${percent(used)} of a core`,
          reference: `${percent(without)} with ${NODES} empty nodes`,
          ratio: ((used - without) / WATCHED) * 100,
        };
      },
      { ...referenceOptions, nodes: NODES },
    ),
};

/** The longest of many short requests, in milliseconds. */
async function longestRequest(cluster: Cluster): Promise<number> {
  let longest = 0;
  for (let i = 0; i < 300; i++) {
    const began = performance.now();
    await (await cluster.fetch(new Request(`${CORE}/pods`, { headers }))).text();
    longest = Math.max(longest, performance.now() - began);
    await wait(5);
  }
  return longest;
}

const LOOPS = [
  'while :; do :; done',
  "awk 'BEGIN { while (1) x++ }'",
  'yes > /dev/null',
  'while :; do cat /etc/passwd | sort | grep -c root; done > /dev/null',
];

const busy: Row = {
  name: 'a request beside busy loops',
  aim: `less than 1: ${LONGEST_DELAY} ms longer`,
  run: () =>
    onCluster(
      async (cluster) => {
        await longestRequest(cluster);
        const alone = await longestRequest(cluster);
        const containers = LOOPS.map((loop, i) => ({ name: `c${i}`, image: 'busybox', command: ['sh', '-c', loop] }));
        await post(cluster, 'pods', { metadata: { name: 'busy' }, spec: { containers } });
        await running(cluster, 1);
        const beside = await longestRequest(cluster);
        return {
          subject: `${beside.toFixed(1)} ms, the longest of 300 beside ${LOOPS.length} loops`,
          reference: `${alone.toFixed(1)} ms alone`,
          ratio: (beside - alone) / LONGEST_DELAY,
        };
      },
      { ...referenceOptions, nodes: 1 },
    ),
};

/** How many commands, and how many requests, follow one another in a round. */
const ROUND_TRIPS = 50;

const exec: Row = {
  name: 'a command in a container',
  aim: 'less than 20 short requests',
  run: () =>
    onCluster(
      async (cluster) => {
        const containers = [{ name: 'c', image: 'busybox', command: ['sleep', '1000000'] }];
        await post(cluster, 'pods', { metadata: { name: 'sleeps' }, spec: { containers } });
        await running(cluster, 1);
        const client = new Client({ transport: cluster.transportAs('admin'), names: cluster.names });
        const command = async (): Promise<void> => {
          const { stdout, result } = await execIn(client, { namespace: 'default', pod: 'sleeps' }, ['echo', 'hello']);
          await readAll(stdout);
          await result;
        };
        const request = async (): Promise<void> =>
          void (await (await cluster.fetch(new Request(`${CORE}/pods/sleeps`, { headers }))).text());
        const several = (work: () => Promise<void>) => (): Promise<number> =>
          timed(async () => {
            for (let i = 0; i < ROUND_TRIPS; i++) await work();
          });
        const { subject, reference } = await byTurns(several(command), several(request));
        const each = (ms: number): string => `${(ms / ROUND_TRIPS).toFixed(2)} ms`;
        return {
          subject: `${each(subject)} from the request to the exit code`,
          reference: `${each(reference)} for reading the pod`,
          ratio: subject / reference,
        };
      },
      { ...referenceOptions, nodes: 1 },
    ),
};

export const containerRows: readonly Row[] = [exec, busy, idle];
