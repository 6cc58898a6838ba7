import { expect, test } from 'vitest';
import { readWatch, type WatchEvent } from '../../src/client/watch.ts';
import { StatusError, type ApiObject, type Status } from '../../src/schema/index.ts';
import { EventsResponse, Handover, type SharedEvent } from '../../src/std/index.ts';

const gone: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'old', code: 410 };

const pod = (name: string): object => Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata: { name } });

const event = (type: string, object: object): SharedEvent => ({
  ...{ type, object },
  bytes: () => new TextEncoder().encode(`${JSON.stringify({ type, object })}\n`),
});

interface Watched {
  readonly events: Handover<SharedEvent>;
  readonly told: { cancelled: number };
  readonly response: Response;
}

function watched(...given: readonly SharedEvent[]): Watched {
  const told = { cancelled: 0 };
  const events = new Handover<SharedEvent>(
    99,
    () => undefined,
    () => told.cancelled++,
  );
  for (const one of given) events.give(one);
  return { events, told, response: new EventsResponse(events, {}) };
}

async function readAll(response: Response): Promise<WatchEvent[][]> {
  const batches: WatchEvent[][] = [];
  for await (const batch of readWatch<ApiObject>(response)) batches.push([...batch]);
  return batches;
}

test('objects in one process equal their serialized form', async () => {
  const given = [event('ADDED', pod('a')), event('MODIFIED', pod('b')), event('BOOKMARK', pod(''))];
  const [objects, bytes] = [watched(...given), watched(...given)];
  objects.events.close();
  bytes.events.close();
  const read = await readAll(objects.response);
  expect(read.flat()).toEqual((await readAll(new Response(bytes.response.body))).flat());
  expect(read.flat()[0]?.object).toBe(given[0]?.object);
});

test('events that arrived together are yielded together', async () => {
  const { events, response } = watched(event('ADDED', pod('a')), event('ADDED', pod('b')));
  const reader = readWatch<ApiObject>(response);
  expect((await reader.next()).value).toHaveLength(2);
  events.give(event('ADDED', pod('c')));
  expect((await reader.next()).value).toHaveLength(1);
});

test('an ERROR event is thrown after the events before it', async () => {
  const { response } = watched(event('ADDED', pod('a')), event('ERROR', gone), event('ADDED', pod('b')));
  const reader = readWatch<ApiObject>(response);
  expect((await reader.next()).value).toHaveLength(1);
  await expect(reader.next()).rejects.toThrow(StatusError);
});

test('an ERROR event alone is thrown at once', async () => {
  await expect(readWatch(watched(event('ERROR', gone)).response).next()).rejects.toThrow(StatusError);
});

test('stopping reading ends the watch', async () => {
  const { response, told } = watched(event('ADDED', pod('a')));
  const reader = readWatch(response);
  await reader.next();
  await reader.return(undefined);
  expect(told.cancelled).toBe(1);
});
