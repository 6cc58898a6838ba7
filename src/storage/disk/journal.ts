import { assert } from '../../std/index.ts';
import type { Backend, Batch, Row } from '../backends/backend.ts';
import type { Change } from '../committer.ts';
import { WriteError } from '../errors.ts';
import type { Entry } from '../types.ts';
import type { Revision } from '../revision.ts';
import { FORMAT, writeChanges, writeEntries, writeHead } from './codec.ts';
import type { Head } from './codec.ts';
import { encodeFrame } from './frame.ts';
import { rowsOf } from './pages.ts';

/** What is known of a row of the log: the frames in it, the highest revision they speak of, its size. */
export interface LogRow {
  readonly first: number;
  readonly last: number;
  readonly revision: Revision;
  readonly bytes: number;
}

/** What is on disk, as far as it must be remembered. */
export interface Layout {
  readonly head: Head;
  readonly baseBytes: number;
  readonly log: readonly LogRow[];
}

/** A row that a new snapshot makes superfluous, of about so many bytes. */
interface Superfluous {
  readonly table: 'base' | 'log';
  readonly id: number;
  readonly bytes: number;
}

/** When the disk is tidied up. */
export interface Tuning {
  /** Rows of a snapshot are about so large. */
  readonly rowBytes: number;
  /** So many rows of the log in a row are joined, when each is smaller than `smallRow` bytes. */
  readonly joinRows: number;
  readonly smallRow: number;
  /** A new snapshot takes the place of log that is larger than the last snapshot, and than this. */
  readonly snapshotBytes: number;
  /** One write removes about so many bytes. */
  readonly removeBytes: number;
  /** When tidying up has failed, so many writes pass before it is tried again. */
  readonly patience: number;
}

export const defaultTuning: Tuning = {
  rowBytes: 1 << 20,
  joinRows: 32,
  smallRow: 1 << 16,
  snapshotBytes: 1 << 22,
  removeBytes: 1 << 22,
  patience: 100,
};

/** The head stands in two rows, so that one damaged row does not hide a whole database. */
export const HEAD_ROWS = [0, 1] as const;

/** The database on disk: a snapshot, and the log of what was committed since, one frame for each group commit. */
export class Journal {
  readonly tuning: Tuning;
  readonly #backend: Backend;
  #head: Head;
  #baseBytes: number;
  #log: LogRow[];
  /** The number of the next frame of the log. */
  #next: number;
  /**
   * The id of the next row of a snapshot. It never goes back: when the head could not be turned, or nobody knows
   * whether it was, the rows of that attempt must not be touched before another snapshot counts.
   */
  #nextBase: number;
  /** A snapshot that is being written; it never rejects. */
  #snapshot: Promise<void> | undefined;
  /** A rearrangement has failed, and maybe it was done nevertheless: `resync` finds out. */
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

  /** Makes an empty database recognizable as one. */
  async create(): Promise<void> {
    await this.#backend.write({ put: headRows(this.#head) });
  }

  /** Makes changes durable; `frees` as in `Batch`. What a failed attempt may have left on disk is overwritten by the next. */
  async append(changes: readonly Change[], frees = false): Promise<void> {
    const id = this.#next;
    const bytes = encodeFrame('log', id, (body) => writeChanges(changes, body));
    await this.#writeBesideSnapshot({ put: [{ table: 'log', id, bytes }], frees });
    const revision = Math.max(...changes.map((change) => change.revision));
    this.#log.push({ first: id, last: id, revision, bytes: bytes.length });
    this.#next = id + 1;
  }

  /** Writes; what frees room and finds that a snapshot has taken it all waits for the end of that, and tries again. */
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

  /** The small rows at the end of the log, once there are enough of them to be joined. */
  joinable(): readonly LogRow[] {
    const { joinRows, smallRow } = this.tuning;
    const from = this.#log.findLastIndex((row) => row.bytes >= smallRow) + 1;
    return this.#log.length - from >= joinRows ? this.#log.slice(from) : [];
  }

