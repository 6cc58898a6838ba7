import type { Revision } from './revision.ts';

/** History before `compacted` is gone, and `requested` lies there. */
export class CompactedError extends Error {
  override name = 'CompactedError';
  readonly requested: Revision;
  readonly compacted: Revision;

  constructor(requested: Revision, compacted: Revision) {
    super(`revision ${requested} has been compacted; history begins at ${compacted}`);
    this.requested = requested;
    this.compacted = compacted;
  }
}

/** `requested` has not happened yet. */
export class FutureRevisionError extends Error {
  override name = 'FutureRevisionError';
  readonly requested: Revision;
  readonly revision: Revision;

  constructor(requested: Revision, revision: Revision) {
    super(`revision ${requested} is in the future; the newest is ${revision}`);
    this.requested = requested;
    this.revision = revision;
  }
}

/** A watch was cut off because its receiver did not keep up. */
export class OverflowError extends Error {
  override name = 'OverflowError';

  constructor(limit: number) {
    super(`the receiver is more than ${limit} events behind`);
  }
}

/** Why a write could not be made durable. */
export type WriteFailure = 'quota' | 'fenced' | 'closed' | 'failed';

/** A write could not be made durable, so it did not happen. `fenced`: somebody else has opened the database since. */
export class WriteError extends Error {
  override name = 'WriteError';
  readonly reason: WriteFailure;

  constructor(reason: WriteFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The database that several servers share does not answer: what is newest there can't be told, and nothing was written. */
export class UnreachableError extends WriteError {
  override name = 'UnreachableError';

  constructor(message: string, cause?: unknown) {
    super('failed', message, cause);
  }
}

/** One thing on disk that is not as it was written. */
export interface Damage {
  readonly table: 'head' | 'base' | 'log';
  /** The row; for a missing one the id that it should have. */
  readonly row: number;
  readonly problem: string;
}

/** What a repair would keep or has kept. */
export interface Salvage {
  /** Keys that can be read. */
  readonly keys: number;
  /** The newest revision that can be read. */
  readonly revision: Revision;
  /** Damaged rows; what is sound in them is kept. */
  readonly dropped: number;
  /** What was written at these revisions alone is as it was before them. */
  readonly lost: readonly LostRevisions[];
}

/** Revisions `from` up to and with `to`; where nothing sound comes after them, nobody knows how many there were. */
export interface LostRevisions {
  readonly from: Revision;
  readonly to?: Revision;
}

/** The database on disk is not as it was written. Nothing has been changed; the person decides. */
export class DamagedError extends Error {
  override name = 'DamagedError';
  readonly damage: readonly Damage[];
  readonly salvage: Salvage;
  /** Keeps what can be read and drops the rest; afterwards the database opens. */
  readonly repair: () => Promise<Salvage>;
  /** What can be read, the damage, and the damaged rows themselves, as JSON lines. */
  readonly export: () => AsyncIterable<Uint8Array>;

  constructor(found: Pick<DamagedError, 'damage' | 'salvage' | 'repair' | 'export'>) {
    const first = found.damage[0];
    super(`the database is damaged: ${first ? `${first.table} row ${first.row}: ${first.problem}` : 'unknown'}`);
    this.damage = found.damage;
    this.salvage = found.salvage;
    this.repair = found.repair;
    this.export = found.export;
  }
}

/** There should be a database with data, and there is none: the browser, or somebody in it, has deleted it. */
export class GoneError extends Error {
  override name = 'GoneError';

  constructor() {
    super('the database is gone, with everything that was stored in it');
  }
}

/** The database was written by a later release, which alone can read it. */
export class UnknownFormatError extends Error {
  override name = 'UnknownFormatError';

  constructor(format: number) {
    super(`the database has format ${format}, which this release does not know`);
  }
}
