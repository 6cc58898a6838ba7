import { keyOf, type Pod } from '../client/index.ts';
import { deepEqual, Heap, type Clock, type Timer } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { QueueEvent } from './metrics.ts';
import { priorityOf } from './priority.ts';

/** So many pods are named to those who look on. */
const SHOWN = 10;

/** A pod that waits for its turn, or has been taken for it. */
export interface Queued {
  pod: Pod;
  /** When it entered the queue it is in; all times are milliseconds since the epoch. */
  since: number;
  /** When it was added for the first time. */
  readonly added: number;
  /** When the attempt began that is under way, or the last one. */
  began: number;
  attempts: number;
  /** The scheduling cycle in which it was taken. */
  cycle: number;
  /** Why the last attempt failed; empty before the first. */
  reason: string;
}

/** What waits for the scheduler. */
export interface SchedulerView {
  /** How many pods wait to be tried, those in backoff included. */
  readonly waiting: number;
  /** Some of them. */
  readonly next: readonly string[];
  readonly paused: boolean;
}

/** How long a pod that failed waits, in milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

export const DEFAULT_BACKOFF: Backoff = { first: 1_000, longest: 10_000 };

/** A pod that stays unschedulable for longer than this is tried again though nothing has happened. */
const UNSCHEDULABLE_AT_MOST = 60_000;
/** How often that is looked at. */
const FLUSH_EVERY = 30_000;
const FLUSH = { what: 'scheduler: looks for pods that have waited for a minute' };

export type Lane = 'active' | 'backoff' | 'unschedulable';

/** A waiting pod as a person sees it. */
export interface Waiting {
  readonly pod: string;
  readonly uid: string;
  readonly priority: number;
  readonly attempts: number;
  readonly since: number;
  /** When its backoff ends. */
  readonly until?: number;
  /** Why the last attempt failed. */
  readonly reason?: string;
}

type What = 'queued' | 'popped' | 'backoff' | 'unschedulable' | 'moved' | 'removed';

