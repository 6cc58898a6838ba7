import { StatusError, type ApiObject } from '../schema/index.ts';
import { EventsResponse, type Handover, type Reader, type SharedEvent } from '../std/index.ts';
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

/** Gets the events of a watch, those that arrived together as one batch, and hears of its end once. */
export interface Follower<T extends ApiObject> {
  events(events: readonly WatchEvent<T>[]): void;
  /** `problem` is the Status of an ERROR event, or why the watch could not be opened or read. */
  ended(problem?: unknown): void;
}

/** Opens a watch, and reads it without a function that waits if the server is in this process. */
export async function follow<T extends ApiObject>(ask: () => Promise<Response>, follower: Follower<T>): Promise<void> {
  try {
    const response = await ask();
    if (response instanceof EventsResponse) return response.events.readBy(new EventReader(response.events, follower));
    for await (const events of readLines<T>(response)) follower.events(events);
  } catch (problem) {
    return follower.ended(problem);
  }
  follower.ended();
}

/** Reads a watch for a follower, up to an ERROR event. */
class EventReader<T extends ApiObject> implements Reader<SharedEvent> {
  readonly #events: Handover<SharedEvent>;
  readonly #follower: Follower<T>;

  constructor(events: Handover<SharedEvent>, follower: Follower<T>) {
    this.#events = events;
    this.#follower = follower;
  }

  read(taken: readonly SharedEvent[]): void {
    const failed = taken.findIndex(({ type }) => type === 'ERROR');
    try {
      if (failed !== 0) this.#follower.events(plain<T>(failed < 0 ? taken : taken.slice(0, failed)));
      if (failed >= 0) eventOf(taken[failed] as SharedEvent);
    } catch (problem) {
      this.#events.cancel();
      this.#follower.ended(problem);
    }
  }

  ended(): void {
    this.#follower.ended();
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
