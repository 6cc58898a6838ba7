/** What the engine needs of a running cluster. */
import type { Transport } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { Clock } from '../../std/index.ts';
import type { Topic, TraceEvent } from '../../trace/index.ts';

export interface LessonCluster {
  readonly names: Names;
  /** Its requests come from the administrator, where they name nobody else. */
  readonly transport: Transport;
  /** Tells of what happens from now on; returns what ends it. */
  trace(listener: (events: readonly TraceEvent[]) => void, topics: readonly Topic[]): () => void;
  /** Moves the cluster's clock ahead by some milliseconds. */
  step(ms: number): Promise<unknown>;
  /** What the cluster's clock shows: milliseconds since the epoch. */
  now(): Promise<number>;
  /** For the nonces of proofs. */
  readonly random: { bytes(count: number): Uint8Array };
  /** The clock for pauses between attempts. */
  readonly clock: Clock;
}

/** Reads for the lesson's checks, kept apart from what people do. */
export const OBSERVER = 'vitrine-observer';
/** Plays the start state and the solutions. */
export const PLAYER = 'vitrine-lesson';
