/** How a line that is being typed stands on the screen: over as many rows as it takes, or those around the cursor where the screen has fewer. */
import type { Size } from '../surroundings.ts';
import { charWidth, textWidth } from './width.ts';

export interface Line {
  /** What stands before the first row; may hold colours. */
  readonly prompt: string;
  readonly text: string;
  readonly at: number;
  /** What stands behind the text, such as what a search found. */
  readonly note?: string;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** What stands before each further row of the text. */
const CONTINUED = '> ';
const TAB = '    ';

/** The text without colours. */
const plain = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, '');

const shown = (text: string): string => text.replaceAll('\t', TAB);

/** Walks over text and returns where it ends. */
function walk({ row, column }: Cell, text: string, columns: number): Cell {
  for (const char of text) {
    if (char === '\n') {
      row += 1;
      column = textWidth(CONTINUED);
      continue;
    }
    const width = charWidth(char);
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    column += width;
  }
  return { row, column };
}

/** The rows of a text that begins behind `column`, cut as a terminal wraps them. */
function rowsOf(text: string, { column }: Cell, columns: number): string[] {
  const rows = [''];
  for (const char of text) {
    const width = charWidth(char);
    if (char === '\n') rows.push(CONTINUED);
    else if (column + width > columns) rows.push(char);
    else rows[rows.length - 1] += char;
    ({ column } = walk({ row: 0, column }, char, columns));
  }
  if (column >= columns) rows.push('');
  return rows;
}

/** A full row ends at the beginning of the next. */
const wrapped = ({ row, column }: Cell, columns: number): Cell =>
  column >= columns ? { row: row + 1, column: 0 } : { row, column };

/** The number of rows on the screen that stand above the cursor's line of text. */
function rowsAbove({ prompt, text, at }: Line, columns: number): number {
  const end = text.slice(0, at).lastIndexOf('\n');
  if (end < 0) return 0;
  return walk({ row: 0, column: 0 }, plain(prompt) + shown(text.slice(0, end)), columns).row + 1;
}

/** Draws a line where another stood, and remembers where the cursor is. */
export class Drawing {
  /** The row of the cursor, from the first row that is shown. */
  #row = 0;
  /** Which row of the line is the first that is shown. */
  #first = 0;
  /** The row of the cursor, from the first row of its line of text. */
  #rowOfLine = 0;

  /** What a terminal has to write to show the line in place of what was drawn before. */
  draw(line: Line, { columns, rows }: Size): string {
    const { prompt, text, at, note = '' } = line;
    const start = walk({ row: 0, column: 0 }, plain(prompt), columns);
    const end = walk(start, shown(text) + note, columns);
    const atEnd = wrapped(end, columns);
    const cursor = wrapped(walk(start, shown(text.slice(0, at)), columns), columns);
    const top = this.#toTop();
    const hidden = atEnd.row >= rows;
    this.#first = hidden ? Math.max(cursor.row - rows + 1, Math.min(this.#first, cursor.row)) : 0;
    this.#row = cursor.row - this.#first;
    this.#rowOfLine = cursor.row - rowsAbove(line, columns);
    const body = hidden
      ? this.#part(prompt, rowsOf(shown(text) + note, start, columns), rows)
      : prompt + (shown(text) + note).replaceAll('\n', `\r\n${CONTINUED}`);
    // A full last row is left by hand, as terminals wait for the next character to do it.
    const full = !hidden && end.column >= columns ? ' \r' : '';
    const last = Math.min(atEnd.row, this.#first + rows - 1);
    const up = last - cursor.row;
    const back = `${up > 0 ? `\x1b[${up}A` : ''}\r${cursor.column > 0 ? `\x1b[${cursor.column}C` : ''}`;
    return `${top}\x1b[J${body}${full}${back}`;
  }

  /** As many rows as there is room for. */
  #part(prompt: string, [first = '', ...others]: readonly string[], rows: number): string {
    return [prompt + first, ...others].slice(this.#first, this.#first + rows).join('\r\n');
  }

  /** Moves behind the line's last row, so that something else can follow. */
  leave(line: Line, columns: number): string {
    const drawn = this.draw({ ...line, at: line.text.length }, { columns, rows: Infinity });
    this.#row = 0;
    return `${drawn}\r\n`;
  }

  /** The line is no longer on the screen. */
  forget(): void {
    this.#row = 0;
  }

  /** The screen has another size now. It wrapped its lines anew, all but the one with the cursor, which keeps its rows. */
  rewrap(line: Line, { columns, rows }: Size): void {
    this.#row = Math.min(rowsAbove(line, columns) + this.#rowOfLine, rows - 1);
  }

  #toTop(): string {
    return `\r${this.#row > 0 ? `\x1b[${this.#row}A` : ''}`;
  }
}
