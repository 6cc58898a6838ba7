import type { EntriesInSteps } from './disk/foldedRows.ts';
import type { Journal } from './disk/journal.ts';
import type { KeySpace } from './keyspace.ts';
import type { Revision } from './revision.ts';

/** Maintains the disk in the background, one job at a time. A failed job loses nothing but space. */
export class Upkeep {
  readonly #space: KeySpace;
  readonly #journal: Journal;
  #running: Promise<void> | undefined;
  #snapshotAsked: Revision = -1;
  #patience = 0;
  #closed = false;
  error: string | undefined;

  readonly #fold: (entries: EntriesInSteps) => Promise<EntriesInSteps>;
  readonly #onDone: () => void;

  /** `fold` returns the same entries; each value is folded when its entry is reached. `onDone` is called after each job, whether it succeeded or failed. */
  constructor(
    space: KeySpace,
    journal: Journal,
    fold: (entries: EntriesInSteps) => Promise<EntriesInSteps>,
    onDone: () => void,
  ) {
    this.#fold = fold;
    this.#onDone = onDone;
    this.#space = space;
    this.#journal = journal;
  }

  /** Starts a job if one is due; called after every write. */
  kick(): void {
    if (this.#running || this.#closed || --this.#patience > 0) return;
    const job = this.#nextJob();
    if (job) this.#running = this.#run(job);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #nextJob(): (() => Promise<void>) | undefined {
    if (this.#journal.uncertain) return () => this.#journal.resync();
    const { compacted } = this.#space;
    if (compacted !== this.#snapshotAsked) {
      if (this.#journal.snapshotDue(compacted)) return () => this.#snapshot(compacted);
      this.#snapshotAsked = compacted;
    }
    const rows = this.#journal.joinable();
    return rows.length > 0 ? () => this.#journal.join(rows, this.#fold) : undefined;
  }

  /** Values at the compacted revision are history, or not written any more: they are folded as they are written. */
  async #snapshot(revision: Revision): Promise<void> {
    await this.#space.walk(revision, async (entries) => {
      const journal = this.#journal;
      if (journal.full && !(await journal.pays(await this.#fold(entries()), revision))) this.#snapshotAsked = revision;
      else await journal.snapshot(await this.#fold(entries()), revision);
    });
  }

  async #run(job: () => Promise<void>): Promise<void> {
    try {
      await job();
      this.error = undefined;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
      this.#patience = this.#journal.tuning.patience;
    }
    this.#running = undefined;
    this.#onDone();
    this.kick();
  }
}
