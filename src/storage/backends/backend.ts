/** The three tables on disk: the head, the snapshot, and the log of commits since. */
export type Table = 'head' | 'base' | 'log';

export interface Row {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Changes that become durable atomically. */
export interface Batch {
  /** Rows with `from` <= id < `to`; they are removed first. */
  readonly remove?: readonly { readonly table: Table; readonly from: number; readonly to: number }[];
  /** A row replaces the row with the same table and id. */
  readonly put: readonly (Row & { readonly table: Table })[];
  /** The batch frees space, as deletions and compactions do, and may use the reserved space. */
  readonly frees?: boolean;
}

/**
 * Stores rows of bytes. It knows nothing of keys and revisions; `disk/` interprets and validates rows. It has one user
 * at a time: the last one to open it. Earlier users are fenced off.
 */
export interface Backend {
  /** The first `limit` rows with `from` <= id < `to`, in order of id. */
  read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]>;
  /** Resolves when the batch is durable; rejects with WriteError when it is not. */
  write(batch: Batch): Promise<void>;
  /** Whether the space is used up: then only batches with `frees` are written. Absent if space is not limited. */
  readonly full?: boolean;
  /** It copies what it writes and reads, so the bytes of a written batch, and of a row that was read, are no longer needed. */
  readonly copies?: boolean;
  /** Milliseconds that writes should begin apart under load, because each has a cost whatever it writes. */
  readonly gap?: number;
  /** Resolves with the reason when the rows were deleted while the database is open. Absent if that can't happen. */
  readonly lost?: Promise<string>;
  close(): Promise<void>;
}
