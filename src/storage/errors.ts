import type { Revision } from './revision.ts';

/** History before `compacted` was compacted, and `requested` is older. */
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

/** `requested` is newer than the current revision. */
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

/** A watch was ended because its receiver was too slow. */
export class OverflowError extends Error {
  override name = 'OverflowError';

  constructor(limit: number) {
    super(`the receiver is more than ${limit} events behind`);
  }
}

/** Why a write could not be made durable. */
export type WriteFailure = 'quota' | 'fenced' | 'closed' | 'failed';

/** A write could not be made durable and has no effect. `fenced`: another user has opened the database since. */
export class WriteError extends Error {
  override name = 'WriteError';
  readonly reason: WriteFailure;

  constructor(reason: WriteFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** The shared database does not answer: its newest revision is unknown, and nothing was written. */
export class UnreachableError extends WriteError {
  override name = 'UnreachableError';

  constructor(message: string, cause?: unknown) {
    super('failed', message, cause);
  }
}

/** One piece of corrupted data on disk. */
export interface Damage {
  readonly table: 'head' | 'base' | 'log';
  /** The row; for a missing row the id that it should have. */
  readonly row: number;
  readonly problem: string;
}

/** What a repair keeps. */
export interface Salvage {
  /** The number of readable keys. */
  readonly keys: number;
  /** The newest readable revision. */
  readonly revision: Revision;
  /** Damaged rows; their intact frames are kept. */
  readonly dropped: number;
  /** Changes made only at these revisions are lost: the affected keys have their earlier values. */
  readonly lost: readonly LostRevisions[];
}

/** Revisions from `from` to `to`, inclusive. If no intact data follows, their number is unknown. */
export interface LostRevisions {
  readonly from: Revision;
  readonly to?: Revision;
}

/** The database on disk is damaged. Nothing has been changed; a person decides how to continue. */
export class DamagedError extends Error {
  override name = 'DamagedError';
  readonly damage: readonly Damage[];
  readonly salvage: Salvage;
  /** Keeps the readable data and drops the rest; then the database can be opened. */
  readonly repair: () => Promise<Salvage>;
  /** The readable data, the damage, and the damaged rows, as JSON lines. */
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

/** A database with data was expected, but there is none: the browser or a user has deleted it. */
export class GoneError extends Error {
  override name = 'GoneError';

  constructor() {
    super('the database is gone, with everything that was stored in it');
  }
}

/** A newer release wrote the database, and only a newer release can read it. */
export class UnknownFormatError extends Error {
  override name = 'UnknownFormatError';

  constructor(format: number) {
    super(`the database has format ${format}, which this release does not know`);
  }
}
