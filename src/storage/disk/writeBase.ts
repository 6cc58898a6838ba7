/** The rows of a snapshot: whether they would fit, and how they are written. */
import { yieldToTasks } from '../../std/index.ts';
import type { Backend } from '../backends/backend.ts';
import { WriteError } from '../errors.ts';
import { type EntriesInSteps, inRows, writeFolded } from './foldedRows.ts';
import { encodeFrame } from './frame.ts';
import { giveBack } from './giveBack.ts';

/** Whether the rows of these entries have at most `limit` bytes, about. */
export async function isWithin(limit: number, entries: EntriesInSteps, rowBytes: number): Promise<boolean> {
  let size = 0;
  for (const row of inRows(entries, rowBytes)) {
    if (!row) await yieldToTasks();
    size += row?.size ?? 0;
    if (size > limit) return false;
  }
  return true;
}

/** Writes the rows of a snapshot, whose ids `nextId` returns; returns their size in bytes. If they do not all fit, they are removed. */
export async function writeBase(
  backend: Backend,
  entries: EntriesInSteps,
  rowBytes: number,
  nextId: () => number,
): Promise<number> {
  const ids: number[] = [];
  let bytesWritten = 0;
  try {
    for (const row of inRows(entries, rowBytes)) {
      if (!row) {
        await yieldToTasks();
        continue;
      }
      const id = nextId();
      ids.push(id);
      const bytes = encodeFrame('folded', id, (body) => writeFolded(row.entries, body));
      await backend.write({ put: [{ table: 'base', id, bytes }], frees: true });
      bytesWritten += bytes.length;
      giveBack(backend, bytes);
    }
    return bytesWritten;
  } catch (error) {
    const [from = 0, last = -1] = [ids[0], ids.at(-1)];
    const to = last + 1;
    if (error instanceof WriteError && error.reason === 'quota')
      await backend.write({ remove: [{ table: 'base', from, to }], put: [], frees: true });
    throw error;
  }
}
