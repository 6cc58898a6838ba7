import { StatusError, type ApiObject } from '../schema/index.ts';
import { EventsResponse, type SharedEvent } from '../std/index.ts';
import { isStatus } from './request.ts';

/** A change as the server sends it; a bookmark's object has only a revision. */
export interface WatchEvent<T extends ApiObject = ApiObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

/**
 * Reads the events of a watch from its body: one JSON document per line. Events that arrived together are yielded
 * together. Ends when the server ends the stream; throws a StatusError for an ERROR event.
 */
export function readWatch<T extends ApiObject>(response: Response): AsyncGenerator<readonly WatchEvent<T>[]> {
  // In one process with the server the objects are available directly, shared by all watchers.
  return response instanceof EventsResponse ? openWatch<T>(() => Promise.resolve(response)) : readLines<T>(response);
}

async function* readLines<T extends ApiObject>(response: Response): AsyncGenerator<readonly WatchEvent<T>[]> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      const events = lines.filter((line) => line !== '').map((line) => parseEvent<T>(line));
      if (events.length > 0) yield events;
    }
  } finally {
    // The consumer may have stopped early; the server must learn that the reader is gone.
    await reader.cancel().catch(() => undefined);
  }
}

/** Opens a watch when the first event is requested, and reads it. Events pass through no other generator than this. */
export async function* openWatch<T extends ApiObject>(
  ask: () => Promise<Response>,
): AsyncGenerator<readonly WatchEvent<T>[]> {
  const response = await ask();
  if (!(response instanceof EventsResponse)) return yield* readLines<T>(response);
  const { events } = response;
  try {
    for (let taken = await events.take(); taken; taken = await events.take()) {
      const failed = taken.findIndex(({ type }) => type === 'ERROR');
      if (failed !== 0) yield plain<T>(failed < 0 ? taken : taken.slice(0, failed));
      if (failed >= 0) eventOf(taken[failed] as SharedEvent);
    }
  } finally {
    events.cancel();
  }
}

const plain = <T extends ApiObject>(events: readonly SharedEvent[]): WatchEvent<T>[] =>
  events.map(({ type, object }) => eventOf<T>({ type, object }));

const parseEvent = <T extends ApiObject>(line: string): WatchEvent<T> => eventOf(JSON.parse(line) as SentEvent);

interface SentEvent {
  readonly type: string;
  readonly object: unknown;
}

/** Throws the Status of an ERROR event. */
function eventOf<T extends ApiObject>(event: SentEvent): WatchEvent<T> {
  if (event.type !== 'ERROR') return event as WatchEvent<T>;
  if (isStatus(event.object)) throw new StatusError(event.object);
  throw new Error('the server ended the watch with an error that is no Status');
}
