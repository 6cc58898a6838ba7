/** Scheduling metrics. */
import { counter, exponentialBuckets, gauge, histogram, type Clock, type Metrics } from '../std/index.ts';

const LATENCIES = exponentialBuckets(0.001, 2, 15);

export const attempts = counter(
  'scheduler_schedule_attempts_total',
  'Attempts to place a pod, and what came of them.',
  ['result', 'profile'],
);
export const endToEnd = histogram(
  'scheduler_e2e_scheduling_duration_seconds',
  'How long attempts took, binding included.',
  LATENCIES,
  ['result', 'profile'],
);
export const algorithm = histogram(
  'scheduler_scheduling_algorithm_duration_seconds',
  'How long it took to choose a node.',
  LATENCIES,
);
export const binding = histogram(
  'scheduler_binding_duration_seconds',
  'How long it took to tell the server where a pod goes.',
  LATENCIES,
);
export const victims = histogram(
  'scheduler_preemption_victims',
  'How many pods were deleted to make room for one.',
  exponentialBuckets(1, 2, 7),
);
export const preemptions = counter('scheduler_preemption_attempts_total', 'Attempts to make room by deleting pods.');
export const podDuration = histogram(
  'scheduler_pod_scheduling_duration_seconds',
  'How long pods were with the scheduler until they had a node, by the attempts that it took.',
  exponentialBuckets(0.01, 2, 20),
  ['attempts'],
);
export const podAttempts = histogram(
  'scheduler_pod_scheduling_attempts',
  'How many attempts it took to place a pod.',
  exponentialBuckets(1, 2, 5),
);
export const incoming = counter(
  'scheduler_queue_incoming_pods_total',
  'Pods that came into a queue, and what brought them there.',
  ['queue', 'event'],
);
export const pending = gauge('scheduler_pending_pods', 'Pods that wait, by queue.', ['queue']);
export const cacheSize = gauge('scheduler_scheduler_cache_size', 'What the scheduler keeps in mind.', ['type']);

export const schedulerFamilies = [
  ...[attempts, endToEnd, algorithm, binding, victims, preemptions],
  ...[podDuration, podAttempts, incoming, pending, cacheSize],
];

/** The event names in the metric of pods that enter a queue. */
export type QueueEvent =
  | 'PodAdd'
  | 'PodUpdate'
  | 'ScheduleAttemptFailure'
  | 'BackoffComplete'
  | 'UnschedulableTimeout'
  | 'AssignedPodAdd'
  | 'AssignedPodUpdate'
  | 'AssignedPodDelete'
  | `Node${'Add' | 'SpecUnschedulableChange' | 'AllocatableChange' | 'LabelChange' | 'TaintChange' | 'ConditionChange'}`
  | `${'Pv' | 'Pvc' | 'CSINode'}${'Add' | 'Update'}`
  | `Service${'Add' | 'Update' | 'Delete'}`
  | 'StorageClassAdd';

/** The result of an attempt. */
export type Result = 'scheduled' | 'unschedulable' | 'error';

/** Gauges that are computed when they are read. */
export interface SchedulerState {
  readonly lengths: Readonly<Record<string, number>>;
  readonly cached: Readonly<Record<string, number>>;
}

export class SchedulerMetrics {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  /** Stops updating gauges. */
  readonly stop: () => void;

  constructor(metrics: Metrics, clock: Clock, state: () => SchedulerState) {
    this.#metrics = metrics;
    this.#clock = clock;
    metrics.register(schedulerFamilies);
    this.stop = metrics.onCollect(() => {
      const { lengths, cached } = state();
      for (const [queue, length] of Object.entries(lengths)) metrics.set(pending, { queue }, length);
      for (const [type, size] of Object.entries(cached)) metrics.set(cacheSize, { type }, size);
    });
  }

  incoming(queue: string, event: QueueEvent): void {
    this.#metrics.add(incoming, { queue, event });
  }

  /** Records an attempt that started at `began`. */
  attempted(result: Result, profile: string, began: number): void {
    this.#metrics.add(attempts, { result, profile });
    this.#metrics.observe(endToEnd, { result, profile }, this.#since(began));
  }

  chosen(began: number): void {
    this.#metrics.observe(algorithm, {}, this.#since(began));
  }

  /** Records a bound pod: it was added at `came` and took `tries` attempts; the binding request started at `began`. */
  bound(began: number, came: number, tries: number): void {
    this.#metrics.observe(binding, {}, this.#since(began));
    this.#metrics.observe(podDuration, { attempts: String(tries) }, this.#since(came));
    this.#metrics.observe(podAttempts, {}, tries);
  }

  preempted(deleted: number): void {
    this.#metrics.add(preemptions, {});
    if (deleted > 0) this.#metrics.observe(victims, {}, deleted);
  }

  #since(began: number): number {
    return (this.#clock.now() - began) / 1000;
  }
}
