/** What snapshots, joined rows, damaged ones and many writes need, the folding of values, and the reading of a database, as one part of the program. */
export { Folder } from '../folder.ts';
export { Pace } from '../pace.ts';
export { foldEach, FoldedReader } from './foldedRows.ts';
export { giveBack } from './giveBack.ts';
export { joinable, joinedRow } from './joinedRows.ts';
export { loadDatabase } from './load.ts';
export { leftovers, logRows, removeRows, rowsBefore } from './replaced.ts';
export { soundFrames } from './soundFrames.ts';
export { isWithin, writeBase } from './writeBase.ts';
