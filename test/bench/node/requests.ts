import type { Cluster } from '../../../src/cluster/index.ts';
import { configMap, headers } from '../objects.ts';
import type { Measured, Row } from '../row.ts';
import { byTurns, concurrently, perSecond, rate, timed } from '../row.ts';
import { onCluster } from './onCluster.ts';

const path = 'http://bench.local/api/v1/namespaces/default/configmaps';

async function create(cluster: Cluster, name: string): Promise<void> {
  const response = await cluster.fetch(new Request(path, { method: 'POST', headers, body: configMap(name) }));
  if (response.status !== 201) throw new Error(`create: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** The least that any answer costs: a body parsed, a body written, and a Request and a Response around them. */
async function bareAnswer(body: string): Promise<void> {
  const request = new Request(path, { method: 'POST', headers, body });
  const response = new Response(JSON.stringify(JSON.parse(await request.text())), { status: 201 });
  await response.arrayBuffer();
}

const reads = 2_000;

async function compareReads(cluster: Cluster, url: string, unit: string, count: number): Promise<Measured> {
  const read = async (): Promise<void> => {
    await (await cluster.fetch(new Request(url, { headers }))).arrayBuffer();
  };
  const body = await (await cluster.fetch(new Request(url, { headers }))).text();
  const measured = await byTurns(
    async () => rate(count, await timed(() => concurrently(count, 50, read))),
    async () =>
      rate(
        count,
        await timed(() => concurrently(count, 50, async () => void (await new Response(body).arrayBuffer()))),
      ),
  );
  return {
    subject: perSecond(measured.subject, unit),
    reference: perSecond(measured.reference, 'bare responses'),
    ratio: measured.reference / measured.subject,
  };
}

export const requestRows: readonly Row[] = [
  {
    name: 'create, 100 in flight',
    aim: 'within 10× of parsing and writing the same body',
    run: () =>
      onCluster(async (cluster) => {
        let made = 0;
        const measured = await byTurns(
          async () => rate(1000, await timed(() => concurrently(1000, 100, () => create(cluster, `c${made++}`)))),
          async () => rate(1000, await timed(() => concurrently(1000, 100, () => bareAnswer(configMap('c'))))),
        );
        return {
          subject: perSecond(measured.subject, 'creates'),
          reference: perSecond(measured.reference, 'bare answers'),
          ratio: measured.reference / measured.subject,
        };
      }),
  },
  {
    name: 'get, 50 in flight',
    aim: 'within 5× of a bare response',
    run: () =>
      onCluster(async (cluster) => {
        await create(cluster, 'one');
        return compareReads(cluster, `${path}/one`, 'gets', reads);
      }),
  },
  {
    name: 'list of 500 objects',
    aim: 'within 5× of a bare response of that size',
    run: () =>
      onCluster(async (cluster) => {
        await concurrently(500, 50, (i) => create(cluster, `c${i}`));
        return compareReads(cluster, path, 'lists', 50);
      }),
  },
  {
    name: 'one write to 200 watchers',
    aim: 'all have it within 20 ms, ≥ 50 000 deliveries/s',
    run: () => onCluster(fanOut),
  },
];

const watchers = 200;
const writes = 20;

/** How fast writes reach many watchers, against handing the same bytes to as many streams that nobody serves. */
async function fanOut(cluster: Cluster): Promise<Measured> {
  const readers = await Promise.all(Array.from({ length: watchers }, () => openWatch(cluster)));
  let made = 0;
  const deliver = async (): Promise<number> => {
    const ms = await timed(async () => {
      for (let i = 0; i < writes; i++) {
        const arrived = Promise.all(readers.map((reader) => reader.read()));
        await create(cluster, `f${made++}`);
        await arrived;
      }
    });
    return rate(watchers * writes, ms);
  };
  const chunk = new TextEncoder().encode(configMap('f'));
  const bare = async (): Promise<number> => {
    const sinks: ReadableStreamDefaultController<Uint8Array>[] = [];
    const open = (): ReadableStreamDefaultReader<Uint8Array> =>
      new ReadableStream<Uint8Array>({ start: (controller) => void sinks.push(controller) }).getReader();
    const streams = Array.from({ length: watchers }, open);
    const ms = await timed(async () => {
      for (let i = 0; i < writes; i++) {
        const arrived = Promise.all(streams.map((reader) => reader.read()));
        for (const sink of sinks) sink.enqueue(chunk);
        await arrived;
      }
    });
    return rate(watchers * writes, ms);
  };
  const measured = await byTurns(deliver, bare);
  await Promise.all(readers.map((reader) => reader.cancel()));
  const perWrite = ((watchers * 1000) / measured.subject).toFixed(1);
  return {
    subject: `${perSecond(measured.subject, 'deliveries')} (${perWrite} ms a write)`,
    reference: perSecond(measured.reference, 'bare stream chunks'),
    ratio: measured.reference / measured.subject,
  };
}

async function openWatch(cluster: Cluster): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const list = (await (await cluster.fetch(new Request(path, { headers }))).json()) as {
    metadata: { resourceVersion: string };
  };
  const url = `${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
  const response = await cluster.fetch(new Request(url, { headers }));
  if (!response.body) throw new Error('a watch without a body');
  return response.body.getReader();
}
