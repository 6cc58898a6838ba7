/** What snapshots need, and the folding of values, as one part of the program. */
export { Folder } from '../folder.ts';
export { foldEach, FoldedReader, inRows, writeFolded } from './foldedRows.ts';
export { leftovers, logRows, removeRows, rowsBefore } from './replaced.ts';
