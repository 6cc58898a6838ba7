import { keyOf, type Pod } from '../client/index.ts';
import { deepEqual, Heap, type Clock, type Timer } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { QueueEvent } from './metrics.ts';
import { priorityOf } from './priority.ts';

/** The maximum number of pods listed for inspection. */
const SHOWN = 10;

/** A pod that waits in the queue, or was taken from it. */
export interface Queued {
  pod: Pod;
  /** When it entered its current queue; all times are milliseconds since the epoch. */
  since: number;
  /** When it was first added. */
  readonly added: number;
  /** When the current or last attempt started. */
  began: number;
  attempts: number;
  /** The scheduling cycle in which it was taken. */
  cycle: number;
  /** Why the last attempt failed; empty before the first. */
  reason: string;
}

/** The waiting pods. */
export interface SchedulerView {
  /** The number of pods to be tried now. */
  readonly waiting: number;
  /** Some of them. */
  readonly next: readonly string[];
  /** Some of those in back-off, and when it ends. */
  readonly delayed: readonly { readonly key: string; readonly due: number }[];
  readonly paused: boolean;
}

/** The back-off of failed pods in milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

export const DEFAULT_BACKOFF: Backoff = { first: 1_000, longest: 10_000 };

/** A pod that is unschedulable for longer than this is retried without an event. */
const UNSCHEDULABLE_AT_MOST = 60_000;
/** The interval of checks for such pods. */
const FLUSH_EVERY = 30_000;
const FLUSH = { what: 'scheduler: looks for pods that have waited for a minute' };

export type Lane = 'active' | 'backoff' | 'unschedulable';

/** A waiting pod, for display. */
export interface Waiting {
  readonly pod: string;
  readonly uid: string;
  readonly priority: number;
  readonly attempts: number;
  readonly since: number;
  /** When its back-off ends. */
  readonly until?: number;
  /** Why the last attempt failed. */
  readonly reason?: string;
}

type What = 'queued' | 'popped' | 'backoff' | 'unschedulable' | 'moved' | 'removed';

/**
 * Three queues: `active`, ordered by priority and time; `backoff`, for recently failed pods; `unschedulable`, for pods
 * that wait for an event that could help. Such an event moves a pod to one of the other queues.
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
  /** Both heaps may contain pods that have left the queue; the queue maps are authoritative. */
  readonly #activeHeap = new Heap<Queued>(comesBefore);
  readonly #backoffHeap = new Heap<{ readonly queued: Queued; readonly until: number }>((a, b) => a.until < b.until);
  #backoffTimer: Timer | undefined;
  #flushTimer: Timer | undefined;
  #cycle = 0;
  #lastMove = -1;
  #waiting: (() => void) | undefined;
  #closed = false;
  #paused = false;
  /** The number of pods that may be taken while the queue is paused. */
  #steps = 0;

  /** `incoming` is called for each pod that enters a queue, with the reason. */
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

  /** The number of pods in each queue. */
  get lengths(): Readonly<Record<Lane, number>> {
    const { active, backoff, unschedulable } = this.#lanes;
    return { active: active.size, backoff: backoff.size, unschedulable: unschedulable.size };
  }

  /** Some of the pods to be tried, as NAMESPACE/NAME. */
  some(): readonly string[] {
    const found: string[] = [];
    for (const { pod } of this.#lanes.active.values()) {
      if (found.length === SHOWN) break;
      found.push(keyOf(pod));
    }
    return found;
  }

  /** Some of the pods in back-off, by the end of it. */
  backingOff(): SchedulerView['delayed'] {
    return Array.from(this.#lanes.backoff.values(), (queued) => ({
      key: keyOf(queued.pod),
      due: this.#backoffEnd(queued),
    }))
      .sort((a, b) => a.due - b.due)
      .slice(0, SHOWN);
  }

  /** The pods in each queue: active ones in order, back-off ones by the end of their back-off. */
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

  /** Adds an unscheduled pod that was not tried yet. */
  add(pod: Pod): void {
    if (this.#find(pod)) this.update(pod);
    else this.#activate(this.#begin(pod), 'queued', 'it has no node', 'PodAdd');
  }

  /**
   * Handles a changed pod. A pod in back-off is retried at once; an unschedulable one if more than its status changed.
   */
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

  /** While paused, pods are added and none is taken. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#steps = 0;
    this.#waiting?.();
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Lets one pod be taken while the queue is paused: the first that is not in back-off. */
  step(): void {
    if (this.#lanes.active.size > 0) this.#steps++;
    this.#waiting?.();
  }

  /** The next pod to try; waits until there is one. Undefined when the queue is closed. */
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

  /**
   * Adds a pod after a failed attempt: it waits for an event, or only for its back-off if an event has occurred
   * meanwhile.
   */
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

  /** Adds a waiting pod that was rejected in the past. */
  recall(pod: Pod, reason: string, since: number): void {
    const queued = this.#lanes.active.get(uidOf(pod));
    if (!queued) return;
    this.#lanes.active.delete(uidOf(pod));
    this.#lanes.unschedulable.set(uidOf(pod), Object.assign(queued, { reason, since }));
  }

  /** Handles an event: unschedulable pods that `helps` accepts are retried. */
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

  /** Moves a pod out of `unschedulable`: at once, or after its back-off. */
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

  /** Sets the timer for the back-off that ends first. */
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
      // It may have left the queue, or entered it again with a later end.
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
    if (!this.#tracer.wants('scheduling')) return this.#tracer.happened('scheduling');
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

/** Whether anything besides the pod's status and server-set metadata has changed. */
function mayHelp(before: Pod, after: Pod): boolean {
  const relevant = ({ metadata, spec }: Pod): unknown => {
    const { labels, annotations, ownerReferences, deletionTimestamp } = metadata;
    return [spec, labels, annotations, ownerReferences, deletionTimestamp];
  };
  return !deepEqual(relevant(before), relevant(after));
}
