import type { Backend, Row } from '../backends/backend.ts';
import type { Change } from '../committer.ts';
import type { Damage, LostRevisions } from '../errors.ts';
import { UnknownFormatError } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { KeySpace } from '../keyspace.ts';
import { emptyHead, readChanges, readEntries, readHead, type ReadValue } from './codec.ts';
import type { Head } from './codec.ts';
import { decodeFrames, type Frame, type FrameKind } from './frame.ts';
import { FoldedReader } from './foldedRows.ts';
import { giveBack } from './giveBack.ts';
import { HEAD_ROWS, type Layout, type LogFrame, type LogRow } from './layout.ts';
import { rowsOf } from './pages.ts';
import { soundFrames } from './soundFrames.ts';
import { defaultTuning } from './tuning.ts';

/** A damaged row, with the reason. */
export interface DamagedRow extends Damage {
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** All readable data and all damage. Without damage it is exactly what was written. */
export interface Loaded {
  readonly space: KeySpace;
  readonly layout: Layout;
  /** What folds later values against the texts of the snapshot and the log. */
  readonly folder: Folder;
  /** The disk is empty. */
  readonly fresh: boolean;
  readonly damage: readonly DamagedRow[];
  /** Damaged rows of the log that are only partly in `space`. */
  readonly dropped: { readonly rows: number; readonly bytes: number };
  /** The unreadable revisions, as far as intact rows show. */
  readonly lost: readonly LostRevisions[];
  /** Ids above those of all rows on disk. */
  readonly freeBase: number;
  readonly freeLog: number;
}

/** Reads a database without changing it. Throws UnknownFormatError if a newer release wrote it. */
export async function loadDatabase(backend: Backend): Promise<Loaded> {
  const loader = new Loader(backend);
  await loader.head();
  await loader.base();
  await loader.log();
  return loader.finish();
}

const LOG_KINDS = ['log', 'like', 'foldedLog'] as const;

class Loader {
  readonly #backend: Backend;
  readonly #space = new KeySpace();
  readonly #damage: DamagedRow[] = [];
  readonly #log: LogRow[] = [];
  readonly #lost: LostRevisions[] = [];
  /** The number of the next frame of the log. */
  #expected: number | undefined;
  /** A part of the log is lost, and nothing has been read after it yet. */
  #gap = false;
  #head: Head | undefined;
  readonly #reader = new FoldedReader();
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
      folder: this.#reader.folder,
      fresh: found === 0,
      damage: this.#damage,
      lost: this.#gap ? [...this.#lost, { from: this.#space.revision + 1 }] : this.#lost,
      dropped: { rows: this.#droppedRows, bytes: this.#droppedBytes },
      freeBase: this.#lastBase + 1,
      // Rows before the head's first row are invalid and may still exist: a repair must not start among them.
      freeLog: Math.max(this.#lastLog + 1, this.#head?.logFrom ?? 0),
    };
  }

  /** Both head rows have the same content; the first intact one is used. */
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

  /** Without a head all rows of the table are read; entries of a later snapshot replace those of an earlier one. */
  async base(): Promise<void> {
    const from = this.#head?.baseFrom ?? 0;
    const to = this.#head ? from + this.#head.baseRows : Infinity;
    let expected = from;
    for await (const row of rowsOf(this.#backend, 'base', from, to)) {
      for (; this.#head && expected < row.id; expected++) this.#note('base', expected, 'the row is missing');
      this.#baseBytes += row.bytes.length;
      if (this.#attempt('base', row, () => this.#readBase(row))) giveBack(this.#backend, row.bytes);
      this.#lastBase = row.id;
      expected = row.id + 1;
    }
    for (; this.#head && expected < to; expected++) this.#note('base', expected, 'the row is missing');
    this.#space.begin(this.#head?.baseRevision ?? this.#newest);
  }

  /** Each row may contain the frames up to the next row. Of a damaged row every intact frame is read. */
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
    if (this.#attempt('log', row, () => this.#readLog(row))) return giveBack(this.#backend, row.bytes);
    this.#droppedRows++;
    this.#droppedBytes += row.bytes.length;
    this.#gap = true;
    for (const commit of this.#reader.commits(soundFrames(row.bytes, ...LOG_KINDS))) {
      const expected = this.#expected ?? 0;
      if (commit.sequence < expected || commit.sequence >= until) continue;
      this.#gap ||= commit.sequence > expected;
      try {
        this.#applyCommit(commit);
      } catch {
        // A text with which a value is compared is lost.
        this.#gap = true;
      }
    }
    if (until !== Infinity) this.#expected = until;
  }

  #readBase(row: Row): void {
    for (const { kind, sequence, body } of decodeFrames(row.bytes, ...this.#baseKinds())) {
      if (sequence !== row.id) throw new RangeError(`this is row ${sequence}`);
      for (const entry of kind === 'folded' ? this.#reader.entries(body) : readEntries(body)) {
        this.#space.seed(entry);
        this.#newest = Math.max(this.#newest, entry.revision);
      }
    }
  }

  #baseKinds(): readonly FrameKind[] {
    const { format } = this.#head ?? emptyHead;
    return format === 1 ? ['base'] : format === 2 ? ['folded'] : ['folded', 'base'];
  }

  /** Applies the changes of an intact row; throws if it is damaged. */
  #readLog(row: Row): void {
    const first = this.#expected ?? row.id;
    let revision = 0;
    const frames: LogFrame[] = [];
    for (const commit of this.#reader.commits(decodeFrames(row.bytes, ...LOG_KINDS))) {
      const { sequence } = commit;
      const expected = this.#expected ?? row.id;
      if (sequence !== expected) throw new RangeError(`frame ${sequence} was found instead of ${expected}`);
      const changes = this.#applyCommit(commit);
      for (const change of changes) revision = Math.max(revision, change.revision);
      frames.push({ sequence, changes });
    }
    const bytes = row.bytes.length;
    const kept = bytes < defaultTuning.smallRow ? { frames } : {};
    this.#log.push({ first, last: (this.#expected ?? first) - 1, revision, bytes, ...kept });
  }

  /** Returns the changes of a group commit. */
  #applyCommit({ sequence, body, readValue }: Frame & { readonly readValue: ReadValue }): readonly Change[] {
    const changes: Change[] = [];
    for (const change of readChanges(body, readValue)) {
      this.#apply(change);
      changes.push(change);
    }
    this.#expected = sequence + 1;
    return changes;
  }

  /** Changes before the snapshot are already part of it. Only the head has the revision of the snapshot. */
  #apply(change: Change): void {
    const { revision } = this.#space;
    if (change.type === 'compact') {
      this.#space.compact(Math.min(change.revision, revision));
    } else if (change.revision > revision) {
      if (this.#head && change.revision !== revision + 1) this.#skipTo(change.revision);
      this.#space.replay(change.revision, change.events);
      // The events in between are unknown, so history starts again here.
      if (this.#gap) this.#space.compact(change.revision);
      this.#gap = false;
    }
  }

  /**
   * Every change contains the full written value, so changes after a gap are usable. Without damage there is no gap.
   */
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