/**
 * Three places to wait: `active`, ordered by priority and then by time; `backoff`, for those that failed a moment ago;
 * `unschedulable`, until something happens that could help. Such an event moves the latter to one of the others.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #tracer: Tracer;
  readonly #backoff: Backoff;
  readonly #incoming: (lane: Lane, event: QueueEvent) => void;
  readonly #lanes: Readonly<Record<Lane, Map<string, Queued>>> = {
    active: new Map(),
    backoff: new Map(),
    unschedulable: new Map(),
  };
  /** Both may hold pods that have left the lane since; what counts is the lane. */
  readonly #activeHeap = new Heap<Queued>(comesBefore);
  readonly #backoffHeap = new Heap<{ readonly queued: Queued; readonly until: number }>((a, b) => a.until < b.until);
  #backoffTimer: Timer | undefined;
  #flushTimer: Timer | undefined;
  #cycle = 0;
  #lastMove = -1;
  #waiting: (() => void) | undefined;
  #closed = false;
  #paused = false;
  /** How many pods may be taken although the queue is paused. */
  #steps = 0;

  /** `incoming` is called with each pod that enters a lane, and what brought it there. */
  constructor(
    clock: Clock,
    tracer: Tracer,
    backoff = DEFAULT_BACKOFF,
    incoming: (lane: Lane, event: QueueEvent) => void = () => undefined,
  ) {
    this.#backoff = backoff;
    this.#incoming = incoming;
    this.#clock = clock;
    this.#tracer = tracer;
  }

  /** How many pods wait in each lane. */
  get lengths(): Readonly<Record<Lane, number>> {
    const { active, backoff, unschedulable } = this.#lanes;
    return { active: active.size, backoff: backoff.size, unschedulable: unschedulable.size };
  }

  /** A few of the pods that are to be tried, as NAMESPACE/NAME. */
  some(): readonly string[] {
    const found: string[] = [];
    for (const { pod } of this.#lanes.active.values()) {
      if (found.length === SHOWN) break;
      found.push(keyOf(pod));
    }
    return found;
  }

  /** Who waits where: the active ones in their order, those in backoff by its end. */
  lanes(): Readonly<Record<Lane, readonly Waiting[]>> {
    const { active, backoff, unschedulable } = this.#lanes;
    const describe = (queued: Queued): Waiting => ({
      ...describePod(queued.pod),
      ...{ priority: priorityOf(queued.pod), attempts: queued.attempts, since: queued.since },
      ...(queued.reason !== '' && { reason: queued.reason }),
    });
    const backingOff = [...backoff.values()].map((queued) => ({
      ...describe(queued),
      until: this.#backoffEnd(queued),
    }));
    return {
      active: [...active.values()].sort((a, b) => (comesBefore(a, b) ? -1 : 1)).map(describe),
      backoff: backingOff.sort((a, b) => a.until - b.until),
      unschedulable: [...unschedulable.values()].map(describe),
    };
  }

  /** Adds a pod that has no node and was not tried yet. */
  add(pod: Pod): void {
    if (this.#find(pod)) this.update(pod);
    else this.#activate(this.#begin(pod), 'queued', 'it has no node', 'PodAdd');
  }

  /** The pod has changed. One that was backing off is tried at once; an unschedulable one if more than its status changed. */
  update(pod: Pod): void {
    const found = this.#find(pod);
    if (!found) return this.#activate(this.#begin(pod), 'queued', 'the pod was changed', 'PodUpdate');
    const { queued, lane } = found;
    const before = queued.pod;
    queued.pod = pod;
    if (lane === 'active' || (lane === 'unschedulable' && !mayHelp(before, pod))) return;
    this.#lanes[lane].delete(uidOf(pod));
    this.#activate(queued, 'moved', 'the pod was changed', 'PodUpdate');
  }

  remove(pod: Pod): void {
    const found = this.#find(pod);
    if (!found) return;
    this.#lanes[found.lane].delete(uidOf(pod));
    this.#trace(found.queued, 'removed', 'it no longer waits');
  }

  /** While paused, pods come in and none is taken out. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#steps = 0;
    this.#waiting?.();
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Lets one pod be taken although the queue is paused: the first of those that are not backing off. */
  step(): void {
    if (this.#lanes.active.size > 0) this.#steps++;
    this.#waiting?.();
  }

  /** The next pod to be tried; waits until there is one. Undefined when the queue is closed. */
  async pop(): Promise<Queued | undefined> {
    while (!this.#closed) {
      const next = this.#paused && this.#steps === 0 ? undefined : this.#activeHeap.pop();
      if (!next) await new Promise<void>((resolve) => (this.#waiting = resolve));
      else if (this.#lanes.active.get(uidOf(next.pod)) === next) {
        this.#steps = Math.max(0, this.#steps - 1);
        return this.#take(next);
      }
    }
    return undefined;
  }

  /** The pod was tried and has no node: it waits until something happens, or only its backoff if something has happened meanwhile. */
  addUnschedulable(queued: Queued, reason: string): void {
    if (this.#closed || this.#find(queued.pod)) return;
    queued.since = this.#clock.now();
    queued.reason = reason;
    if (this.#lastMove >= queued.cycle)
      return this.#backOff(queued, 'something changed while it was being tried', 'ScheduleAttemptFailure');
    this.#lanes.unschedulable.set(uidOf(queued.pod), queued);
    this.#flushTimer ??= this.#clock.setTimeout(() => this.#flush(), FLUSH_EVERY, FLUSH);
    this.#incoming('unschedulable', 'ScheduleAttemptFailure');
    this.#trace(queued, 'unschedulable', reason);
  }

  /** A waiting pod was tried in the past, and refused. */
  recall(pod: Pod, reason: string, since: number): void {
    const queued = this.#lanes.active.get(uidOf(pod));
    if (!queued) return;
    this.#lanes.active.delete(uidOf(pod));
    this.#lanes.unschedulable.set(uidOf(pod), Object.assign(queued, { reason, since }));
  }

  /** Something happened: unschedulable pods, of those that `helps` names, are tried again. */
  moveAll(why: string, event: QueueEvent, helps: (pod: Pod) => boolean = () => true): void {
    this.#lastMove = this.#cycle;
    for (const queued of this.#lanes.unschedulable.values()) if (helps(queued.pod)) this.#move(queued, why, event);
  }

  close(): void {
    this.#closed = true;
    this.#clock.clearTimeout(this.#backoffTimer);
    this.#clock.clearTimeout(this.#flushTimer);
    for (const lane of Object.values(this.#lanes)) lane.clear();
    this.#waiting?.();
  }

  #begin(pod: Pod): Queued {
    const now = this.#clock.now();
    return { pod, since: now, added: now, began: now, attempts: 0, cycle: this.#cycle, reason: '' };
  }

  #find(pod: Pod): { readonly queued: Queued; readonly lane: Lane } | undefined {
    const uid = uidOf(pod);
    for (const lane of ['active', 'backoff', 'unschedulable'] as const) {
      const queued = this.#lanes[lane].get(uid);
      if (queued) return { queued, lane };
    }
    return undefined;
  }

  #take(queued: Queued): Queued {
    this.#lanes.active.delete(uidOf(queued.pod));
    this.#cycle += 1;
    queued.cycle = this.#cycle;
    queued.attempts += 1;
    this.#trace(queued, 'popped', `attempt ${queued.attempts}`);
    return queued;
  }

  /** Out of the unschedulable ones: at once, or when its backoff has passed. */
  #move(queued: Queued, why: string, event: QueueEvent): void {
    this.#lanes.unschedulable.delete(uidOf(queued.pod));
    if (this.#backoffEnd(queued) > this.#clock.now()) this.#backOff(queued, why, event);
    else this.#activate(queued, 'moved', why, event);
  }

  #flush(): void {
    const now = this.#clock.now();
    for (const queued of this.#lanes.unschedulable.values())
      if (now - queued.since > UNSCHEDULABLE_AT_MOST)
        this.#move(queued, 'it has waited for a minute', 'UnschedulableTimeout');
    const isNeeded = this.#lanes.unschedulable.size > 0;
    this.#flushTimer = isNeeded ? this.#clock.setTimeout(() => this.#flush(), FLUSH_EVERY, FLUSH) : undefined;
  }

  #backOff(queued: Queued, why: string, event: QueueEvent): void {
    this.#lanes.backoff.set(uidOf(queued.pod), queued);
    this.#backoffHeap.push({ queued, until: this.#backoffEnd(queued) });
    this.#awaitBackoff();
    this.#incoming('backoff', event);
    this.#trace(queued, 'backoff', why);
  }

  /** Sets the timer for the backoff that ends first. */
  #awaitBackoff(): void {
    this.#clock.clearTimeout(this.#backoffTimer);
    const first = this.#backoffHeap.peek();
    const wait = first && Math.max(0, first.until - this.#clock.now());
    this.#backoffTimer =
      wait === undefined
        ? undefined
        : this.#clock.setTimeout(() => this.#endBackoffs(), wait, { what: 'scheduler: a backoff ends' });
  }

  #endBackoffs(): void {
    for (
      let first = this.#backoffHeap.peek();
      first && first.until <= this.#clock.now();
      first = this.#backoffHeap.peek()
    ) {
      const { queued, until } = first;
      this.#backoffHeap.pop();
      // It may have left the lane, or have come back to it with a later end.
      if (this.#lanes.backoff.get(uidOf(queued.pod)) !== queued || this.#backoffEnd(queued) !== until) continue;
      this.#lanes.backoff.delete(uidOf(queued.pod));
      this.#activate(queued, 'moved', 'its backoff has passed', 'BackoffComplete');
    }
    this.#awaitBackoff();
  }

  /** Doubles with each attempt. */
  #backoffEnd({ since, attempts }: Queued): number {
    const { first, longest } = this.#backoff;
    return since + Math.min(first * 2 ** Math.max(0, attempts - 1), longest);
  }

  #activate(queued: Queued, what: What, why: string, event: QueueEvent): void {
    if (this.#closed) return;
    this.#lanes.active.set(uidOf(queued.pod), queued);
    this.#activeHeap.push(queued);
    this.#incoming('active', event);
    this.#trace(queued, what, why);
    this.#waiting?.();
  }

  #trace(queued: Queued, what: What, why: string): void {
    if (!this.#tracer.wants('scheduling')) return;
    const { pod, attempts } = queued;
    const until = what === 'backoff' ? { until: this.#backoffEnd(queued) } : {};
    this.#tracer.emit({
      topic: 'scheduling',
      ...describePod(pod),
      what,
      why,
      attempts,
      priority: priorityOf(pod),
      ...until,
    });
  }
}

const uidOf = (pod: Pod): string => pod.metadata.uid ?? keyOf(pod);

const describePod = (pod: Pod): { readonly pod: string; readonly uid: string } => ({
  pod: keyOf(pod),
  uid: pod.metadata.uid ?? '',
});

function comesBefore(a: Queued, b: Queued): boolean {
  const [first, second] = [priorityOf(a.pod), priorityOf(b.pod)];
  return first === second ? a.since < b.since : first > second;
}

/** Whether anything but the pod's status and the server's own records has changed. */
function mayHelp(before: Pod, after: Pod): boolean {
  const relevant = ({ metadata, spec }: Pod): unknown => {
    const { labels, annotations, ownerReferences, deletionTimestamp } = metadata;
    return [spec, labels, annotations, ownerReferences, deletionTimestamp];
  };
  return !deepEqual(relevant(before), relevant(after));
}
