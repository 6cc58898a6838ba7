import type { Backend, Batch } from '../backends/backend.ts';
import type { Change } from '../committer.ts';
import { WriteError } from '../errors.ts';
import { folding } from '../folding.ts';
import type { Revision } from '../revision.ts';
import { FORMAT, writeChanges, writeHead } from './codec.ts';
import type { Head } from './codec.ts';
import type { EntriesInSteps } from './foldedRows.ts';
import { encodeFrame } from './frame.ts';
import { HEAD_ROWS, type Layout, type LogRow } from './layout.ts';
import { defaultTuning, type Tuning } from './tuning.ts';

/**
 * The entries of a folded snapshot are several times smaller than in the log, but to write one takes its processor time for
 * each entry, and the log is read whole when the database is opened. So neither the bytes as they are nor the length of all
 * values would be the right measure.
 */
const LOG_FACTOR = 2;

/** The database on disk: a snapshot, and the log of commits since, with one frame for each group commit. */
export class Journal {
  readonly tuning: Tuning;
  readonly #backend: Backend;
  #head: Head;
  #baseBytes: number;
  #log: LogRow[];
  /** The sequence number of the next log frame. */
  #next: number;
  /**
   * The id of the next snapshot row. It never decreases: if switching the head failed, or its outcome is unknown, the
   * rows of that attempt must not be touched until another snapshot is valid.
   */
  #nextBase: number;
  /** The snapshot in progress; it never rejects. */
  #snapshot: Promise<void> | undefined;
  /** A rearrangement failed with an unknown outcome; `resync` reads the outcome from disk. */
  uncertain = false;

  constructor(backend: Backend, layout: Layout, tuning: Tuning = defaultTuning) {
    this.#backend = backend;
    this.tuning = tuning;
    this.#head = layout.head;
    this.#baseBytes = layout.baseBytes;
    this.#log = [...layout.log];
    this.#next = (layout.log.at(-1)?.last ?? layout.head.logFrom - 1) + 1;
    this.#nextBase = layout.head.baseFrom + layout.head.baseRows;
  }

  get segments(): number {
    return this.#log.length;
  }

  get snapshotRows(): number {
    return this.#head.baseRows;
  }

  get bytes(): number {
    return this.#baseBytes + sizeOf(this.#log);
  }

  get full(): boolean {
    return this.#backend.full === true;
  }

  /** Initializes an empty database. */
  async create(): Promise<void> {
    await this.#backend.write({ put: headRows(this.#head) });
  }

  /** Makes changes durable; `frees` as in `Batch`. Leftovers of a failed attempt are overwritten by the next one. */
  async append(changes: readonly Change[], frees = false): Promise<void> {
    const id = this.#next;
    const bytes = encodeFrame('log', id, (body) => writeChanges(changes, body));
    const { length } = bytes;
    await this.#writeBesideSnapshot({ put: [{ table: 'log', id, bytes }], frees });
    if (folding.loaded) folding.get().giveBack(this.#backend, bytes);
    const revision = Math.max(...changes.map((change) => change.revision));
    const frames = [{ sequence: id, changes }];
    this.#log.push({ first: id, last: id, revision, bytes: length, frames });
    this.#next = id + 1;
  }

  /**
   * Writes a batch. If it frees space, and a running snapshot has used up the space, it waits for the end of the
   * snapshot and retries.
   */
  async #writeBesideSnapshot(batch: Batch): Promise<void> {
    const snapshot = this.#snapshot;
    try {
      await this.#backend.write(batch);
    } catch (error) {
      if (!snapshot || !batch.frees || !isQuota(error)) throw error;
      await snapshot;
      await this.#backend.write(batch);
    }
  }

