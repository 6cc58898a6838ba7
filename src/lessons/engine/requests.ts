/** What people asked of the cluster since the lesson began, as its trace tells it. */
import { getOwn } from '../../std/index.ts';
import { readPath, unmet } from './fields.ts';
import type { RequestCheck, Verdict } from './lesson.ts';
import type { BodyEvent, RequestEvent, TraceEvent, WatchEvent } from '../../trace/index.ts';
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
  /** Milliseconds until the answer. */
  took: number;
  /** The revision of its object's last write that was answered before it came. */
  readonly known: number | undefined;
  /** The revision that it wrote. */
  wrote?: number;
  /** The revision of the object that it was answered with. */
  shown?: number;
  /** Why the server ended it, where it is a watch that has ended. */
  ended?: string;
}

/** Ways in from outside of the cluster. */
const fromPeople = new Set(['page', 'fetch', 'http']);

const MOST_UNDER_WAY = 2000;

/** Gathers the stages of each request, and tells of it once it was answered. */
export class RequestReader {
  readonly #underWay = new Map<string, Asked>();
  readonly #counters = new Set<RequestCounter>();
  /** The last answered write of each object and of its list, by their paths. */
  readonly #writes = new Map<string, number>();
  /** Requests of the lesson's own player count once it has been asked to show a solution; those of the start never do. */
  countsPlayer = false;
  /** The last revision that a request is known to have made. */
  revision = 0;

  add(counter: RequestCounter): () => void {
    this.#counters.add(counter);
    return () => void this.#counters.delete(counter);
  }

  take(events: readonly TraceEvent[]): void {
    for (const event of events) {
      if (event.topic === 'request') this.#stage(event);
      else if (event.topic === 'body') this.#show(event);
      else if (event.topic === 'watch' && event.what === 'closed') this.#endWatch(event);
    }
  }

  #stage(event: RequestEvent): void {
    if (event.stage === 'received') return this.#begin(event);
    if (event.stage === 'stored') this.revision = Math.max(this.revision, event.revision);
    const asked = this.#underWay.get(event.request);
    if (!asked) return;
    if (event.stage === 'authentication') {
      asked.user = event.user ?? asked.user;
      asked.by = event.attempts.find(({ outcome }) => outcome === 'accepted')?.method ?? '';
    } else if (event.stage === 'impersonation') asked.user = event.user;
    else if (event.stage === 'authorization') asked.verb = String(readPath(event.attributes, 'verb') ?? asked.verb);
    else if (event.stage === 'stored') asked.wrote = event.revision;
    else if (event.stage === 'answered') this.#answer(event.request, asked, event);
  }

  /** Bodies come before the answer is told of. */
  #show({ request, of, text }: BodyEvent): void {
    const asked = of === 'answer' ? this.#underWay.get(request) : undefined;
    if (asked && text !== undefined) asked.shown = Number(readPath(parsed(text), 'metadata.resourceVersion'));
  }

  #begin(event: Extract<RequestEvent, { stage: 'received' }>): void {
    const header = (wanted: string): string => event.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
    const agent = header('user-agent');
    if (!fromPeople.has(event.origin)) return;
    // What the page reads as the administrator is its own; what it reads as somebody else, that person wanted to see.
    if (agent.startsWith(OBSERVER) && event.origin === 'page' && header('impersonate-user') === '') return;
    const { method, url, request } = event;
    const player = agent.startsWith(PLAYER);
    const known = this.#writes.get(objectPath(url));
    this.#underWay.set(request, { method, url, player, known, verb: '', user: '', by: '', status: 0, took: 0 });
    // A request whose answer was never told of must not stay for ever.
    const [oldest] = this.#underWay.keys();
    if (this.#underWay.size > MOST_UNDER_WAY && oldest !== undefined) this.#underWay.delete(oldest);
  }

  #answer(request: string, asked: Asked, { status, ms }: { readonly status: number; readonly ms: number }): void {
    Object.assign(asked, { status, took: ms });
    if (asked.wrote !== undefined) {
      const path = objectPath(asked.url);
      this.#remember(path, asked.wrote);
      if (asked.method !== 'POST') this.#remember(path.slice(0, path.lastIndexOf('/')), asked.wrote);
    }
    const { ended, ...answered } = asked;
    // A watch that was answered goes on until it is ended; the end may be told of first.
    const goesOn = asked.verb === 'watch' && status === 200 && ended === undefined;
    if (!goesOn) this.#underWay.delete(request);
    this.#tell(answered);
    if (ended !== undefined) this.#tell(asked);
  }

  #remember(path: string, revision: number): void {
    this.#writes.delete(path);
    this.#writes.set(path, revision);
    const [oldest] = this.#writes.keys();
    if (this.#writes.size > MOST_UNDER_WAY && oldest !== undefined) this.#writes.delete(oldest);
  }

  #endWatch({ request, detail }: WatchEvent): void {
    const asked = this.#underWay.get(request);
    if (!asked) return;
    asked.ended = String(detail);
    if (asked.status === 0) return;
    this.#underWay.delete(request);
    this.#tell(asked);
  }

  #tell(asked: Asked): void {
    if (asked.player && !this.countsPlayer) return;
    for (const counter of this.#counters) counter.take(asked);
  }
}

