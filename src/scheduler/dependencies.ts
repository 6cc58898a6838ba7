import type { RemoteFetch } from '../authn/index.ts';
import type { Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Metrics, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { SchedulingQuestions } from './questions/index.ts';
import type { SchedulerView } from './queue.ts';

export interface SchedulerDependencies {
  /** The way to the API server as a user of that name. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** Where the process counts; the scheduler counts by itself where none is given. */
  readonly metrics?: Metrics;
  readonly names: Names;
  readonly flags: FlagOf;
  /** How extenders are reached. */
  readonly fetch: RemoteFetch;
  /** It begins paused. */
  readonly paused?: boolean;
  /** The virtual file set, in which `--config` and `--policy-config-file` name one. */
  readonly files: Readonly<Record<string, string>>;
}

/** The text of a flag: what was given, or its default; undefined for a text that nobody gave. */
export type FlagOf = (name: string) => string | undefined;

export interface RunningScheduler {
  /** Answers to questions about scheduling; the scheduler is fetched where no pod has needed it yet. */
  questions(): Promise<SchedulingQuestions>;
  /** How the queue stands, in few words; undefined where no pod has needed a scheduler yet. */
  view(): SchedulerView | undefined;
  /** Pauses or resumes scheduling: a paused scheduler still watches, but places no pod. */
  setPaused(paused: boolean): void;
  /** Lets a paused scheduler try one pod. */
  step(): void;
  /** Calls back whenever a node, a pod or the queue has changed; returns what ends it. */
  follow(changed: () => void): () => void;
  stop(): Promise<void>;
}

/** What can be asked of scheduling in a cluster that stands still. */
export interface RecalledScheduling {
  readonly questions: SchedulingQuestions;
  stop(): Promise<void>;
}
