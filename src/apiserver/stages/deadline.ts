/** How long a request may take: none takes longer than `--request-timeout`, writes not longer than their client wants. */
import { formatDuration, parseDuration, status } from '../../schema/index.ts';
import type { Clock, Timer, TimerUse } from '../../std/index.ts';
import type { RequestInfo } from './requestInfo.ts';

/** One request's time. */
export interface Deadline {
  /** Calls back if the time is up before the request was answered. */
  onExpired(call: () => void): void;
  /** Stops the time, for somebody who looks at the request on its way; call what is returned to let it run on. */
  hold(): () => void;
}

/** How long, and what is said when it is over. */
export interface TimeLimit {
  readonly ms: number;
  readonly message: string;
}

const LONG_RUNNING_VERBS = new Set(['watch', 'proxy']);
const LONG_RUNNING_SUBRESOURCES = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Requests that go on for as long as their client wants: no limit of time or number holds for them. */
export function isLongRunning({ verb, isResource, subresource, path }: RequestInfo): boolean {
  if (LONG_RUNNING_VERBS.has(verb)) return true;
  return isResource ? LONG_RUNNING_SUBRESOURCES.has(subresource) : path.startsWith('/debug/pprof/');
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** Milliseconds for a write whose client does not say how long it waits. */
const WRITE_LIMIT = 34_000;

/** The limit that ends first; undefined where there is none. */
export function timeLimit(info: RequestInfo, query: URLSearchParams, requestTimeout: number): TimeLimit | undefined {
  if (isLongRunning(info)) return undefined;
  const asked = info.isResource && WRITES.has(info.verb) ? parseAsked(query.get('timeout')) : Infinity;
  if (asked < requestTimeout) return limitOf(asked, 'request did not complete within requested timeout');
  return limitOf(requestTimeout, 'request did not complete within');
}

/** The limits that requests have had, of so many at most: most have one of two. */
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

/** What can't be read is as if it were not there. */
function parseAsked(text: string | null): number {
  return (text ? parseDuration(text) : undefined) ?? WRITE_LIMIT;
}

/** A request among those whose time runs. */
interface Entry {
  due: number;
  /** The length of time among whose entries it is; undefined while it is held and once it is over. */
  lane: number | undefined;
  /**
   * Ends it; undefined once it is over. A set that lives long keeps what was in it for a while after it was taken out, and
   * with it all that it refers to: what is over lets go of its request.
   */
  expire: (() => void) | undefined;
}

/**
 * Calls back when a request whose time is up has had its last chance. Somebody who moves the clock ahead by an hour takes
 * no time at all: what the disk was about to confirm is not late because of that.
 */
export type LastChance = (expire: () => void) => void;

interface Lane {
  readonly entries: Set<Entry>;
  timer: Timer | undefined;
}

/**
 * The deadlines of all requests. Those of one length fall due in the order in which they began, so one timer for each
 * length is enough, and a request costs no timer of its own.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lastChance: LastChance;
  readonly #lanes = new Map<number, Lane>();

  constructor(clock: Clock, lastChance: LastChance = (expire) => expire()) {
    this.#clock = clock;
    this.#lastChance = lastChance;
  }

  /** Does `work`; rejects with a Status (504) if it is not done in time. What was begun is then finished unheard. */
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

  /** Nobody waits any more. */
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

  /** Ends those whose time is up, and looks again when the next one's is. */
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

  /** What was held falls due out of turn: what is left is a length of its own, which keeps each lane in order. */
  #hold(entry: Entry): () => void {
    const left = Math.max(0, entry.due - this.#clock.now());
    this.#remove(entry);
    return () => {
      if (entry.expire && entry.lane === undefined) this.#add(entry, left);
    };
  }
}

/** Where nothing waits any more, the timer has nothing to do. */
function useOf({ entries }: Lane): TimerUse {
  return { what: 'the time limit of a request', idle: () => entries.size === 0 };
}