/** Counts the requests that a check asks for. */
export class RequestCounter {
  readonly #check: RequestCheck;
  readonly #changed: () => void;
  readonly #revision: () => number;
  #count = 0;
  /** The last revision when it began to count. */
  #since = 0;

  /** `revision` tells the last one that is known. */
  constructor(check: RequestCheck, changed: () => void, revision: () => number = () => 0) {
    this.#check = check;
    this.#changed = changed;
    this.#revision = revision;
  }

  take(asked: Asked): void {
    if (!isAskedFor(asked, this.#check)) return;
    if (this.#check.fresh === true && !beginsSince(asked.url, this.#since)) return;
    this.#count += 1;
    this.#changed();
  }

  /** Forgets what it counted. */
  restart(): void {
    this.#count = 0;
    this.#since = this.#revision();
  }

  get verdict(): Verdict {
    const { atLeast = 1 } = this.#check;
    const seen = this.#count === 0 ? 'no matching request yet' : `${this.#count} of ${atLeast} requests`;
    return { holds: this.#count >= atLeast, seen };
  }
}

/** Whether a watch misses nothing that came after a revision: one without a revision tells first what there is. */
function beginsSince(url: string, revision: number): boolean {
  const from = Number(new URLSearchParams(url.split('?', 2)[1]).get('resourceVersion') ?? 0);
  return from === 0 || from >= revision;
}

function isAskedFor(asked: Asked, check: RequestCheck): boolean {
  const { user, method, verb, path = '', query, status, by, ended, stale, took = 0 } = check;
  // The end of a watch is a record of its own; other checks look at answers.
  if ((ended === undefined) !== (asked.ended === undefined)) return false;
  const [, asking = ''] = asked.url.split('?', 2);
  const parameters = Object.fromEntries(new URLSearchParams(asking));
  return (
    getOwn(parameters, 'dryRun') === undefined &&
    (ended === undefined || asked.ended?.includes(ended) === true) &&
    (user === undefined || asked.user === user) &&
    (method === undefined || asked.method === method) &&
    (verb === undefined || asked.verb === verb) &&
    hasPart(decoded(asked.url), path) &&
    unmet(parameters, query).length === 0 &&
    (status === undefined || asked.status === status) &&
    (by === undefined || asked.by === by) &&
    (stale === undefined || isStale(asked) === stale) &&
    asked.took >= took
  );
}

/** Whether a read showed its object, or list, as it was before a write that was known of; undefined where that can't be told. */
const isStale = ({ known, shown }: Asked): boolean | undefined =>
  known === undefined || shown === undefined ? undefined : shown < known;

/** The path of an object, whichever server is asked for it. */
const objectPath = (url: string): string => url.replace(/\?.*$/, '').replace(/^\/servers\/\w+/, '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the pieces of a part, between its `*`, stand in the path in this order. */
function hasPart(path: string, part: string): boolean {
  let from = 0;
  return part.split('*').every((piece) => {
    const at = path.indexOf(piece, from);
    from = at + piece.length;
    return at >= 0;
  });
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
