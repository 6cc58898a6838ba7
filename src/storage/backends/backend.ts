/** The three tables on disk: the root, the snapshot, and the commits since. */
export type Table = 'head' | 'base' | 'log';

export interface Row {
  readonly id: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Changes that become durable together or not at all. */
export interface Batch {
  /** Rows with `from` <= id < `to`; they go first. */
  readonly remove?: readonly { readonly table: Table; readonly from: number; readonly to: number }[];
  /** A row takes the place of the one with its table and id. */
  readonly put: readonly (Row & { readonly table: Table })[];
  /** It makes room in the end, as deletions and compactions do: it may use what is kept back for that. */
  readonly frees?: boolean;
}

/**
 * Where rows of bytes are kept. It knows nothing of keys and revisions: what the rows mean, and whether they are sound,
 * is for `disk/` to say. It has one user at a time; whoever opened it last is the one, and the one before is fenced off.
 */
export interface Backend {
  /** The first `limit` rows with `from` <= id < `to`, in order of id. */
  read(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]>;
  /** Resolves when the batch is durable; rejects with WriteError when it is not. */
  write(batch: Batch): Promise<void>;
  /** Whether there is no room left: only what `frees` room is written. Absent where room is not limited. */
  readonly full?: boolean;
  /** Resolves with the reason when the rows are gone from under whoever has them open. Absent where that can't happen. */
  readonly lost?: Promise<string>;
  close(): Promise<void>;
}
