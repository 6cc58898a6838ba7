import type { Change } from '../committer.ts';
import type { Revision } from '../revision.ts';
import type { Head } from './codec.ts';

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
  readonly frames?: readonly LogFrame[] | undefined;
}

/** Adds a row to a log. Rows are joined with their neighbours: what comes before one that is not to be joined stays as it is. */
export function addRow(log: LogRow[], row: LogRow): void {
  if (!row.frames)
    for (let at = log.length - 1; log[at]?.frames; at--) log[at] = { ...(log[at] as LogRow), frames: undefined };
  log.push(row);
}

/** What the journal remembers about the data on disk. */
export interface Layout {
  readonly head: Head;
  readonly baseBytes: number;
  readonly log: readonly LogRow[];
}
