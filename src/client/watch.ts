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
export async function* readWatch<T extends ApiObject>(response: Response): AsyncGenerator<readonly WatchEvent<T>[]> {
  // In one process with the server the objects are available directly, shared by all watchers.
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

/** Gets the events of a watch, those that arrived together as one batch. */
export interface Follower<T extends ApiObject> {
  events(events: readonly WatchEvent<T>[]): void;
  /** Called once. `problem` is the Status of an ERROR event, or why the watch could not be read. */
  ended(problem?: unknown): void;
}

/** Reads a watch, without a function that waits if the server is in this process. Its end is told to the follower, too. */
export async function follow<T extends ApiObject>(response: Response, follower: Follower<T>): Promise<void> {
  if (response instanceof EventsResponse) return response.events.readBy(new EventReader(response.events, follower));
  try {
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
  #problem: unknown;

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
      this.#problem = problem;
      this.#events.cancel();
    }
  }

  ended(): void {
    this.#follower.ended(this.#problem);
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
