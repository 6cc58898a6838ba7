import type { RemoteFetch } from '../authn/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { SchedulingQuestions } from './questions/index.ts';
import type { SchedulerView } from './queue.ts';

export interface SchedulerDependencies {
  /** Returns a transport with the identity of that user. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** The metrics of the process; by default the scheduler has its own. */
  readonly metrics?: Metrics;
  readonly names: Names;
  readonly flags: FlagOf;
  /** Reaches extenders. */
  readonly fetch: RemoteFetch;
  /** Whether it starts paused. */
  readonly paused?: boolean;
  /** The files that `--config` and `--policy-config-file` may refer to. */
  readonly files: Readonly<Record<string, string>>;
}

/** The text of a flag or its default; undefined if it has neither. */
export type FlagOf = (name: string) => string | undefined;

export interface RunningScheduler {
  /** Answers to questions about scheduling; loads the scheduler if needed. */
  questions(): Promise<SchedulingQuestions>;
  /** A summary of the queue; undefined if the scheduler is not loaded yet. */
  view(): SchedulerView | undefined;
  /** Pauses or resumes scheduling: a paused scheduler still watches, but places no pod. */
  setPaused(paused: boolean): void;
  /** Lets a paused scheduler try one pod. */
  step(): void;
  /** Calls `changed` whenever a node, a pod or the queue has changed; returns a function that stops it. */
  follow(changed: () => void): () => void;
  stop(): Promise<void>;
}

/** The questions that can be answered for a cluster that does not change. */
export interface RecalledScheduling {
  readonly questions: SchedulingQuestions;
  stop(): Promise<void>;
}
