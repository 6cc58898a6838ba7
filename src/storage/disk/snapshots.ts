/** What snapshots, joined rows, damaged ones and many writes need, and the folding of values, as one part of the program. */
export { Folder } from '../folder.ts';
export { Pace } from '../pace.ts';
export { foldEach, FoldedReader } from './foldedRows.ts';
export { giveBack } from './giveBack.ts';
export { joinable, joinedRow } from './joinedRows.ts';
export { leftovers, logRows, removeRows, rowsBefore } from './replaced.ts';
export { soundFrames } from './soundFrames.ts';
export { isWithin, writeBase } from './writeBase.ts';
