import type { Revision } from './revision.ts';
import type { Clock } from '../std/index.ts';
import type { Backend } from './backends/backend.ts';
import type { CompactedError, OverflowError } from './errors.ts';

export type { Revision };

/**
 * The value of a key from one commit on. Immutable; every reader gets the same object, so it may be the key of a
 * WeakMap.
 */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The revision of the commit that created the key. */
  readonly created: Revision;
  /** The revision of the commit that wrote this value. */
  readonly revision: Revision;
  /** 1 when the key was created, one more with each later write. */
  readonly version: number;
  /** When the key expires, in milliseconds since the epoch. */
  readonly expires?: number;
}

/** The keys from `start` (inclusive) to `end` (exclusive), as of `revision` (default: now). */
export interface Range {
  readonly start: string;
  readonly end: string;
  readonly revision?: Revision;
  /** The maximum number of entries; 0 or undefined means all. */
  readonly limit?: number;
  /** Rejected entries are skipped and do not count towards `limit`. */
  readonly filter?: (entry: Entry) => boolean;
}

export interface RangeResult {
  /** The revision of the entries. */
  readonly revision: Revision;
  /** Ordered by key. */
  readonly entries: readonly Entry[];
  /** Whether the range has keys after the last returned entry; they are not filtered. */
  readonly more: boolean;
  /** The number of such keys. */
  readonly remaining: number;
}

/**
 * One part of a commit. `expect` is the revision that the key must have; 0 means that it must not exist, undefined
 * allows any.
 */
export interface PutOp {
  readonly type: 'put';
  readonly key: string;
  readonly value: string;
  readonly expect?: Revision;
  /** When the key expires, in milliseconds since the epoch. A later put without it removes the expiry. */
  readonly expires?: number;
  /** Called with the entry once it is durable, before any watch. Shared storages may not call it. */
  readonly stored?: (entry: Entry) => void;
}

export type Op =
  | PutOp
  | { readonly type: 'delete'; readonly key: string; readonly expect?: Revision }
  | { readonly type: 'check'; readonly key: string; readonly expect: Revision };

/**
 * The outcome of a commit. `entries` has one item for each op: what a put wrote, what a delete removed, what a check
 * found. A commit that changes nothing (checks, deletes of absent keys) takes no revision and returns the current one.
 */
export type CommitResult =
  | { readonly ok: true; readonly revision: Revision; readonly entries: readonly (Entry | undefined)[] }
  | { readonly ok: false; readonly conflict: Entry | undefined; readonly key: string };

/**
 * Replaces the value of a key that still has `previous`, with a text of which only the middle differs between versions.
 * The halves of a surrogate pair are not split between the parts.
 */
export interface Rewrite {
  readonly previous: Entry;
  readonly around: readonly [before: string, after: string];
  readonly differs: string;
  /** Called with the entry once it is durable, before any watch. */
  readonly stored: (entry: Entry) => void;
}

/** The state with all commits evaluated so far, to which a series adds its own. */
export interface DraftState {
  readonly revision: Revision;
  get(key: string): Entry | undefined;
  put(entry: Entry, previous: Entry): StorageEvent;
  write(put: PutOp): StorageEvent;
}

/** The commits of a series. `tell` is called once they are durable, before any watch, and `answer` after all watches. */
export interface SeriesVerdict {
  readonly changes: readonly {
    readonly type: 'commit';
    readonly revision: Revision;
    readonly events: readonly StorageEvent[];
  }[];
  readonly tell: () => void;
  readonly answer: () => void;
}

/** Several commits that are evaluated together (see `series.ts`). */
export interface Series {
  readonly type: 'series';
  readonly frees: boolean;
  readonly judge: (draft: DraftState) => SeriesVerdict;
  readonly reject: (error: unknown) => void;
}

export interface CommitOptions {
  /**
   * The commit will free space, as marking an object for deletion does: it is written even on a full disk. So is every
   * commit of deletes.
   */
  readonly frees?: boolean;
}

/**
 * `full`: only deletes and compactions are written. `lost`: the data on disk is gone, for the reason `why`; only memory
 * still has it.
 */
export type StorageCondition =
  { readonly is: 'sound' } | { readonly is: 'full' } | { readonly is: 'lost'; readonly why: string };

/** A change of one key. `entry` is what a put wrote; `previous` is the entry before, which a delete always has. */
export interface StorageEvent {
  readonly type: 'put' | 'delete';
  readonly revision: Revision;
  readonly key: string;
  readonly entry?: Entry;
  readonly previous?: Entry;
}

export interface WatchOptions {
  readonly start: string;
  readonly end: string;
  /** Events with a higher revision are delivered. It may be newer than the current revision. */
  readonly from: Revision;
  /** The number of events that may queue while the receiver is busy; one more ends the watch. */
  readonly bufferLimit?: number;
  /** The receiver needs only events on this topic; others may be omitted. */
  readonly topic?: Topic;
}

