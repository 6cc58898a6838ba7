import type { Revision } from '../revision.ts';
import type { Head } from './codec.ts';

/** Facts about a row of the log: its frames, its highest revision, its size. */
export interface LogRow {
  readonly first: number;
  readonly last: number;
  readonly revision: Revision;
  readonly bytes: number;
}

/** What the journal remembers about the data on disk. */
export interface Layout {
  readonly head: Head;
  readonly baseBytes: number;
  readonly log: readonly LogRow[];
}
