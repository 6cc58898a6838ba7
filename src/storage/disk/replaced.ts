/** The rows that a new snapshot replaces and how they are removed, and those that an interruption has left. */
import type { Backend, Batch } from '../backends/backend.ts';
import type { Head } from './codec.ts';
import type { Layout, LogRow } from './layout.ts';
import { rowsOf } from './pages.ts';

/** A row that a new snapshot replaces, with its approximate size in bytes. */
interface Superfluous {
  readonly table: 'base' | 'log';
  readonly id: number;
  readonly bytes: number;
}

/** The rows that are invalid once the head is `next`, with their approximate sizes. */
export function rowsBefore(next: Head, { head, baseBytes, log }: Layout): readonly Superfluous[] {
  const { baseFrom, baseRows } = head;
  const bytes = baseBytes / Math.max(1, baseRows);
  return [
    ...Array.from({ length: baseRows }, (_, i) => ({ table: 'base', id: baseFrom + i, bytes }) as const),
    ...log.flatMap((row) =>
      row.first < next.logFrom ? [{ table: 'log', id: row.first, bytes: row.bytes } as const] : [],
    ),
  ];
}

/**
 * Removes a few rows at a time: other writes wait for the current transaction, and one that removes hundreds of
 * megabytes takes seconds. Rows that an interruption leaves are invalid; the next snapshot removes them.
 */
export async function removeRows(backend: Backend, rows: readonly Superfluous[], removeBytes: number): Promise<void> {
  for (const piece of inPieces(rows, removeBytes)) {
    const remove = (['base', 'log'] as const).flatMap((table) => rangeOf(table, piece));
    await backend.write({ remove, put: [], frees: true });
  }
}

/** The rows left by an interrupted snapshot or an interrupted removal. */
export async function leftovers(
  backend: Backend,
  { baseFrom, baseRows, logFrom }: Head,
): Promise<readonly Superfluous[]> {
  const ranges = [
    ['base', 0, baseFrom],
    ['base', baseFrom + baseRows, Infinity],
    ['log', 0, logFrom],
  ] as const;
  const found: Superfluous[] = [];
  for (const [table, from, to] of ranges)
    for await (const { id, bytes } of rowsOf(backend, table, from, to)) found.push({ table, id, bytes: bytes.length });
  return found;
}

/** The rows of the log on disk, each a row of those that are `known` or several of them. */
export async function logRows(
  backend: Backend,
  from: number,
  until: number,
  known: () => readonly LogRow[],
): Promise<readonly LogRow[]> {
  const found: { id: number; bytes: number }[] = [];
  for await (const { id, bytes } of rowsOf(backend, 'log', from, until)) found.push({ id, bytes: bytes.length });
  return found.map(({ id, bytes }, i): LogRow => {
    const last = (found[i + 1]?.id ?? until) - 1;
    const parts = known().filter((row) => row.first >= id && row.last <= last);
    const frames = parts.every((row) => row.frames) ? parts.flatMap((row) => row.frames ?? []) : undefined;
    return { first: id, last, revision: Math.max(...parts.map(({ revision }) => revision)), bytes, frames };
  });
}

/** The range from the first to the last row of a table among the ordered `rows`; empty if there are none. */
function rangeOf(table: Superfluous['table'], rows: readonly Superfluous[]): NonNullable<Batch['remove']> {
  const ids = rows.flatMap((row) => (row.table === table ? [row.id] : []));
  const [first, last] = [ids[0], ids.at(-1)];
  return first === undefined || last === undefined ? [] : [{ table, from: first, to: last + 1 }];
}

/** Splits rows into runs of about `size` bytes. */
function* inPieces(rows: readonly Superfluous[], size: number): Iterable<readonly Superfluous[]> {
  let piece: Superfluous[] = [];
  let length = 0;
  for (const row of rows) {
    piece.push(row);
    length += row.bytes;
    if (length < size) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield piece;
}
