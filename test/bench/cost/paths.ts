import type { Cluster } from '../../../src/cluster/index.ts';
import { clone } from '../../../src/std/index.ts';
import { onCluster } from '../node/onCluster.ts';
import { clusterOf, placeAll, podNumbered } from '../node/scheduling.ts';
import { configMap, headers, pod, podStatus } from '../objects.ts';
import { concurrently } from '../row.ts';
import { podsToRunning } from './pods.ts';
import { spend, type Spent } from './spend.ts';

/** A way through the program whose cost is told, for sizes of what it may hang on. */
export interface Path {
  readonly name: string;
  /** What the size counts. */
  readonly over: string;
  readonly sizes: readonly number[];
  /** How many times the work was done, and what all of it took, at a size. */
  measure(size: number): Promise<{ readonly times: number; readonly spent: Spent }>;
}

const maps = 'http://bench.local/api/v1/namespaces/default/configmaps';
const pods = 'http://bench.local/api/v1/namespaces/default/pods';
const TIMES = 400;

async function ask(cluster: Cluster, url: string, method = 'GET', body?: string, type?: string): Promise<void> {
  const sent = { ...headers, ...(type !== undefined && { 'content-type': type }) };
  const response = await cluster.fetch(new Request(url, { method, headers: sent, ...(body && { body }) }));
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

type Verb = (cluster: Cluster, i: number) => Promise<void>;

const verbs: Readonly<Record<string, Verb>> = {
  create: (cluster, i) => ask(cluster, maps, 'POST', configMap(`new-${i}`)),
  get: (cluster, i) => ask(cluster, `${maps}/c${i % 100}`),
  update: (cluster, i) => ask(cluster, `${maps}/c${i % 100}`, 'PUT', configMap(`c${i % 100}`, 900 + i)),
  'merge patch': (cluster, i) =>
    ask(cluster, `${maps}/c${i % 100}`, 'PATCH', `{"data":{"a":"${i}"}}`, 'application/merge-patch+json'),
  apply: (cluster, i) =>
    ask(
      cluster,
      `${maps}/c${i % 100}?fieldManager=bench&force=true`,
      'PATCH',
      configMap(`c${i % 100}`, 900 + i),
      'application/apply-patch+yaml',
    ),
};

/** Does something `TIMES` times on a cluster that holds `size` objects, after as much again that isn't counted. */
const onObjects = (size: number, verb: Verb, times = TIMES): Promise<{ times: number; spent: Spent }> =>
  onCluster(async (cluster) => {
    await concurrently(size, 32, (i) => ask(cluster, maps, 'POST', configMap(`c${i}`)));
    await concurrently(times, 32, (i) => verb(cluster, i));
    return { times, spent: await spend(() => concurrently(times, 32, (i) => verb(cluster, times + i))) };
  });

/** What a node's agent writes for a pod: a strategic merge patch of its status. */
function statusPatches(size: number): Promise<{ times: number; spent: Spent }> {
  const patch = (cluster: Cluster, i: number): Promise<void> =>
    ask(
      cluster,
      `${pods}/p${i % size}/status`,
      'PATCH',
      podStatus(`run ${i}`),
      'application/strategic-merge-patch+json',
    );
  return onCluster(async (cluster) => {
    await concurrently(size, 32, (i) => ask(cluster, pods, 'POST', pod(`p${i}`)));
    await concurrently(TIMES, 32, (i) => patch(cluster, i));
    return { times: TIMES, spent: await spend(() => concurrently(TIMES, 32, (i) => patch(cluster, TIMES + i))) };
  });
}

/** One write and its way to all watchers. */
const toWatchers = (watchers: number): Promise<{ times: number; spent: Spent }> =>
  onCluster(async (cluster) => {
    const url = `${maps}?watch=1`;
    const open = (): Promise<Response> => cluster.fetch(new Request(url, { headers }));
    const bodies = (await Promise.all(Array.from({ length: watchers }, open))).map(({ body }) => body?.getReader());
    const deliver = async (i: number): Promise<void> => {
      const arrived = Promise.all(bodies.map((body) => body?.read()));
      await verbs['create']?.(cluster, i);
      await arrived;
    };
    for (let i = 0; i < 50; i++) await deliver(i);
    const spent = await spend(async () => {
      for (let i = 50; i < 150; i++) await deliver(i);
    });
    return { times: 100, spent };
  });

function scheduling(nodes: number): Promise<{ times: number; spent: Spent }> {
  const pods = Array.from({ length: 500 }, (_, i) => podNumbered(i, true));
  placeAll(clusterOf(nodes), pods);
  const cache = clusterOf(nodes);
  return spend(() => void placeAll(cache, pods)).then((spent) => ({ times: pods.length, spent }));
}

async function limit(): Promise<{ times: number; spent: Spent }> {
  const text = pod('p');
  const once = (): string => JSON.stringify(clone(JSON.parse(text)));
  for (let i = 0; i < 10_000; i++) once();
  const spent = await spend(() => {
    for (let i = 0; i < 10_000; i++) once();
  });
  return { times: 10_000, spent };
}

export const paths: readonly Path[] = [
  { name: 'limit: parse, copy and write a pod', over: '', sizes: [1], measure: limit },
  ...Object.entries(verbs).map(([name, verb]): Path => ({
    ...{ name, over: 'objects', sizes: [100, 400, 1600] },
    measure: (size) => onObjects(size, verb),
  })),
  { name: 'status patch of a pod', over: 'pods', sizes: [100, 400, 1600], measure: statusPatches },
  {
    ...{ name: 'list', over: 'objects', sizes: [100, 400, 1600] },
    measure: (size) => onObjects(size, (cluster) => ask(cluster, maps), 20),
  },
  { name: 'write, delivered', over: 'watchers', sizes: [1, 10, 100], measure: toWatchers },
  { name: 'scheduling cycle, mixed pods', over: 'nodes', sizes: [100, 400, 1600], measure: scheduling },
  {
    ...{ name: 'pod, created to Running on 20 nodes', over: 'pods', sizes: [100, 200, 400] },
    measure: async (pods) => ({ times: pods, spent: await podsToRunning(pods, 20) }),
  },
];