/** The topic of a watch on a large range, so that an event only costs the watches on its topic. */
export interface Topic {
  /** The topic of an entry. Watches with the same function share an index. */
  readonly of: (entry: Entry) => string;
  /** Events are delivered if their entry has this topic now or had it before. */
  readonly value: string;
}

/**
 * Receives events in order, with the events of a commit together; it has received everything in the range up to
 * `revision`. Every receiver of one range gets the same array. If it returns a promise, the next call waits for the
 * promise.
 */
export type EventSink = (events: readonly StorageEvent[], revision: Revision) => void | Promise<void>;

export interface Watch {
  /** Every event of the range up to this revision has been delivered. */
  readonly revision: Revision;
  /** The number of events queued for the receiver. */
  readonly backlog: number;
  /** Ends the watch; nothing is called after it, not even `onEnd`. */
  close(): void;
}

export interface StorageStats {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly keys: number;
  /** The number of changes kept since the compacted revision. */
  readonly revisions: number;
  readonly watches: number;
  /** The number of rows of the log and the snapshot on disk. */
  readonly segments: number;
  readonly snapshotRows: number;
  /** Bytes on disk, including log and snapshot. */
  readonly bytes: number;
  /** The number of group commits since opening, and the commits in them. */
  readonly groups: number;
  readonly commits: number;
  /** Why the last maintenance of the disk failed; writes continue. */
  readonly upkeepError?: string;
}

/** An ordered key space with history. Reads are synchronous; RULES.md numbers the rules. */
export interface Storage {
  /** Whether other servers write to it. */
  readonly shared?: boolean;
  /** The newest durable revision, which every read sees; 0 if nothing was ever written. */
  readonly revision: Revision;
  /** The start of history: reads and watches at lower revisions fail. */
  readonly compacted: Revision;
  /** Throws CompactedError or FutureRevisionError if `revision` is not available. */
  get(key: string, revision?: Revision): Entry | undefined;
  /** Throws CompactedError or FutureRevisionError if the range's revision is not available. */
  range(range: Range): RangeResult;
  /** Waits until reads include every acknowledged write. Returns undefined if there is nothing to wait for. */
  fresh(): Promise<void> | undefined;
  /** The number of current keys from `start` (inclusive) to `end` (exclusive). */
  count(start: string, end: string): number;
  /**
   * Performs all ops or none. Resolves when the outcome is durable; rejects with WriteError if it could not be made
   * durable.
   */
  commit(ops: readonly Op[], options?: CommitOptions): Promise<CommitResult>;
  /** Performs several commits together; see `series.ts`. Shared storages can't. */
  series?(series: Series): void;
  /** Resolves when the current write has ended, successfully or not; undefined if there is none. */
  writing(): Promise<void> | undefined;
  /** Whether the storage is writable, and if not, why. */
  readonly condition: StorageCondition;
  /** Calls `listener` when `condition` has changed; returns a function that removes it. */
  onCondition(listener: (condition: StorageCondition) => void): () => void;
  /**
   * `onEnd` is called once when the storage ends the watch: with the reason, or without one if the storage closes or
   * `sink` threw.
   */
  watch(
    options: WatchOptions,
    sink: EventSink,
    onEnd: (error: CompactedError | OverflowError | undefined) => void,
  ): Watch;
  /** Resolves to true once `revision` is durable, or to false after `timeoutMs` of the clock. */
  waitFor(revision: Revision, timeoutMs: number): Promise<boolean>;
  /** Drops the history before `revision`; compaction can't be undone. */
  compact(revision: Revision): Promise<void>;
  /** Sets how many milliseconds of history are kept from now on; Infinity keeps all. */
  keepHistory(ms: number): void;
  /** The kept changes of one key, oldest first; the first may be the value that existed when history begins. */
  history(key: string): readonly StorageEvent[];
  /** The changes after a kept revision, oldest first; throws CompactedError if the revision is not available. */
  changesSince(revision: Revision): readonly StorageEvent[];
  stats(): StorageStats;
  /** The whole database as JSON lines; `restoreStorage` reads them. */
  export(): AsyncIterable<Uint8Array>;
  /** Waits for accepted writes, ends all watches, and releases the backend. */
  close(): Promise<void>;
}

export interface StorageOptions {
  /** Absent for a database that lives in memory only. */
  readonly backend?: Backend | undefined;
  readonly clock: Clock;
  /** Milliseconds of history to keep; 5 minutes by default, Infinity keeps all. */
  readonly keep?: number;
  /** Data is expected: if there is none, opening throws GoneError instead of creating an empty database. */
  readonly expectData?: boolean;
  /** Other servers write to it too (`localEngine`), so the owner has to coordinate with them. */
  readonly shared?: boolean;
}
