import type { Revision } from './revision.ts';
import type { Clock } from '../std/index.ts';
import type { Backend } from './backends/backend.ts';
import type { CompactedError, OverflowError } from './errors.ts';

export type { Revision };

/** What a key held from one commit on. Immutable; every reader gets the same object, so a WeakMap may be keyed by it. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The revision of the commit that brought the key into being. */
  readonly created: Revision;
  /** The revision of the commit that wrote this value. */
  readonly revision: Revision;
  /** 1 when the key was created, one more with each later write. */
  readonly version: number;
  /** When the key goes by itself, in milliseconds since the epoch. */
  readonly expires?: number;
}

/** The keys from `start` up to but without `end`, as they were at `revision` (default: now). */
export interface Range {
  readonly start: string;
  readonly end: string;
  readonly revision?: Revision;
  /** At most so many entries; 0 or nothing means all. */
  readonly limit?: number;
  /** Entries that it refuses are passed over and don't count towards `limit`. */
  readonly filter?: (entry: Entry) => boolean;
}

export interface RangeResult {
  /** The revision that the entries belong to. */
  readonly revision: Revision;
  /** Ordered by key. */
  readonly entries: readonly Entry[];
  /** Whether the range holds keys after the last entry returned; `filter` is not asked about them. */
  readonly more: boolean;
  /** How many such keys there are. */
  readonly remaining: number;
}

/** One part of a commit. `expect` is the revision that the key must be at; 0 means that it must not exist, none means any. */
export type Op =
  | {
      readonly type: 'put';
      readonly key: string;
      readonly value: string;
      readonly expect?: Revision;
      /** When the key goes by itself, in milliseconds since the epoch. A later put without it makes the key stay. */
      readonly expires?: number;
      /** Gets the entry once it is durable, before any watch does. Storages that others share may leave it out. */
      readonly stored?: (entry: Entry) => void;
    }
  | { readonly type: 'delete'; readonly key: string; readonly expect?: Revision }
  | { readonly type: 'check'; readonly key: string; readonly expect: Revision };

/**
 * What came of a commit. `entries` has one item for each op: what a put wrote, what a delete removed, what a check found.
 * A commit that changed nothing (checks, deletes of absent keys) takes no revision and reports the one it was judged at.
 */
export type CommitResult =
  | { readonly ok: true; readonly revision: Revision; readonly entries: readonly (Entry | undefined)[] }
  | { readonly ok: false; readonly conflict: Entry | undefined; readonly key: string };

export interface CommitOptions {
  /** It makes room in the end, as marking an object for deletion does: it is written also when the disk is full. A commit of deletes always is. */
  readonly frees?: boolean;
}

/** `full`: only deletes and compactions are written. `lost`: what is on disk is gone, `why` says how; only memory still has it. */
export type StorageCondition =
  { readonly is: 'sound' } | { readonly is: 'full' } | { readonly is: 'lost'; readonly why: string };

/** One key's change. `entry` is what a put wrote; `previous` is what was there before, so a delete always has it. */
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
  /** Events with a higher revision are delivered. It may lie ahead of the newest. */
  readonly from: Revision;
  /** How many events may wait while the receiver is busy; one more cuts it off. */
  readonly bufferLimit?: number;
  /** Only events on this topic concern the receiver; others may be kept from it. */
  readonly topic?: Topic;
}

/** What a watch of a large range is about, so that an event costs the watches that it concerns and no others. */
export interface Topic {
  /** What an entry is about. Watches share an index where they hand in the same function. */
  readonly of: (entry: Entry) => string;
  /** Events are handed over whose entry is about this now, or was before. */
  readonly value: string;
}

/**
 * Receives events in order, a commit's events never torn apart; nothing in the range is missing up to `revision`.
 * Every receiver of one range gets the same array. A receiver that returns a promise gets nothing more until it settles.
 */
export type EventSink = (events: readonly StorageEvent[], revision: Revision) => void | Promise<void>;

