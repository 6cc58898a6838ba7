import { type Clock, inBackground, throwToHost } from '../std/index.ts';
import type { Backend } from './backends/backend.ts';
import { Committer } from './committer.ts';
import type { Change } from './committer.ts';
import { Compactor } from './compactor.ts';
import { Conditions } from './conditions.ts';
import type { EntriesInSteps } from './disk/foldedRows.ts';
import type { Journal } from './disk/journal.ts';
import { Expiry } from './expiry.ts';
import type { Folder } from './folder.ts';
import type { KeySpace } from './keyspace.ts';
import { folding } from './folding.ts';
import type { Pace } from './pace.ts';
import { exporting } from './parts.ts';
import { Reads } from './reads.ts';
import type { Revision } from './revision.ts';
import type * as T from './types.ts';
import { Upkeep } from './upkeep.ts';

/** Milliseconds until the deletion of an expired key is retried after a failed write. */
const EXPIRY_RETRY = 10_000;

interface Parts {
  readonly space: KeySpace;
  /** Absent for a database that lives in memory only: then nothing is written. */
  readonly disk?: { readonly journal: Journal; readonly backend: Backend };
  readonly clock: Clock;
  readonly keep: number;
  readonly shared?: boolean;
  /** What has folded values that the space holds already. */
  readonly folder?: Folder | undefined;
}

/**
 * Combines the parts: reads come from the key space, writes go through the committer, the rest runs in the background.
 */
export class Database extends Reads implements T.Storage {
  readonly shared: boolean;
  readonly #disk: Parts['disk'];
  readonly #upkeep: Upkeep | undefined;
  #pace: Pace | undefined;
  readonly #expiry: Expiry;
  readonly #committer: Committer;
  readonly #compactor: Compactor;
  readonly #conditions: Conditions;

  constructor({ space, disk, clock, keep, shared = false, folder }: Parts) {
    super(space, clock, folder);
    this.shared = shared;
    this.#disk = disk;
    const fold = (entries: EntriesInSteps): Promise<EntriesInSteps> => this.folded(entries);
    this.#upkeep = disk && new Upkeep(space, disk.journal, fold, () => this.#conditions.look());
    this.#committer = new Committer(
      space,
      (changes, frees) => this.#append(changes, frees),
      (changes) => this.#publish(changes),
      (requests, waiting) => this.#pause(requests, waiting, clock),
    );
    this.#expiry = new Expiry(
      clock,
      (key) => space.get(key)?.expires,
      (keys) => inBackground(this.#expire(keys), throwToHost),
    );
    for (const entry of space.entriesAt(space.revision)) this.#expiry.note({ key: entry.key, entry });
    this.#compactor = new Compactor(clock, keep, this);
    this.#conditions = new Conditions(disk?.backend);
    // When the disk is full or lost, a user may need an export at once and may be offline by then.
    this.#conditions.listen(() => inBackground(exporting.load(), () => undefined));
  }

  /** There is nothing to wait for: this process has the newest durable state. */
  fresh(): undefined {
    return undefined;
  }

  commit(ops: readonly T.Op[], options?: T.CommitOptions): Promise<T.CommitResult> {
    return this.#committer.commit(ops, options);
  }

  series(series: T.Series): void {
    this.#committer.enqueue(series);
  }

  writing(): Promise<void> | undefined {
    return this.#committer.writing;
  }

  get condition(): T.StorageCondition {
    return this.#conditions.current;
  }

  onCondition(listener: (condition: T.StorageCondition) => void): () => void {
    return this.#conditions.listen(listener);
  }

  compact(revision: Revision): Promise<void> {
    return this.#committer.compact(revision);
  }

  keepHistory(ms: number): void {
    this.#compactor.keep(ms);
  }

  stats(): T.StorageStats {
    const error = this.#upkeep?.error;
    const { segments = 0, snapshotRows = 0, bytes = 0 } = this.#disk?.journal ?? {};
    return {
      ...this.readStats(),
      ...{ segments, snapshotRows, bytes },
      groups: this.#committer.groups,
      commits: this.#committer.commits,
      ...(error === undefined ? {} : { upkeepError: error }),
    };
  }

  async close(): Promise<void> {
    this.#expiry.close();
    this.#compactor.close();
    await this.#committer.close();
    await this.#upkeep?.close();
    this.watches.close();
    this.waiters.close();
    await this.#disk?.backend.close();
  }

  /** Writes are not paced before the part is there, so none is when a cluster starts. */
  #pause(requests: number, waiting: () => number, clock: Clock): Promise<void> | undefined {
    const { gap } = this.#disk?.backend ?? {};
    if (!gap || !folding.loaded) return undefined;
    const pause = (this.#pace ??= new (folding.get().Pace)(gap)).next(requests, waiting);
    return pause && clock.during(pause, 'io');
  }

  async #append(changes: readonly Change[], frees: boolean): Promise<void> {
    try {
      await this.#disk?.journal.append(changes, frees);
    } finally {
      this.#conditions.look();
    }
  }

  /** Makes durable changes visible; all of them before any watch is notified. */
  #publish(changes: readonly Change[]): void {
    const events: T.StorageEvent[] = [];
    for (const change of changes) {
      if (change.type === 'compact') {
        this.compactSpace(change.revision);
        continue;
      }
      this.space.apply(change.revision, change.events);
      for (const event of change.events) {
        this.#expiry.note(event);
        events.push(event);
      }
    }
    this.announce(events);
    if (events.length > 0) this.#compactWhenFull();
    this.#upkeep?.kick();
  }

  /** On a full disk history is not kept, because deleted entries take up space until they are compacted. */
  #compactWhenFull(): void {
    if (this.condition.is === 'full') inBackground(this.compact(this.revision), () => undefined);
  }

  /** Deletes expired keys; a key that was rewritten meanwhile stays. */
  async #expire(keys: readonly string[]): Promise<void> {
    const deletions = keys.map(async (key) => {
      const expect = this.space.get(key)?.revision;
      if (expect !== undefined) await this.commit([{ type: 'delete', key, expect }]);
    });
    const outcomes = await Promise.allSettled(deletions);
    const failed = keys.filter((_, i) => outcomes[i]?.status === 'rejected');
    this.#expiry.retry(failed, EXPIRY_RETRY);
  }
}
