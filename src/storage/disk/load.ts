import type { Backend, Row } from '../backends/backend.ts';
import type { Change } from '../committer.ts';
import type { Damage, LostRevisions } from '../errors.ts';
import { UnknownFormatError } from '../errors.ts';
import { KeySpace } from '../keyspace.ts';
import { emptyHead, readChanges, readEntries, readHead } from './codec.ts';
import type { Head } from './codec.ts';
import { decodeFrames, soundFrames, type Frame } from './frame.ts';
import { HEAD_ROWS } from './journal.ts';
import type { Layout, LogRow } from './journal.ts';
import { rowsOf } from './pages.ts';

/** A row that can't be used, with the reason. */
export interface DamagedRow extends Damage {
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** Everything that could be read, and everything that was found wrong. Without damage it is exactly what was written. */
export interface Loaded {
  readonly space: KeySpace;
  readonly layout: Layout;
  /** There is nothing on disk at all. */
  readonly fresh: boolean;
  readonly damage: readonly DamagedRow[];
  /** The damaged rows of the log, of which not everything is in `space`. */
  readonly dropped: { readonly rows: number; readonly bytes: number };
  /** The revisions that can't be read, as far as sound rows tell. */
  readonly lost: readonly LostRevisions[];
  /** Ids that no row on disk has reached. */
  readonly freeBase: number;
  readonly freeLog: number;
}

/** Reads a database; changes nothing. Throws UnknownFormatError where a later release has written it. */
export async function loadDatabase(backend: Backend): Promise<Loaded> {
  const loader = new Loader(backend);
  await loader.head();
  await loader.base();
  await loader.log();
  return loader.finish();
}

class Loader {
  readonly #backend: Backend;
  readonly #space = new KeySpace();
  readonly #damage: DamagedRow[] = [];
  readonly #log: LogRow[] = [];
  readonly #lost: LostRevisions[] = [];
  /** The number of the next frame of the log. */
  #expected: number | undefined;
  /** Something of the log is lost, and nothing was read since. */
  #gap = false;
  #head: Head | undefined;
  #headRows = 0;
  /** The highest revision of an entry in the snapshot. */
  #newest = 0;
  #baseBytes = 0;
  #droppedRows = 0;
  #droppedBytes = 0;
  #lastBase = 0;
  #lastLog = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  finish(): Loaded {
    const found = this.#headRows + this.#lastBase + this.#lastLog;
    if (found > 0 && this.#headRows < HEAD_ROWS.length) this.#note('head', this.#headRows, 'the row is missing');
    return {
      space: this.#space,
      layout: { head: this.#head ?? emptyHead, baseBytes: this.#baseBytes, log: this.#log },
      fresh: found === 0,
      damage: this.#damage,
      lost: this.#gap ? [...this.#lost, { from: this.#space.revision + 1 }] : this.#lost,
      dropped: { rows: this.#droppedRows, bytes: this.#droppedBytes },
      freeBase: this.#lastBase + 1,
      // Rows before the head's first one mean nothing and may still be there: a repair must not begin among them.
      freeLog: Math.max(this.#lastLog + 1, this.#head?.logFrom ?? 0),
    };
  }

  /** Both rows of the head say the same; the first sound one counts. */
  async head(): Promise<void> {
    for await (const row of rowsOf(this.#backend, 'head')) {
      this.#headRows++;
      this.#attempt('head', row, () => {
        for (const { body } of decodeFrames(row.bytes, 'head')) {
          const head = readHead(body);
          if (typeof head === 'number') throw new UnknownFormatError(head);
          this.#head ??= head;
        }
      });
    }
  }

  /** Without a head every row of the table is taken; a later snapshot writes over what an earlier one said. */
  async base(): Promise<void> {
    const from = this.#head?.baseFrom ?? 0;
    const to = this.#head ? from + this.#head.baseRows : Infinity;
    let expected = from;
    for await (const row of rowsOf(this.#backend, 'base', from, to)) {
      for (; this.#head && expected < row.id; expected++) this.#note('base', expected, 'the row is missing');
      this.#attempt('base', row, () => this.#readBase(row));
      this.#baseBytes += row.bytes.length;
      this.#lastBase = row.id;
      expected = row.id + 1;
    }
    for (; this.#head && expected < to; expected++) this.#note('base', expected, 'the row is missing');
    this.#space.begin(this.#head?.baseRevision ?? this.#newest);
  }

  /** Each row may hold the frames up to the next row; of a damaged one every sound frame is read. */
  async log(): Promise<void> {
    this.#expected = this.#head?.logFrom;
    let row: Row | undefined;
    for await (const next of rowsOf(this.#backend, 'log', this.#expected ?? 0)) {
      if (row) this.#readLogRow(row, next.id);
      row = next;
    }
    if (row) this.#readLogRow(row, Infinity);
  }

  #readLogRow(row: Row, until: number): void {
    const expected = this.#expected ?? row.id;
    this.#lastLog = row.id;
    if (row.id !== expected) {
      this.#note('log', row.id, `frames ${expected} to ${row.id - 1} before it are missing`);
      this.#expected = row.id;
      this.#gap = true;
    }
    if (this.#attempt('log', row, () => this.#readLog(row))) return;
    this.#droppedRows++;
    this.#droppedBytes += row.bytes.length;
    this.#gap = true;
    for (const frame of soundFrames(row.bytes, 'log')) {
      if (frame.sequence >= (this.#expected ?? 0) && frame.sequence < until) this.#applyFrame(frame);
    }
    if (until !== Infinity) this.#expected = until;
  }

  #readBase(row: Row): void {
    for (const { sequence, body } of decodeFrames(row.bytes, 'base')) {
      if (sequence !== row.id) throw new RangeError(`this is row ${sequence}`);
      for (const entry of readEntries(body)) {
        this.#space.seed(entry);
        this.#newest = Math.max(this.#newest, entry.revision);
      }
    }
  }

  /** Takes over the changes of a sound row; throws at what is not as it was written. */
  #readLog(row: Row): void {
    const first = this.#expected ?? row.id;
    let revision = 0;
    for (const frame of decodeFrames(row.bytes, 'log')) {
      const expected = this.#expected ?? row.id;
      if (frame.sequence !== expected) throw new RangeError(`frame ${frame.sequence} stands where ${expected} should`);
      revision = Math.max(revision, this.#applyFrame(frame));
    }
    this.#log.push({ first, last: (this.#expected ?? first) - 1, revision, bytes: row.bytes.length });
  }

  /** Returns the highest revision that the frame speaks of. */
  #applyFrame({ sequence, body }: Frame): number {
    let revision = 0;
    for (const change of readChanges(body, (key) => this.#space.get(key))) {
      this.#apply(change);
      revision = Math.max(revision, change.revision);
    }
    this.#expected = sequence + 1;
    return revision;
  }

  /** What lies before the snapshot is in it already. What the snapshot's revision was, only the head knows. */
  #apply(change: Change): void {
    const { revision } = this.#space;
    if (change.type === 'compact') {
      this.#space.compact(Math.min(change.revision, revision));
    } else if (change.revision > revision) {
      if (this.#head && change.revision !== revision + 1) this.#skipTo(change.revision);
      this.#space.apply(change.revision, change.events);
      // The events between are not known: history begins anew.
      if (this.#gap) this.#space.compact(change.revision);
      this.#gap = false;
    }
  }

  /** Every change says all of what it wrote, so those after a gap can be used. Without damage there is no gap. */
  #skipTo(revision: number): void {
    const last = this.#space.revision;
    if (!this.#gap) throw new RangeError(`revision ${revision} follows ${last}`);
    this.#lost.push({ from: last + 1, to: revision - 1 });
  }

  #attempt(table: Damage['table'], row: Row, read: () => void): boolean {
    try {
      read();
      return true;
    } catch (error) {
      if (error instanceof UnknownFormatError) throw error;
      this.#note(table, row.id, error instanceof Error ? error.message : String(error), row.bytes);
      return false;
    }
  }

  #note(table: Damage['table'], row: number, problem: string, bytes?: Uint8Array<ArrayBuffer>): void {
    this.#damage.push(bytes ? { table, row, problem, bytes } : { table, row, problem });
  }
}
