/** Prints the server's tables. */
import { getOwn } from '../../std/index.ts';
import type { ServerTable, TableColumn, TableRow } from '../server/tables.ts';
import { Columns } from './columns.ts';

export interface TableOptions {
  readonly wide: boolean;
  readonly headers: boolean;
  /** A column in front that says in which namespace each object is. */
  readonly namespaces: boolean;
  /** Put before each name: `pod/`. */
  readonly prefix: string;
  readonly labels: boolean;
  /** Labels that get a column each. */
  readonly labelColumns: readonly string[];
}

/** Prints rows as they come; the head stands above the first ones. */
export class TablePrinter {
  readonly #options: TableOptions;
  readonly #columns = new Columns();
  #begun = false;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** `event`: the type of the watch event, shown in a column of its own if events are shown. */
  print({ columns, rows }: ServerTable, event?: string): string {
    const shown = [...columns.entries()].filter(([, column]) => this.#options.wide || column.priority === 0);
    const lines = rows.map((row) => [...eventCell(event), ...this.#row(row, shown)]);
    const head =
      this.#begun || !this.#options.headers ? [] : [[...(event === undefined ? [] : ['EVENT']), ...this.#head(shown)]];
    this.#begun = true;
    return this.#columns.lines([...head, ...lines]);
  }

  #head(shown: readonly (readonly [number, TableColumn])[]): readonly string[] {
    const { namespaces, labels, labelColumns } = this.#options;
    return [
      ...(namespaces ? ['NAMESPACE'] : []),
      ...shown.map(([, { name }]) => name.toUpperCase()),
      ...labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
      ...(labels ? ['LABELS'] : []),
    ];
  }

  #row({ cells, object }: TableRow, shown: readonly (readonly [number, TableColumn])[]): readonly string[] {
    const { namespaces, prefix, labels, labelColumns } = this.#options;
    const all = object.metadata.labels ?? {};
    return [
      ...(namespaces ? [object.metadata.namespace ?? ''] : []),
      ...shown.map(([i], at) => (at === 0 ? prefix : '') + cellText(cells[i])),
      ...labelColumns.map((label) => getOwn(all, label) ?? ''),
      ...(labels ? [labelText(all)] : []),
    ];
  }
}

/** As wide as the longest of them, so that rows of one watch stand below each other. */
const eventCell = (event: string | undefined): readonly string[] => (event === undefined ? [] : [event.padEnd(8)]);

const cellText = (cell: unknown): string => (cell === null || cell === undefined ? '' : String(cell));

const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(',') || '<none>';
