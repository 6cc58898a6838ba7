import { inBackground, inTurns, yieldToTasks, type Clock } from '../std/index.ts';
import { valueLength } from './entry.ts';
import type { EntriesInSteps } from './disk/foldedRows.ts';
import type { CompactedError, OverflowError } from './errors.ts';
import type { KeySpace } from './keyspace.ts';
import type { Folder } from './folder.ts';
import { folding } from './folding.ts';
import { exporting } from './parts.ts';
import type { Revision } from './revision.ts';
import type * as T from './types.ts';
import { Waiters } from './waiters.ts';
import { Watches } from './watches.ts';

/** The values of the last so many changes are not folded: they are likely to be read. */
const RECENT = 1000;
/** Characters of a value that is folded before its history is compacted. */
const WORTH_FOLDING = 1000;

/** The part of every storage that reads from its key space in memory: reads, watches, history and exports. */
export abstract class Reads {
  protected readonly space: KeySpace;
  protected readonly watches: Watches;
  protected readonly waiters: Waiters;
  #folder: Folder | undefined;

  constructor(space: KeySpace, clock: Clock, folder?: Folder) {
    this.space = space;
    this.#folder = folder;
    this.watches = new Watches(space);
    this.waiters = new Waiters(clock);
  }

  get revision(): Revision {
    return this.space.revision;
  }

  get compacted(): Revision {
    return this.space.compacted;
  }

  get(key: string, revision?: Revision): T.Entry | undefined {
    return this.space.get(key, revision);
  }

  range(range: T.Range): T.RangeResult {
    return this.space.range(range);
  }

  count(start: string, end: string): number {
    return this.space.count(start, end);
  }

  watch(
    options: T.WatchOptions,
    sink: T.EventSink,
    onEnd: (error: CompactedError | OverflowError | undefined) => void,
  ): T.Watch {
    return this.watches.add(options, sink, onEnd);
  }

  async waitFor(revision: Revision, timeoutMs: number): Promise<boolean> {
    return revision <= this.revision || this.waiters.wait(revision, timeoutMs);
  }

  history(key: string): readonly T.StorageEvent[] {
    return this.space.history(key);
  }

  changesSince(revision: Revision): readonly T.StorageEvent[] {
    return this.space.eventsSince(revision);
  }

  async *export(): AsyncIterable<Uint8Array> {
    const { exportLines } = await exporting.load();
    yield* exportLines(this.space);
  }

  /** Drops the changes up to and including `revision`. What they took is freed, and what is left of a key folded, in the background. */
  protected compactSpace(revision: Revision): void {
    const steps = this.space.compactInSteps(revision);
    const done = inTurns(steps).then(() => this.#fold(this.space.takeSettled()));
    inBackground(done, () => undefined);
  }

  /** Folds values in the background, a few at a time. */
  #fold(entries: readonly T.Entry[]): void {
    if (entries.length === 0) return;
    const done = this.folded(entries).then(async (each) => {
      for (const entry of each) if (!entry) await yieldToTasks();
    });
    // Without the part they stay as they are.
    inBackground(done, () => undefined);
  }

  /** The same entries, whose values are folded as they are read. */
  protected async folded(entries: EntriesInSteps): Promise<EntriesInSteps> {
    const { foldEach, Folder } = await folding.load();
    return foldEach(entries, (this.#folder ??= new Folder()));
  }

  /** Statistics that every storage reports. */
  protected readStats(): Pick<T.StorageStats, 'revision' | 'compacted' | 'keys' | 'revisions' | 'watches'> {
    return {
      revision: this.revision,
      compacted: this.compacted,
      keys: this.space.keys,
      revisions: this.space.changes,
      watches: this.watches.size,
    };
  }

  /** Notifies watches and waiters of changes that are already visible in the key space. */
  protected announce(events: readonly T.StorageEvent[]): void {
    this.watches.publish(events, this.revision);
    this.waiters.reached(this.revision);
    this.#folder?.deleted(events);
    // History is read rarely, once its changes were delivered. Short values, as those of leases, come and go by the thousand.
    if (this.space.fresh >= 2 * RECENT)
      this.#fold(this.space.takeAged(RECENT).filter((entry) => valueLength(entry) >= WORTH_FOLDING));
  }
}