  /** Puts rows that follow one another into one: loading costs by the row. */
  async join(rows: readonly LogRow[]): Promise<void> {
    const [first, last] = [rows[0], rows.at(-1)];
    assert(first && last, 'there must be rows to join');
    const [from, to] = [first.first, last.last + 1];
    const bytes = concatenate(await this.#backend.read('log', from, to, rows.length));
    assert(bytes.length === sizeOf(rows), 'the rows to join are not what is on disk');
    await this.#rearrange({ remove: [{ table: 'log', from, to }], put: [{ table: 'log', id: from, bytes }] });
    const joined = {
      first: from,
      last: last.last,
      revision: Math.max(...rows.map((row) => row.revision)),
      bytes: bytes.length,
    };
    this.#log.splice(this.#log.indexOf(first), rows.length, joined);
  }

  /**
   * Whether so much of the log lies at or before `revision` that a snapshot should take its place. On a full disk any is
   * enough, unless the snapshot, of about `size()` bytes, would be large and larger than what it replaces.
   */
  snapshotDue(revision: Revision, size: () => number): boolean {
    const superseded = sizeOf(this.#log.slice(0, this.#superseded(revision)));
    if (this.full) return superseded > 0 && size() <= Math.max(superseded, this.tuning.snapshotBytes / 4);
    return superseded > Math.max(this.#baseBytes, this.tuning.snapshotBytes);
  }

  /**
   * Writes `entries`, the state at `revision`, as the new snapshot, and drops the log that led there. Until the head
   * points to it, a row of it means nothing: being interrupted costs nothing but the work.
   */
  async snapshot(entries: readonly Entry[], revision: Revision): Promise<void> {
    const work = this.#replaceSnapshot(entries, revision);
    this.#snapshot = work.catch(() => undefined);
    try {
      await work;
    } finally {
      this.#snapshot = undefined;
    }
  }

  async #replaceSnapshot(entries: readonly Entry[], revision: Revision): Promise<void> {
    const from = this.#nextBase;
    const baseBytes = await this.#writeBase(entries);
    const logFrom = this.#log[this.#superseded(revision)]?.first ?? this.#next;
    const baseRows = this.#nextBase - from;
    await this.#turnTo({ format: FORMAT, baseFrom: from, baseRows, baseRevision: revision, logFrom }, baseBytes);
  }

  /** Writes the rows of a snapshot; returns their bytes. What did not fit as a whole does not stay on the disk. */
  async #writeBase(entries: readonly Entry[]): Promise<number> {
    const from = this.#nextBase;
    let bytesWritten = 0;
    try {
      for (const part of inParts(entries, this.tuning.rowBytes, ({ key, value }) => key.length + value.length)) {
        const id = this.#nextBase++;
        const bytes = encodeFrame('base', id, (body) => writeEntries(part, body), this.tuning.rowBytes * 1.25);
        await this.#backend.write({ put: [{ table: 'base', id, bytes }], frees: true });
        bytesWritten += bytes.length;
      }
      return bytesWritten;
    } catch (error) {
      const remove = [{ table: 'base', from, to: this.#nextBase }] as const;
      if (isQuota(error)) await this.#backend.write({ remove, put: [], frees: true });
      throw error;
    }
  }

  /** Makes the head point to a new snapshot, and removes what that makes superfluous. */
  async #turnTo(head: Head, baseBytes: number): Promise<void> {
    const superfluous = this.#rowsBefore(head);
    await this.#rearrange({ put: headRows(head) });
    this.#head = head;
    this.#baseBytes = baseBytes;
    // Rows that were appended meanwhile stay, wherever they are now.
    this.#log = this.#log.filter((row) => row.first >= head.logFrom);
    await this.#removePieces(superfluous);
    await this.#removePieces(await this.#leftovers(head));
  }

  /** The rows that mean nothing once the head is `next`, and about how large they are. */
  #rowsBefore(next: Head): readonly Superfluous[] {
    const { baseFrom, baseRows } = this.#head;
    const bytes = this.#baseBytes / Math.max(1, baseRows);
    return [
      ...Array.from({ length: baseRows }, (_, i) => ({ table: 'base', id: baseFrom + i, bytes }) as const),
      ...this.#log.flatMap((row) =>
        row.first < next.logFrom ? [{ table: 'log', id: row.first, bytes: row.bytes } as const] : [],
      ),
    ];
  }

