import { keyOf, type Pod } from '../client/index.ts';
import { Heap, type Clock, type Timer } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { QueueEvent } from './metrics.ts';
import { priorityOf } from './priority.ts';

/** A pod that waits for its turn. */
export interface Queued {
  pod: Pod;
  /** When it entered the queue it is in. */
  since: number;
  /** When it came for the first time. */
  readonly came: number;
  /** When the attempt began that is under way, or the last one. */
  began: number;
  attempts: number;
  /** The count of turns when it was taken; tells whether something changed while it was being tried. */
  turn: number;
}

/** How long a pod that failed waits, in milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
}

export const DEFAULT_BACKOFF: Backoff = { first: 1_000, longest: 10_000 };

/** Milliseconds after which a pod is tried again though nothing has changed that could help it. */
const TRY_AGAIN = 60_000;

type Place = 'active' | 'backoff' | 'unschedulable';

/**
 * Three places to wait: `active`, ordered by priority and then by time; `backoff`, for those that failed a moment ago;
 * `unschedulable`, until something changes that could help. A change moves the latter to one of the others.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #tracer: Tracer;
  readonly #backoff: Backoff;
  readonly #incoming: (place: Place, event: QueueEvent) => void;
  readonly #where = new Map<string, { readonly queued: Queued; place: Place; timer: Timer | undefined }>();
  readonly #active = new Heap<Queued>((a, b) => comesBefore(a, b));
  #turn = 0;
  #lastMove = -1;
  #waiting: (() => void) | undefined;
  #closed = false;

  /** `incoming` is told of each pod that enters a place, and of what brought it there. */
  constructor(
    clock: Clock,
    tracer: Tracer,
    backoff = DEFAULT_BACKOFF,
    incoming: (place: Place, event: QueueEvent) => void = () => undefined,
  ) {
    this.#backoff = backoff;
    this.#incoming = incoming;
    this.#clock = clock;
    this.#tracer = tracer;
  }

  /** How many pods wait in each place. */
  get lengths(): Readonly<Record<Place, number>> {
    const lengths = { active: 0, backoff: 0, unschedulable: 0 };
    for (const { place } of this.#where.values()) lengths[place] += 1;
    return lengths;
  }

  /** All pods that wait, wherever. */
  pods(): Pod[] {
    return Array.from(this.#where.values(), ({ queued }) => queued.pod);
  }

  /** A pod without a node that nobody has tried yet. */
  add(pod: Pod): void {
    if (this.#where.has(keyOf(pod))) return this.update(pod);
    const now = this.#clock.now();
    const queued = { pod, since: now, came: now, began: now, attempts: 0, turn: this.#turn };
    this.#activate(queued, 'queued', 'it has no node', 'PodAdd');
  }

  /** The pod has changed; where it was given up, the change may help. */
  update(pod: Pod): void {
    const known = this.#where.get(keyOf(pod));
    if (!known) return;
    const before = known.queued.pod;
    known.queued.pod = pod;
    if (known.place === 'unschedulable' && mayHelp(before, pod))
      this.#move(known.queued, 'the pod was changed', 'PodUpdate');
  }

  remove(pod: Pod): void {
    this.#drop(keyOf(pod));
  }

  /** The next pod to be tried; waits until there is one. Undefined when the queue is closed. */
  async pop(): Promise<Queued | undefined> {
    for (;;) {
      const next = this.#active.pop();
      if (this.#closed) return undefined;
      if (!next) await new Promise<void>((resolve) => (this.#waiting = resolve));
      else if (this.#where.get(keyOf(next.pod))?.queued === next) return this.#take(next);
    }
  }

  /** The pod could not be placed: it waits until something changes, or only a moment if something has changed meanwhile. */
  giveBack(queued: Queued): void {
    if (this.#closed || this.#where.has(keyOf(queued.pod))) return;
    queued.since = this.#clock.now();
    if (this.#lastMove >= queued.turn)
      return this.#backOff(queued, 'something changed while it was being tried', 'ScheduleAttemptFailure');
    const again = (): void => this.#move(queued, 'it has waited for a minute', 'UnschedulableTimeout');
    const timer = this.#clock.setTimeout(again, TRY_AGAIN);
    this.#where.set(keyOf(queued.pod), { queued, place: 'unschedulable', timer });
    this.#incoming('unschedulable', 'ScheduleAttemptFailure');
    this.#trace(queued.pod, 'unschedulable', 'no node fits');
  }

  /** The pod failed for a reason that has nothing to do with nodes. */
  retry(queued: Queued): void {
    if (!this.#closed && !this.#where.has(keyOf(queued.pod)))
      this.#backOff(queued, 'the attempt failed', 'ScheduleAttemptFailure');
  }

  /** Something changed: pods that were given up, of those that `helps` names, are tried again. */
  moveAll(why: string, event: QueueEvent, helps: (pod: Pod) => boolean = () => true): void {
    this.#lastMove = this.#turn;
    for (const { queued, place } of [...this.#where.values()]) {
      if (place === 'unschedulable' && helps(queued.pod)) this.#move(queued, why, event);
    }
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#where.values()) this.#clock.clearTimeout(timer);
    this.#where.clear();
    this.#waiting?.();
  }

  #take(queued: Queued): Queued {
    this.#drop(keyOf(queued.pod));
    this.#turn += 1;
    queued.turn = this.#turn;
    queued.attempts += 1;
    this.#trace(queued.pod, 'popped', `attempt ${queued.attempts}`);
    return queued;
  }

  #drop(key: string): void {
    this.#clock.clearTimeout(this.#where.get(key)?.timer);
    this.#where.delete(key);
  }

  /** Out of the unschedulable ones: at once, or when its backoff has passed. */
  #move(queued: Queued, why: string, event: QueueEvent): void {
    this.#drop(keyOf(queued.pod));
    if (this.#backoffLeft(queued) > 0) this.#backOff(queued, why, event);
    else this.#activate(queued, 'moved', why, event);
  }

  #backOff(queued: Queued, why: string, event: QueueEvent): void {
    const key = keyOf(queued.pod);
    const timer = this.#clock.setTimeout(() => {
      this.#where.delete(key);
      this.#activate(queued, 'moved', 'its backoff has passed', 'BackoffComplete');
    }, this.#backoffLeft(queued));
    this.#where.set(key, { queued, place: 'backoff', timer });
    this.#incoming('backoff', event);
    this.#trace(queued.pod, 'backoff', why);
  }

  #backoffLeft(queued: Queued): number {
    const { first, longest } = this.#backoff;
    const backoff = Math.min(first * 2 ** Math.max(0, queued.attempts - 1), longest);
    return queued.since + backoff - this.#clock.now();
  }

  #activate(queued: Queued, what: 'queued' | 'moved', why: string, event: QueueEvent): void {
    if (this.#closed) return;
    this.#where.set(keyOf(queued.pod), { queued, place: 'active', timer: undefined });
    this.#active.push(queued);
    this.#incoming('active', event);
    this.#trace(queued.pod, what, why);
    this.#waiting?.();
  }

  #trace(pod: Pod, what: 'queued' | 'popped' | 'backoff' | 'unschedulable' | 'moved', why: string): void {
    if (!this.#tracer.wants('scheduling')) return;
    this.#tracer.emit({ topic: 'scheduling', pod: keyOf(pod), uid: pod.metadata.uid ?? '', what, why });
  }
}

function comesBefore(a: Queued, b: Queued): boolean {
  const [first, second] = [priorityOf(a.pod), priorityOf(b.pod)];
  return first === second ? a.since < b.since : first > second;
}

/** Whether anything but the pod's status and the server's own notes has changed. */
function mayHelp(before: Pod, after: Pod): boolean {
  const relevant = ({ metadata, spec }: Pod): string => {
    const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = metadata;
    return JSON.stringify([spec, labels, annotations, finalizers, ownerReferences, deletionTimestamp]);
  };
  return relevant(before) !== relevant(after);
}
