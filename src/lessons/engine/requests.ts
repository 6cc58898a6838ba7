/** What people asked of the cluster since the lesson began, as its trace tells it. */
import { readPath } from './fields.ts';
import type { RequestCheck, Verdict } from './lesson.ts';
import type { RequestEvent, TraceEvent } from '../../trace/index.ts';
import { OBSERVER, PLAYER } from './surroundings.ts';

/** A request with what became of it. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly player: boolean;
  verb: string;
  user: string;
  by: string;
  status: number;
}

/** Ways in from outside of the cluster. */
const fromPeople = new Set(['page', 'fetch', 'http']);

const MOST_UNDER_WAY = 2000;

/** Gathers the stages of each request, and tells of it once it was answered. */
export class RequestReader {
  readonly #underWay = new Map<string, Asked>();
  readonly #counters = new Set<RequestCounter>();
  /** Requests of the lesson's own player count once it has been asked to show a solution; those of the start never do. */
  countsPlayer = false;

  add(counter: RequestCounter): () => void {
    this.#counters.add(counter);
    return () => void this.#counters.delete(counter);
  }

  take(events: readonly TraceEvent[]): void {
    for (const event of events) if (event.topic === 'request') this.#stage(event);
  }

  #stage(event: RequestEvent): void {
    if (event.stage === 'received') return this.#begin(event);
    const asked = this.#underWay.get(event.request);
    if (!asked) return;
    if (event.stage === 'authentication') {
      asked.user = event.user ?? asked.user;
      asked.by = event.attempts.find(({ outcome }) => outcome === 'accepted')?.method ?? '';
    } else if (event.stage === 'impersonation') asked.user = event.user;
    else if (event.stage === 'authorization') asked.verb = String(readPath(event.attributes, 'verb') ?? asked.verb);
    else if (event.stage === 'answered') this.#end(event.request, { ...asked, status: event.status });
  }

  #begin(event: Extract<RequestEvent, { stage: 'received' }>): void {
    const agent = event.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
    if (agent.startsWith(OBSERVER) || !fromPeople.has(event.origin)) return;
    const { method, url, request } = event;
    const player = agent.startsWith(PLAYER);
    this.#underWay.set(request, { method, url, player, verb: '', user: '', by: '', status: 0 });
    // A request whose answer was never told of must not stay for ever.
    const [oldest] = this.#underWay.keys();
    if (this.#underWay.size > MOST_UNDER_WAY && oldest !== undefined) this.#underWay.delete(oldest);
  }

  #end(request: string, asked: Asked): void {
    this.#underWay.delete(request);
    if (asked.player && !this.countsPlayer) return;
    for (const counter of this.#counters) counter.take(asked);
  }
}

/** Counts the requests that a check asks for. */
export class RequestCounter {
  readonly #check: RequestCheck;
  readonly #changed: () => void;
  #count = 0;

  constructor(check: RequestCheck, changed: () => void) {
    this.#check = check;
    this.#changed = changed;
  }

  take(asked: Asked): void {
    if (!isAskedFor(asked, this.#check)) return;
    this.#count += 1;
    this.#changed();
  }

  get verdict(): Verdict {
    const { atLeast = 1 } = this.#check;
    const seen = this.#count === 0 ? 'no such request yet' : `${this.#count} of ${atLeast} such requests`;
    return { holds: this.#count >= atLeast, seen };
  }
}

function isAskedFor(asked: Asked, { user, method, verb, path, status, by }: RequestCheck): boolean {
  return (
    (user === undefined || asked.user === user) &&
    (method === undefined || asked.method === method) &&
    (verb === undefined || asked.verb === verb) &&
    (path === undefined || decoded(asked.url).includes(path)) &&
    (status === undefined || asked.status === status) &&
    (by === undefined || asked.by === by)
  );
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
