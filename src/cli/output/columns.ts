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

  /** The rows as lines, each ended by a line break. Last cells are not padded. */
  lines(rows: readonly (readonly string[])[]): string {
    for (const row of rows) for (const [i, cell] of row.slice(0, -1).entries()) this.#widen(i, cell);
    return rows.map((row) => `${row.map((cell, i) => this.#pad(cell, i, i === row.length - 1)).join('')}\n`).join('');
  }

  #widen(column: number, cell: string): void {
    this.#widths[column] = Math.max(this.#widths[column] ?? this.#narrowest, characters(cell) + this.#padding);
  }

  #pad(cell: string, column: number, last: boolean): string {
    return last ? cell : cell + ' '.repeat((this.#widths[column] ?? 0) - characters(cell));
  }
}

const characters = (cell: string): number => [...cell].length;
