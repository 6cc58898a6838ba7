import type { RunningCluster } from '../../../src/hosts/page/index.ts';
import { createPageHost } from '../../../src/hosts/page/index.ts';
import { realClock } from '../../../src/std/index.ts';
import { indexedDbBackend, openStorage } from '../../../src/storage/index.ts';
import { clusterOptions, configMap, headers } from '../objects.ts';
import type { Measured, Row } from '../row.ts';
import { byTurns, concurrently, perSecond, rate, timed } from '../row.ts';

const path = '/api/v1/namespaces/default/configmaps';
const host = createPageHost();

async function onCluster<T>(work: (cluster: RunningCluster) => Promise<T>): Promise<T> {
  const cluster = await host.open({ name: 'bench', ...clusterOptions });
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

async function create(cluster: RunningCluster, name: string): Promise<void> {
  await (await cluster.transport(path, { method: 'POST', headers, body: configMap(name) })).arrayBuffer();
}

/** A worker that sends back what it gets: the least that any way to a worker costs. */
function echo(): { ask(message: unknown): Promise<unknown>; end(): void } {
  const worker = new Worker(new URL('./echo.ts', import.meta.url), { type: 'module' });
  const waiting: ((answer: unknown) => void)[] = [];
  worker.onmessage = ({ data }) => waiting.shift()?.(data);
  const ask = (message: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      worker.postMessage(message);
    });
  return { ask, end: () => worker.terminate() };
}

/** GETs of one address by `get`, against bare round trips that carry the same answer. */
async function compare(get: () => Promise<Response>, unit: string, count: number): Promise<Measured> {
  const answer = await (await get()).arrayBuffer();
  const bare = echo();
  await bare.ask(answer);
  const measured = await byTurns(
    async () =>
      rate(count, await timed(() => concurrently(count, 50, async () => void (await (await get()).arrayBuffer())))),
    async () => rate(count, await timed(() => concurrently(count, 50, () => bare.ask('again')))),
  );
  bare.end();
  return {
    subject: perSecond(measured.subject, unit),
    reference: perSecond(measured.reference, 'bare round trips'),
    ratio: measured.reference / measured.subject,
  };
}

const OBJECTS = 100_000;

/** Puts config maps of 2 KB beside what a cluster holds, as it would store them; nobody may have it open. */
async function fill(name: string): Promise<void> {
  const storage = await openStorage({ backend: await indexedDbBackend({ name }), clock: realClock() });
  const value = (i: number): string => {
    const uid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const metadata = { name: `c${i}`, namespace: 'default', uid, creationTimestamp: '2026-01-01T00:00:00Z' };
    return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { text: 'x'.repeat(2000) } });
  };
  const put = (i: number): Promise<unknown> =>
    storage.commit([{ type: 'put', key: `/registry/configmaps/default/c${i}`, value: value(i), expect: 0 }]);
  await concurrently(OBJECTS, 1000, put);
  await storage.close();
}

/** How long a new cluster in memory takes until it is ready, in milliseconds. */
async function openEmpty(name: string): Promise<number> {
  const started = performance.now();
  const cluster = await host.open({ name, ...clusterOptions });
  await (await cluster.transport('/readyz')).text();
  const took = performance.now() - started;
  await cluster.stop();
  return took;
}

export const transportRows: readonly Row[] = [
  {
    name: 'get through the port, 50 in flight',
    aim: 'within 3×, ≥ 5 000 requests/s',
    run: () =>
      onCluster(async (cluster) => {
        await create(cluster, 'one');
        return compare(() => cluster.transport(`${path}/one`, { headers }), 'gets', 2000);
      }),
  },
  {
    name: 'list of 500 objects through the port',
    aim: 'within 3×',
    run: () =>
      onCluster(async (cluster) => {
        await concurrently(500, 50, (i) => create(cluster, `c${i}`));
        return compare(() => cluster.transport(path, { headers }), 'lists', 50);
      }),
  },
  {
    name: 'get through the service worker, 50 in flight',
    aim: 'within 1.3× of a handler that answers at once',
    run: () =>
      onCluster(async (cluster) => {
        await create(cluster, 'one');
        const get = async (url: string): Promise<void> => void (await (await fetch(url, { headers })).arrayBuffer());
        const measured = await byTurns(
          async () => rate(300, await timed(() => concurrently(300, 50, () => get(`${cluster.base}${path}/one`)))),
          // An address below clusters/ that no cluster has is answered by the handler itself.
          async () => rate(300, await timed(() => concurrently(300, 50, () => get(`${cluster.base}-none/`)))),
        );
        return {
          subject: perSecond(measured.subject, 'gets'),
          reference: perSecond(measured.reference, 'answers at once'),
          ratio: measured.reference / measured.subject,
        };
      }),
  },
  {
    name: 'opening a cluster of 100 000 objects',
    aim: '≤ 3 s to the first answer',
    run: async () => {
      const options = { ...clusterOptions, name: 'large', storage: 'indexeddb' } as const;
      await host.remove(options.name);
      await (await host.open(options)).stop();
      await fill(options.name);
      const open = async (): Promise<number> => {
        const started = performance.now();
        const cluster = await host.open(options);
        await (await cluster.transport(`${path}/c1`, { headers })).text();
        const took = performance.now() - started;
        await cluster.stop();
        return took;
      };
      const measured = await byTurns(open, () => openEmpty('empty'), 3);
      await host.remove(options.name);
      return {
        subject: `${Math.round(measured.subject)} ms`,
        reference: `${Math.round(measured.reference)} ms for an empty one`,
        ratio: measured.subject / measured.reference,
      };
    },
  },
  {
    name: 'cold open to ready',
    aim: '≤ 1 000 ms on a warm disk cache',
    run: async () => {
      const spawn = async (): Promise<number> => {
        const bare = echo();
        const took = await timed(() => bare.ask('ready?'));
        bare.end();
        return took;
      };
      const measured = await byTurns(() => openEmpty('cold'), spawn);
      return {
        subject: `${Math.round(measured.subject)} ms`,
        reference: `${Math.round(measured.reference)} ms for an empty worker`,
        ratio: measured.subject / measured.reference,
      };
    },
  },
];
