/** What a log shows: the lines that were asked for, each as one row or as many as it needs where lines are wrapped. */
import { isWide } from './width.ts';
import type { LogLine } from './logBuffer.ts';

/** A stretch of a line that stands in one row. */
export interface LogRow {
  readonly line: LogLine;
  readonly from: number;
  readonly to: number;
}

/** The lines in which all words of `search` occur, whatever their case. */
export function searched(lines: readonly LogLine[], search: string): readonly LogLine[] {
  const wanted = search.toLowerCase();
  return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
}

/** The rows of lines; of `columns` characters each where there is a number. */
export function rowsOf(lines: readonly LogLine[], columns: number | undefined): readonly LogRow[] {
  if (columns === undefined) return lines.map((line) => ({ line, from: 0, to: line.text.length }));
  return lines.flatMap((line) => wrapped(line, Math.max(8, columns)));
}

function wrapped(line: LogLine, columns: number): LogRow[] {
  const { text } = line;
  if (text.length <= columns / 2) return [{ line, from: 0, to: text.length }];
  const rows: LogRow[] = [];
  let [from, width, at] = [0, 0, 0];
  for (const character of text) {
    const more = isWide(character) ? 2 : 1;
    if (width + more > columns) {
      rows.push({ line, from, to: at });
      [from, width] = [at, 0];
    }
    width += more;
    at += character.length;
  }
  return [...rows, { line, from, to: at }];
}
