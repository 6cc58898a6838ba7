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

/** A line that was drawn whole. */
interface Drawn {
  readonly prompt: string;
  readonly body: string;
  readonly columns: number;
}

const isSame = (before: Drawn | undefined, { prompt, columns }: Drawn): before is Drawn =>
  before?.prompt === prompt && before.columns === columns;

/** Where a line begins to differ from the one before, and what stands there. Undefined if all of it has to be written. */
function differenceOf(
  before: Drawn | undefined,
  line: Drawn,
): { readonly cell: Cell; readonly rest: string } | undefined {
  if (!isSame(before, line)) return undefined;
  const { prompt, body, columns } = line;
  const start = walk({ row: 0, column: 0 }, plain(prompt), columns);
  const chars = [...body];
  const others = [...before.body];
  let same = chars.findIndex((char, index) => char !== others[index]);
  if (same < 0) same = chars.length;
  // A cursor can't be moved behind a full row, and a mark belongs to the character before it.
  for (; same >= 0; same -= 1) {
    const cell = walk(start, chars.slice(0, same).join(''), columns);
    const [first = ' ', ...rest] = chars.slice(same);
    const isMark = first !== '\n' && charWidth(first) === 0;
    if (cell.column > 0 && cell.column < columns && !isMark)
      return { cell, rest: same < chars.length ? first + rest.join('') : '' };
  }
  return undefined;
}

/** Moves the cursor so many rows up, or down, and to a column. */
function move(up: number, column: number): string {
  const rows = up > 0 ? `\x1b[${up}A` : `\x1b[${-up}B`;
  return `${up === 0 ? '' : rows}\r${column > 0 ? `\x1b[${column}C` : ''}`;
}

const continued = (text: string): string => text.replaceAll('\n', `\r\n${CONTINUED}`);

/**
 * Draws a line where another stood, and remembers where the cursor is. What stands there already is not written again: a screen
 * reader reads aloud whatever is written.
 */
export class Drawing {
  /** The row of the cursor, from the first row that is shown. */
  #row = 0;
  /** Which row of the line is the first that is shown. */
  #first = 0;
  #drawn: Drawn | undefined;

  /** What a terminal has to write to show the line in place of what was drawn before. */
  draw(line: Line, { columns, rows }: Size): string {
    const { prompt, text, at, note = '' } = line;
    const body = shown(text) + note;
    const start = walk({ row: 0, column: 0 }, plain(prompt), columns);
    const end = walk(start, body, columns);
    const atEnd = wrapped(end, columns);
    const cursor = wrapped(walk(start, shown(text.slice(0, at)), columns), columns);
    if (atEnd.row >= rows) return this.#drawPart(prompt, rowsOf(body, start, columns), cursor, rows);
    const [row, drawn] = [this.#row, { prompt, body, columns }];
    const isMove = isSame(this.#drawn, drawn) && this.#drawn.body === body;
    const written = isMove ? '' : this.#write(drawn);
    [this.#row, this.#first, this.#drawn] = [cursor.row, 0, drawn];
    if (isMove) return move(row - cursor.row, cursor.column);
    // A full last row is left by hand, as terminals wait for the next character to do it.
    const full = end.column >= columns ? ' \r' : '';
    return `${written}${full}${move(atEnd.row - cursor.row, cursor.column)}`;
  }

  #write(line: Drawn): string {
    const difference = differenceOf(this.#drawn, line);
    if (!difference) return `${this.#toTop()}\x1b[J${line.prompt}${continued(line.body)}`;
    const { cell, rest } = difference;
    return `${move(this.#row - cell.row, cell.column)}\x1b[J${continued(rest)}`;
  }

  /** As many rows as there is room for. */
  #drawPart(prompt: string, [first = '', ...others]: readonly string[], cursor: Cell, rows: number): string {
    const top = this.#toTop();
    const all = [prompt + first, ...others];
    this.#first = Math.max(cursor.row - rows + 1, Math.min(this.#first, cursor.row));
    this.#row = cursor.row - this.#first;
    this.#drawn = undefined;
    const part = all.slice(this.#first, this.#first + rows);
    return `${top}\x1b[J${part.join('\r\n')}${move(part.length - 1 - this.#row, cursor.column)}`;
  }

  /** Moves behind the line's last row, so that something else can follow. */
  leave(line: Line, columns: number): string {
    const drawn = this.draw({ ...line, at: line.text.length }, { columns, rows: Infinity });
    this.forget();
    return `${drawn}\r\n`;
  }

  /** The line is no longer on the screen. */
  forget(): void {
    this.#row = 0;
    this.#drawn = undefined;
  }

  /** The row of the cursor, from the first row that is shown. */
  get row(): number {
    return this.#row;
  }

  /** The screen wrapped its lines anew: the cursor is now in another row, which may be above the first. */
  rewrap(row: number): void {
    this.#row = row;
    this.#drawn = undefined;
  }

  #toTop(): string {
    return move(this.#row, 0);
  }
}
