/**
 * The log of requests that is kept for a page. Most requests are never looked at, so the page gets them in short and
 * asks for the rest. What is kept are the events themselves: the objects in them are shared with the cluster.
 */
import {
  senderOf,
  type BodyEvent,
  type BriefEvent,
  type Cluster,
  type Delivery,
  type RequestEvent,
  type TraceEvent,
  type WatchEvent,
  type WholeRequest,
} from '../../cluster/index.ts';
import { Brief } from './brief.ts';

/** Of people's requests, and as many of all others. A page keeps somewhat less, because some are on their way to it. */
const KEPT = 2100;

/** The number of revisions for which the log keeps who was notified. */
const KEPT_REVISIONS = 3000;

interface Kept extends WholeRequest {
  readonly stages: RequestEvent[];
  readonly bodies: BodyEvent[];
}

export class RequestLog {
  /** While paused, the log passes on what happens and keeps nothing. */
  paused = false;
  /** Oldest first, as all of these. */
  readonly #people = new Map<string, Kept>();
  readonly #others = new Map<string, Kept>();
  readonly #notified = new Map<number, Delivery[]>();
  readonly #brief = new Brief();
  readonly #listeners = new Set<() => void>();

  /** Takes in an event, and returns what the page gets of it immediately. */
  take(event: TraceEvent): BriefEvent | undefined {
    if (event.topic === 'request') {
      if (!this.paused) this.#keep(event);
      return this.#brief.of(event);
    }
    if (event.topic === 'body') {
      if (!this.paused) this.#kept(event.request)?.bodies.push(event);
      return event.of === 'answer' && this.#brief.isRefused(event.request) ? event : undefined;
    }
    if (event.topic === 'watch') this.#deliver(event);
    return event.topic === 'together' ? event : undefined;
  }

  /** All that is kept of a request. */
  whole(id: string): WholeRequest | undefined {
    return this.#kept(id);
  }

  /** The watches that were notified of a revision. */
  notifiedOf(revision: number): readonly Delivery[] {
    return this.#notified.get(revision) ?? [];
  }

  /** Calls `listener` whenever `changed` is called; returns a function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #kept(id: string): Kept | undefined {
    return this.#others.get(id) ?? this.#people.get(id);
  }

  #keep(event: RequestEvent): void {
    if (event.stage !== 'received') return void this.#kept(event.request)?.stages.push(event);
    const requests = senderOf(event) === 'person' ? this.#people : this.#others;
    requests.set(event.request, { stages: [event], bodies: [] });
    dropOldest(requests, KEPT);
  }

  #deliver({ request, user, userAgent, at, sent = [] }: WatchEvent): void {
    for (const { revision, type } of sent) {
      const delivery = { request, user, userAgent, type, at };
      const known = this.#notified.get(revision);
      if (known) known.push(delivery);
      else this.#notified.set(revision, [delivery]);
    }
    dropOldest(this.#notified, KEPT_REVISIONS);
  }
}

/** Drops the first entries until `size` remain. */
function dropOldest(all: Map<unknown, unknown>, size: number): void {
  if (all.size <= size) return;
  for (const key of all.keys()) {
    all.delete(key);
    if (all.size <= size) return;
  }
}

const logs = new WeakMap<Cluster, Map<string, RequestLog>>();

/** The log with this id, while it is open. */
export const logOf = (cluster: Cluster, id: string): RequestLog | undefined => logs.get(cluster)?.get(id);

/** Opens a log, and passes on requests in short as they happen; returns a function that ends both. */
export function openLog(cluster: Cluster, id: string, tell: (event: BriefEvent) => void): () => void {
  const all = logs.get(cluster) ?? new Map<string, RequestLog>();
  const log = new RequestLog();
  logs.set(cluster, all.set(id, log));
  const stop = cluster.trace.listen(
    (event) => {
      const brief = log.take(event);
      if (brief) tell(brief);
      log.changed();
    },
    ['request', 'together', 'watch', 'body'],
  );
  return () => {
    stop();
    if (all.get(id) === log) all.delete(id);
  };
}
