/** The time limit of a request: at most `--request-timeout`, and for writes at most the client's timeout. */
import { formatDuration, parseDuration, status } from '../../schema/index.ts';
import type { Clock, Timer, TimerUse } from '../../std/index.ts';
import type { RequestInfo } from './requestInfo.ts';

/** The deadline of one request. */
export interface Deadline {
  /** Calls `call` if the deadline passes before the request is answered. */
  onExpired(call: () => void): void;
  /** Pauses the deadline while a person inspects the request; call the returned function to continue. */
  hold(): () => void;
}

/** The limit, and the error after it. */
export interface TimeLimit {
  readonly ms: number;
  readonly message: string;
}

const LONG_RUNNING_VERBS = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Long-running requests have no limit of time or number. */
export function isLongRunning({ verb, isResource, subresource, path }: RequestInfo): boolean {
  if (LONG_RUNNING_VERBS.has(verb)) return true;
  return isResource ? LONG_RUNNING_SUBRESOURCES.has(subresource) : path.startsWith('/debug/pprof/');
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** Milliseconds for a write without a client timeout. */
const WRITE_LIMIT = 34_000;

/** The shortest limit; undefined if there is none. */
export function timeLimit(info: RequestInfo, query: URLSearchParams, requestTimeout: number): TimeLimit | undefined {
  if (isLongRunning(info)) return undefined;
  const asked = info.isResource && WRITES.has(info.verb) ? parseAsked(query.get('timeout')) : Infinity;
  if (asked < requestTimeout) return limitOf(asked, 'request did not complete within requested timeout');
  return limitOf(requestTimeout, 'request did not complete within');
}

/** Caches recent limits, up to a maximum number: most requests have one of two. */
const limits = new Map<string, TimeLimit>();
const MOST_LIMITS = 100;

function limitOf(ms: number, what: string): TimeLimit {
  const key = `${ms} ${what}`;
  const known = limits.get(key);
  if (known) return known;
  if (limits.size >= MOST_LIMITS) limits.clear();
  const made = { ms, message: `${what} ${formatDuration(ms)}` };
  limits.set(key, made);
  return made;
}

/** Unreadable values count as missing. */
function parseAsked(text: string | null): number {
  return (text ? parseDuration(text) : undefined) ?? WRITE_LIMIT;
}

/** A request with a running deadline. */
interface Entry {
  due: number;
  /** The duration of the lane that it is in; undefined while it is paused and once it is over. */
  lane: number | undefined;
  /**
   * Expires the request; undefined once it is over. A long-lived set may reference removed entries for a while, so a
   * finished entry releases its request.
   */
  expire: (() => void) | undefined;
}

/**
 * Calls `expire` after an overdue request has had a last chance. Moving the clock by an hour takes no real time, so
 * writes that the disk is about to confirm should not time out because of it.
 */
export type LastChance = (expire: () => void) => void;

interface Lane {
  readonly entries: Set<Entry>;
  timer: Timer | undefined;
}

/**
 * The deadlines of all requests. Requests with the same limit expire in the order in which they began, so one timer for
 * each limit is enough, and a request needs no timer of its own.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lastChance: LastChance;
  readonly #lanes = new Map<number, Lane>();

  constructor(clock: Clock, lastChance: LastChance = (expire) => expire()) {
    this.#clock = clock;
    this.#lastChance = lastChance;
  }

  /**
   * Runs `work`; rejects with a Status (504) if it is not done in time. The work then continues, and its result is
   * ignored.
   */
  within<T>(limit: TimeLimit | undefined, work: (deadline: Deadline | undefined) => Promise<T>): Promise<T> {
    if (!limit) return work(undefined);
    return new Promise((resolve, reject) => {
      const calls: (() => void)[] = [];
      const expire = (): void => {
        this.#end(entry);
        reject(status.timeout(limit.message));
        for (const call of calls) call();
      };
      const entry: Entry = { due: 0, lane: undefined, expire };
      this.#add(entry, limit.ms);
      const deadline = { onExpired: (call: () => void) => void calls.push(call), hold: () => this.#hold(entry) };
      const settled = (): void => this.#end(entry);
      work(deadline).then(
        (value) => (settled(), resolve(value)),
        (problem: unknown) => (settled(), reject(problem as Error)),
      );
    });
  }

  /** Stops all timers. */
  stop(): void {
    for (const { timer } of this.#lanes.values()) this.#clock.clearTimeout(timer);
    this.#lanes.clear();
  }

  #add(entry: Entry, ms: number): void {
    let lane = this.#lanes.get(ms);
    if (!lane) this.#lanes.set(ms, (lane = { entries: new Set(), timer: undefined }));
    entry.due = this.#clock.now() + ms;
    entry.lane = ms;
    lane.entries.add(entry);
    lane.timer ??= this.#clock.setTimeout(() => this.#look(ms, lane), ms, useOf(lane));
  }

  #end(entry: Entry): void {
    this.#remove(entry);
    entry.expire = undefined;
  }

  #remove(entry: Entry): void {
    if (entry.lane !== undefined) this.#lanes.get(entry.lane)?.entries.delete(entry);
    entry.lane = undefined;
  }

  /** Expires overdue requests, and schedules the next check. */
  #look(ms: number, lane: Lane): void {
    const now = this.#clock.now();
    for (const entry of lane.entries) {
      if (entry.due > now) break;
      this.#remove(entry);
      this.#lastChance(() => entry.expire?.());
    }
    const [next] = lane.entries;
    lane.timer = next && this.#clock.setTimeout(() => this.#look(ms, lane), next.due - now, useOf(lane));
    if (!next) this.#lanes.delete(ms);
  }

  /**
   * A paused request is due out of order. Its remaining time becomes a separate limit, which keeps each lane ordered.
   */
  #hold(entry: Entry): () => void {
    const left = Math.max(0, entry.due - this.#clock.now());
    this.#remove(entry);
    return () => {
      if (entry.expire && entry.lane === undefined) this.#add(entry, left);
    };
  }
}

/** An empty lane's timer has no effect. */
function useOf({ entries }: Lane): TimerUse {
  return { what: 'the time limit of a request', idle: () => entries.size === 0 };
}
