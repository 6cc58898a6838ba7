import type { Entry, Op, Revision } from '../types.ts';

/** A change of one key as an engine reports it; without `entry` the key was deleted. */
export interface EngineChange {
  readonly key: string;
  readonly entry?: Entry;
}

/** All changes at one revision; empty if only foreign keys changed. */
export interface EngineCommit {
  readonly revision: Revision;
  readonly changes: readonly EngineChange[];
}

/** All keys at one revision. */
export interface EngineState {
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Keys with unreadable values; their last known values stay. */
  readonly unreadable?: readonly string[];
}

/** Whether a commit's expectations were met. The changes, or the conflicting state, are at `revision`. */
export interface EngineOutcome {
  readonly held: boolean;
  readonly revision: Revision;
}

export interface EngineListener {
  /** Commits, each revision once and in order. */
  committed(commits: readonly EngineCommit[]): void;
  /**
   * The next commits were compacted: the state has to be read again and followed from there. Nothing is reported after
   * this.
   */
  missed(): void;
}

/**
 * A database that several processes share. It has one revision counter, reports every change in order, and performs a
 * commit only if its expectations are met.
 */
export interface Engine {
  /** Rejects with WriteError: `quota` if there is no space, else `failed`; after `failed` the outcome is unknown. */
  commit(ops: readonly Op[]): Promise<EngineOutcome>;
  /** The newest revision that was published before the call. */
  newest(): Promise<Revision>;
  /** The oldest state with history, as far back as useful. Rejects if a value can't be read. */
  oldest(): Promise<EngineState>;
  /** The current state. */
  state(): Promise<EngineState>;
  /** Reports everything after a readable revision, across lost connections, until `end` is called. */
  follow(after: Revision, listener: EngineListener): { end(): void };
  /** Compacts up to `revision`, unless another process has done so in this interval. */
  compact(revision: Revision): Promise<void>;
  /** Bytes on disk. */
  size(): Promise<number>;
  close(): Promise<void>;
}
