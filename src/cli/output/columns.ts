/** Text in columns, as the reference's client lines it up: cells end at the widest of their column plus three spaces. */

const PADDING = 3;
const NARROWEST = 6;

/** Lines up rows as they come: a column never becomes narrower again, so what a watch adds stands below what is there. */
export class Columns {
  readonly #widths: number[] = [];
  readonly #padding: number;
  readonly #narrowest: number;

  constructor(padding = PADDING, narrowest = NARROWEST) {
    this.#padding = padding;
    this.#narrowest = narrowest;
  }

  /**
   * The rows as lines, each ended by a line break. Last cells are not padded, and a row without a column ends it: those
   * below are lined up on their own.
   */
  lines(rows: readonly (readonly string[])[]): string {
    const columns = rows.reduce((most, row) => Math.max(most, row.length - 1), 0);
    const padded = rows.map((row) => [...row]);
    for (let column = 0; column < columns; column++)
      for (const block of blocksOf(padded, column)) this.#padBlock(block, column);
    return padded.map((row) => `${row.join('')}\n`).join('');
  }

  #padBlock(rows: readonly string[][], column: number): void {
    const cells = rows.map((row) => row[column] ?? '');
    const width = cells.reduce(
      (widest, cell) => Math.max(widest, characters(cell) + this.#padding),
      this.#widths[column] ?? this.#narrowest,
    );
    this.#widths[column] = width;
    for (const [i, row] of rows.entries()) row[column] = padTo(cells[i] ?? '', width);
  }
}

/** The rows in groups of neighbours that have a cell in the column and one behind it. */
function blocksOf(rows: readonly string[][], column: number): readonly string[][][] {
  const blocks: string[][][] = [];
  let isOpen = false;
  for (const row of rows) {
    const has = row.length - 1 > column;
    if (has && isOpen) blocks.at(-1)?.push(row);
    else if (has) blocks.push([row]);
    isOpen = has;
  }
  return blocks;
}

const padTo = (cell: string, width: number): string => cell + ' '.repeat(width - characters(cell));

const characters = (cell: string): number => [...cell].length;