  /**
   * Removes rows a few at a time: other writes wait for the transaction that is under way, and one that removes hundreds of
   * megabytes takes seconds. What an interruption leaves means nothing; the next snapshot removes it with its own.
   */
  async #removePieces(rows: readonly Superfluous[]): Promise<void> {
    for (const piece of inParts(rows, this.tuning.removeBytes, ({ bytes }) => bytes)) {
      const remove = (['base', 'log'] as const).flatMap((table) => rangeOf(table, piece));
      await this.#backend.write({ remove, put: [], frees: true });
    }
  }

  /** The rows that an interrupted snapshot, or an interrupted removal, has left. */
  async #leftovers({ baseFrom, baseRows, logFrom }: Head): Promise<readonly Superfluous[]> {
    const ranges = [
      ['base', 0, baseFrom],
      ['base', baseFrom + baseRows, Infinity],
      ['log', 0, logFrom],
    ] as const;
    const found: Superfluous[] = [];
    for (const [table, from, to] of ranges)
      for await (const { id, bytes } of rowsOf(this.#backend, table, from, to))
        found.push({ table, id, bytes: bytes.length });
    return found;
  }

  /** Writes what must not be half known: until it is certain that it was done, or not, nothing else is rearranged. */
  async #rearrange(batch: Batch): Promise<void> {
    this.uncertain = true;
    await this.#backend.write({ ...batch, frees: true });
    this.uncertain = false;
  }

  /**
   * Looks what is on disk, after a failure that has left it open: rows of the log can have been joined or dropped. Which
   * snapshot counts need not be known to write the next one.
   */
  async resync(): Promise<void> {
    const until = this.#next;
    const found: { id: number; bytes: number }[] = [];
    for await (const { id, bytes } of rowsOf(this.#backend, 'log', this.#head.logFrom, until))
      found.push({ id, bytes: bytes.length });
    const known = this.#log;
    const rows = found.map(({ id, bytes }, i): LogRow => {
      const last = (found[i + 1]?.id ?? until) - 1;
      const parts = known.filter((row) => row.first >= id && row.last <= last);
      return { first: id, last, revision: Math.max(...parts.map(({ revision }) => revision)), bytes };
    });
    this.#log = [...rows, ...this.#log.filter((row) => row.first >= until)];
    this.uncertain = false;
  }

  /** How many rows of the log, from its beginning, a snapshot at `revision` makes superfluous. */
  #superseded(revision: Revision): number {
    const at = this.#log.findIndex((row) => row.revision > revision);
    return at < 0 ? this.#log.length : at;
  }
}

/** From the first to the last row of a table among `rows`, which are in order; none where there is no such row. */
function rangeOf(table: Superfluous['table'], rows: readonly Superfluous[]): NonNullable<Batch['remove']> {
  const ids = rows.flatMap((row) => (row.table === table ? [row.id] : []));
  const [first, last] = [ids[0], ids.at(-1)];
  return first === undefined || last === undefined ? [] : [{ table, from: first, to: last + 1 }];
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

function concatenate(rows: readonly Row[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(rows.reduce((sum, row) => sum + row.bytes.length, 0));
  let at = 0;
  for (const { bytes } of rows) {
    joined.set(bytes, at);
    at += bytes.length;
  }
  return joined;
}

/** Cuts items into runs of about `size`. */
function* inParts<T>(items: readonly T[], size: number, sizeOfOne: (item: T) => number): Iterable<readonly T[]> {
  let part: T[] = [];
  let length = 0;
  for (const item of items) {
    part.push(item);
    length += sizeOfOne(item);
    if (length < size) continue;
    yield part;
    part = [];
    length = 0;
  }
  if (part.length > 0) yield part;
}
