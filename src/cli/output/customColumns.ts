/** Columns that people choose: `-o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName`. */
import { goText } from '../../std/index.ts';
import { CommandError, complaint, PrintedError } from '../command/errors.ts';
import { Columns } from './columns.ts';
import { findRelaxed } from './jsonPath/index.ts';

interface Column {
  readonly header: string;
  readonly find: (object: unknown) => readonly unknown[];
}

/** Throws CommandError for a text that is no list of columns. */
export function parseColumns(text: string): readonly Column[] {
  if (text === '') throw complaint('custom-columns format specified but no custom columns given');
  return text.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0 || part.indexOf(':') !== part.lastIndexOf(':'))
      throw complaint(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { header: part.slice(0, colon), find: findRelaxed(part.slice(colon + 1)) };
  });
}

/** Columns from a file: a line of headers over a line of paths. */
export function parseColumnsFile(text: string): readonly Column[] {
  if (text.split('\n').filter(Boolean).length < 2)
    throw complaint(
      'invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.',
    );
  const [headers = [], paths = []] = text.split('\n').map((line) => line.trim().split(/\s+/).filter(Boolean));
  if (headers.length !== paths.length)
    throw complaint(`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`);
  return headers.map((header, i) => ({ header, find: findRelaxed(paths[i] ?? '') }));
}

/** The table of these objects, with its head unless told. Throws PrintedError, with the rows before, where a path can't be applied. */
export function printColumns(columns: readonly Column[], objects: readonly unknown[], { headers = true } = {}): string {
  const rows: (readonly string[])[] = headers ? [columns.map(({ header }) => header)] : [];
  try {
    for (const object of objects) rows.push(...linesOf(columns.map(({ find }) => cellText(find(object)))));
  } catch (error) {
    throw error instanceof CommandError ? new PrintedError(error.message, new Columns().lines(rows)) : error;
  }
  return new Columns().lines(rows);
}

/** Line breaks and tabs in a text are the table's own: they begin a row and a cell. */
const linesOf = (cells: readonly string[]): readonly (readonly string[])[] =>
  cells
    .join('\t')
    .split('\n')
    .map((line) => line.split('\t'));

const cellText = (found: readonly unknown[]): string => (found.length === 0 ? '<none>' : found.map(goText).join(','));
