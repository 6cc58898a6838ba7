import type { Entry, Op, Revision } from '../types.ts';

/** One key's change as an engine reports it; without `entry` the key was deleted. */
export interface EngineChange {
  readonly key: string;
  readonly entry?: Entry;
}

/** All that happened at one revision; no changes where it concerned keys of others only. */
export interface EngineCommit {
  readonly revision: Revision;
  readonly changes: readonly EngineChange[];
}

/** Every key as it was at one revision. */
export interface EngineState {
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Keys that are there with a value that nobody here can read; what was known of them stays. */
  readonly unreadable?: readonly string[];
}

/** Whether a commit's expectations held; its changes, or what contradicted it, stand at `revision`. */
export interface EngineOutcome {
  readonly held: boolean;
  readonly revision: Revision;
}

export interface EngineListener {
  /** What happened, every revision once and in order. */
  committed(commits: readonly EngineCommit[]): void;
  /** What came next is not kept any more: the state has to be read again, and followed from there. Nothing is told after it. */
  missed(): void;
}

/**
 * A database that several processes share. It has one counter of revisions, tells of every change in order, and makes a
 * commit only if what it expects holds.
 */
export interface Engine {
  /** Rejects with WriteError: `quota` when there is no room, else `failed`; then nobody knows whether it was made. */
  commit(ops: readonly Op[]): Promise<EngineOutcome>;
  /** The newest revision that was published before the call. */
  newest(): Promise<Revision>;
  /** The state from which history is kept, as far back as is worth reading. Rejects where a value can't be read. */
  oldest(): Promise<EngineState>;
  /** The state now. */
  state(): Promise<EngineState>;
  /** Tells of everything after a revision that can be read, through losses of the connection, until it is ended. */
  follow(after: Revision, listener: EngineListener): { end(): void };
  /** Forgets what came before `revision`, unless another process has done so in this interval. */
  compact(revision: Revision): Promise<void>;
  /** Bytes on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
}
