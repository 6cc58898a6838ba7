/** What snapshots and joined rows need, and the folding of values, as one part of the program. */
export { Folder } from '../folder.ts';
export { entriesIn, foldEach, FoldedReader, inRows, joinedRow, writeFolded } from './foldedRows.ts';
export { leftovers, logRows, removeRows, rowsBefore } from './replaced.ts';
