/** Which rows of the log are joined, and the row that they become. */
import { concatenate, yieldToTasks } from '../../std/index.ts';
import { foldedOf } from '../entry.ts';
import type { Pieces } from '../foldedText.ts';
import type { Entry } from '../types.ts';
import { writeChanges } from './codec.ts';
import { type EntriesInSteps, writeValue } from './foldedRows.ts';
import { encodeFrame } from './frame.ts';
import { detach } from './giveBack.ts';
import type { LogFrame, LogRow } from './layout.ts';

/** See `Tuning`. */
interface Joining {
  readonly joinRows: number;
  readonly smallRow: number;
}

/** The small rows at the end of a log, once they are enough to be joined. All other rows drop their changes from memory. */
export function joinable(log: readonly LogRow[], { joinRows, smallRow }: Joining): readonly LogRow[] {
  const large = log.findLastIndex((row) => !isSmall(row, smallRow));
  for (let row = log[large], at = large; row?.frames; row = log[--at]) row.frames = undefined;
  const enough = (joinRows * smallRow) / 2;
  const rows: LogRow[] = [];
  let bytes = 0;
  for (const row of log.slice(large + 1)) {
    if (bytes >= enough && rows.length > 1) break;
    rows.push(row);
    bytes += row.bytes;
  }
  return rows.length > 1 && (rows.length >= joinRows || bytes >= enough) ? rows : [];
}

function isSmall({ bytes, frames }: LogRow, smallRow: number): boolean {
  if (!frames) return false;
  const [first, ...more] = frames;
  return bytes < smallRow * (more.length > 0 ? 1 : (first?.changes.length ?? 0));
}

/** The row that consecutive rows become, and its bytes. Its values are folded first, in memory, too. */
export async function joinedRow(
  rows: readonly LogRow[],
  fold: (entries: EntriesInSteps) => Promise<EntriesInSteps>,
): Promise<{ readonly row: LogRow; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const frames = rows.flatMap((row) => row.frames ?? []);
  for (const entry of await fold(entriesIn(frames))) if (!entry) await yieldToTasks();
  const bytes = encoded(frames);
  const [first, last] = [frames[0]?.sequence ?? 0, frames.at(-1)?.sequence ?? 0];
  const revision = Math.max(...rows.map((row) => row.revision));
  return { row: { first, last, revision, bytes: bytes.length, frames }, bytes };
}

/**
 * Texts with which values are compared have frames of their own, each before the first that needs it, so that a damaged group
 * commit costs no other.
 */
function encoded(frames: readonly LogFrame[]): Uint8Array<ArrayBuffer> {
  const numbers = new Map<Pieces, number>();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const frame of frames) {
    for (const entry of entriesIn([frame])) {
      const like = foldedOf(entry)?.like;
      if (!like || numbers.has(like)) continue;
      numbers.set(like, numbers.size + 1);
      parts.push(encodeFrame('like', numbers.size, (body) => body.text(like.text)));
    }
    const write = (entry: Entry, body: Parameters<typeof writeValue>[1]): void => writeValue(entry, body, numbers);
    parts.push(encodeFrame('foldedLog', frame.sequence, (body) => writeChanges(frame.changes, body, write)));
  }
  const bytes = concatenate(parts);
  for (const { buffer } of parts) detach(buffer);
  return bytes;
}

function* entriesIn(frames: readonly LogFrame[]): Iterable<Entry> {
  for (const { changes } of frames) {
    for (const change of changes) {
      if (change.type === 'compact') continue;
      for (const { entry } of change.events) if (entry) yield entry;
    }
  }
}
