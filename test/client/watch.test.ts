import fc from 'fast-check';
import { expect, test } from 'vitest';
import { follow, readWatch, type WatchEvent } from '../../src/client/watch.ts';
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
  const events = new Handover<SharedEvent>(99, { drained: () => undefined, gone: () => told.cancelled++ });
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

type Step = 'ADDED' | 'BOOKMARK' | 'ERROR' | 'turn';

/** What a reader gets of a watch, and how it ends. */
type Read = readonly [events: readonly WatchEvent[], end: string];

const endOf = (problem: unknown): string => (problem instanceof StatusError ? problem.message : String(problem));

/** Plays `steps` for a reader that waits for each batch, and for one that is called. */
async function played(steps: readonly Step[]): Promise<readonly [waiting: Read, called: Read]> {
  const [one, other] = [watched(), watched()];
  const waiting = (async (): Promise<Read> => {
    const events: WatchEvent[] = [];
    try {
      for await (const batch of readWatch<ApiObject>(one.response)) events.push(...batch);
    } catch (problem) {
      return [events, endOf(problem)];
    }
    return [events, endOf(undefined)];
  })();
  const called = new Promise<Read>((resolve, reject) => {
    const events: WatchEvent[] = [];
    const follower = {
      events: (batch: readonly WatchEvent[]) => void events.push(...batch),
      ended: (problem?: unknown) => resolve([events, endOf(problem)]),
    };
    follow(other.response, follower).catch(reject);
  });
  for (const [i, step] of steps.entries()) {
    if (step === 'turn') await new Promise((resolve) => setImmediate(resolve));
    else for (const { events } of [one, other]) events.give(event(step, step === 'ERROR' ? gone : pod(`p${i}`)));
  }
  for (const { events } of [one, other]) events.close();
  return Promise.all([waiting, called]);
}

test('a follower gets the same as a reader that waits, and the same end', async () => {
  const steps = fc.array(fc.constantFrom<Step>('ADDED', 'BOOKMARK', 'turn', 'ERROR'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const [waiting, called] = await played(all);
      expect(called).toEqual(waiting);
    }),
    { numRuns: 200 },
  );
});