export interface Watch {
  /** Every event of the range up to this revision has been handed over. */
  readonly revision: Revision;
  /** How many events wait for the receiver. */
  readonly backlog: number;
  /** Ends the watch; nothing is called after it, `onEnd` neither. */
  close(): void;
}

export interface StorageStats {
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly keys: number;
  /** Changes that are kept since the compacted revision. */
  readonly revisions: number;
  readonly watches: number;
  /** Rows of the log on disk, and of the snapshot under it. */
  readonly segments: number;
  readonly snapshotRows: number;
  /** Bytes on disk, log and snapshot together. */
  readonly bytes: number;
  /** Group commits since opening, and the commits that they carried. */
  readonly groups: number;
  readonly commits: number;
  /** Why tidying up the disk failed the last time; writes go on without it. */
  readonly upkeepError?: string;
}

/** An ordered key space with history. Reads are synchronous; the rules are numbered in RULES.md. */
export interface Storage {
  /** Whether other servers write to it too. */
  readonly shared?: boolean;
  /** The newest durable revision: what every read sees. 0 while nothing was ever written. */
  readonly revision: Revision;
  /** History is kept from here: reads at a lower revision and watches from a lower one fail. */
  readonly compacted: Revision;
  /** Throws CompactedError or FutureRevisionError when `revision` is out of reach. */
  get(key: string, revision?: Revision): Entry | undefined;
  /** Throws CompactedError or FutureRevisionError when the range's revision is out of reach. */
  range(range: Range): RangeResult;
  /** Waits until reads show all that anybody was told is written. Undefined where there is nothing to wait for. */
  fresh(): Promise<void> | undefined;
  /** How many keys there are now from `start` up to but without `end`. */
  count(start: string, end: string): number;
  /** All ops or none; resolves when the outcome is durable, rejects with WriteError when it could not be made so. */
  commit(ops: readonly Op[], options?: CommitOptions): Promise<CommitResult>;
  /** Resolves when the write that is under way has ended, whatever came of it; undefined while there is none. */
  writing(): Promise<void> | undefined;
  /** Whether it can be written, and what keeps it from that. */
  readonly condition: StorageCondition;
  /** Calls back when `condition` has changed; returns what ends that. */
  onCondition(listener: (condition: StorageCondition) => void): () => void;
  /** `onEnd` is called once when the storage ends the watch: with the reason, or with nothing when it closes or `sink` threw. */
  watch(
    options: WatchOptions,
    sink: EventSink,
    onEnd: (error: CompactedError | OverflowError | undefined) => void,
  ): Watch;
  /** Resolves true once `revision` is durable, false when that takes longer than `timeoutMs` of the clock. */
  waitFor(revision: Revision, timeoutMs: number): Promise<boolean>;
  /** Forgets what came before `revision`; never goes back. */
  compact(revision: Revision): Promise<void>;
  /** Keeps so many milliseconds of history from now on; Infinity keeps all. */
  keepHistory(ms: number): void;
  /** What is kept of one key, oldest first; the first may be a value that was there already when history begins. */
  history(key: string): readonly StorageEvent[];
  /** The changes after a kept revision, oldest first; throws CompactedError when it is out of reach. */
  changesSince(revision: Revision): readonly StorageEvent[];
  stats(): StorageStats;
  /** The whole database as JSON lines; `restoreStorage` reads them. */
  export(): AsyncIterable<Uint8Array>;
  /** Waits for the writes that were accepted, ends all watches, lets go of the backend. */
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly backend: Backend;
  readonly clock: Clock;
  /** Milliseconds of history to keep; 5 minutes unless told, Infinity keeps all. */
  readonly keep?: number;
  /** There was data before: where there is none, opening throws GoneError instead of making an empty database. */
  readonly expectData?: boolean;
  /** Others write to it, too (`localEngine`): its user has to agree with them. */
  readonly shared?: boolean;
}
