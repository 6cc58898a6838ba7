import type { Change } from '../committer.ts';
import type { Revision } from '../revision.ts';
import type { Head } from './codec.ts';

/** The head is stored in two rows, so that one damaged row does not make the database unreadable. */
export const HEAD_ROWS = [0, 1] as const;

/** What one group commit has written. */
export interface LogFrame {
  readonly sequence: number;
  readonly changes: readonly Change[];
}

/** Facts about a row of the log: its frames, its highest revision, its size. */
export interface LogRow {
  readonly first: number;
  readonly last: number;
  readonly revision: Revision;
  readonly bytes: number;
  /** What it holds, as long as it may be joined with others. */
  frames?: readonly LogFrame[] | undefined;
}

/** What the journal remembers about the data on disk. */
export interface Layout {
  readonly head: Head;
  readonly baseBytes: number;
  readonly log: readonly LogRow[];
}