  /** The rows at the end of the log that are to be joined. A first visit does without the part until it is needed otherwise. */
  joinable(): readonly LogRow[] {
    return folding.loaded ? folding.get().joinable(this.#log, this.tuning) : [];
  }

  /** Joins consecutive rows into one, because loading costs depend on the number of rows, and on the length of values. */
  async join(rows: readonly LogRow[], fold: (entries: EntriesInSteps) => Promise<EntriesInSteps>): Promise<void> {
    const { row, bytes } = await folding.get().joinedRow(rows, fold);
    const { first: from, last } = row;
    const head = { ...this.#head, format: FORMAT };
    const put = [{ table: 'log', id: from, bytes } as const, ...(this.#head.format < FORMAT ? headRows(head) : [])];
    await this.#rearrange({ remove: [{ table: 'log', from, to: last + 1 }], put });
    folding.get().giveBack(this.#backend, bytes);
    this.#head = head;
    this.#log.splice(this.#log.indexOf(rows[0] as LogRow), rows.length, row);
  }

  /** Whether a snapshot should replace the log up to `revision`. On a full disk it should as soon as a part of the log can be replaced, provided that it `pays`. */
  snapshotDue(revision: Revision): boolean {
    const superseded = this.#supersededBytes(revision);
    if (this.full) return superseded > 0;
    const base = this.#baseBytes * (this.#head.format > 1 ? LOG_FACTOR : 1);
    return superseded > Math.max(base, this.tuning.snapshotBytes);
  }

  /** Whether a snapshot of these entries is small, or smaller than what it replaces. */
  async pays(entries: EntriesInSteps, revision: Revision): Promise<boolean> {
    const limit = Math.max(this.#supersededBytes(revision), this.tuning.snapshotBytes / 4);
    const { isWithin } = await folding.load();
    return isWithin(limit, entries, this.tuning.rowBytes);
  }

  /**
   * Writes `entries`, the state at `revision`, as the new snapshot, and drops the log before it. The rows are invalid
   * until the head points to them, so an interruption costs only the work.
   */
  async snapshot(entries: EntriesInSteps, revision: Revision): Promise<void> {
    const work = this.#replaceSnapshot(entries, revision);
    this.#snapshot = work.catch(() => undefined);
    try {
      await work;
    } finally {
      this.#snapshot = undefined;
    }
  }

  async #replaceSnapshot(entries: EntriesInSteps, revision: Revision): Promise<void> {
    const from = this.#nextBase;
    const { writeBase } = await folding.load();
    const baseBytes = await writeBase(this.#backend, entries, this.tuning.rowBytes, () => this.#nextBase++);
    const logFrom = this.#log[this.#superseded(revision)]?.first ?? this.#next;
    const baseRows = this.#nextBase - from;
    await this.#turnTo({ format: FORMAT, baseFrom: from, baseRows, baseRevision: revision, logFrom }, baseBytes);
  }

  /** Makes the head point to a new snapshot, and removes what it replaces. */
  async #turnTo(head: Head, baseBytes: number): Promise<void> {
    const { leftovers, removeRows, rowsBefore } = await folding.load();
    const superfluous = rowsBefore(head, { head: this.#head, baseBytes: this.#baseBytes, log: this.#log });
    await this.#rearrange({ put: headRows(head) });
    this.#head = head;
    this.#baseBytes = baseBytes;
    // Rows that were appended meanwhile stay, even if they were joined.
    this.#log = this.#log.filter((row) => row.first >= head.logFrom);
    await removeRows(this.#backend, superfluous, this.tuning.removeBytes);
    await removeRows(this.#backend, await leftovers(this.#backend, head), this.tuning.removeBytes);
  }

  /** Performs a write whose outcome must be known: until it is, nothing else is rearranged. */
  async #rearrange(batch: Batch): Promise<void> {
    this.uncertain = true;
    await this.#backend.write({ ...batch, frees: true });
    this.uncertain = false;
  }

  /**
   * Reads the state on disk after a failure with an unknown outcome: rows of the log may have been joined or dropped.
   * Writing the next snapshot does not depend on which one is valid.
   */
  async resync(): Promise<void> {
    const { logRows } = await folding.load();
    const until = this.#next;
    const rows = await logRows(this.#backend, this.#head.logFrom, until, () => this.#log);
    this.#log = [...rows, ...this.#log.filter((row) => row.first >= until)];
    this.uncertain = false;
  }

  #supersededBytes(revision: Revision): number {
    return sizeOf(this.#log.slice(0, this.#superseded(revision)));
  }

  /** The number of rows at the start of the log that a snapshot at `revision` replaces. */
  #superseded(revision: Revision): number {
    const at = this.#log.findIndex((row) => row.revision > revision);
    return at < 0 ? this.#log.length : at;
  }
}

const isQuota = (error: unknown): boolean => error instanceof WriteError && error.reason === 'quota';

const sizeOf = (rows: readonly LogRow[]): number => rows.reduce((sum, row) => sum + row.bytes, 0);

function headRows(head: Head): Batch['put'] {
  return HEAD_ROWS.map((id) => ({
    table: 'head',
    id,
    bytes: encodeFrame('head', id, (body) => writeHead(head, body)),
  }));
}
