/** The lines of a description: text with tabs between its cells, and helpers for what nearly every kind shows. */
import { codePoints } from '../output/text.ts';

/** One line; tabs stand between its cells. */
export type Line = string;

export const NONE = '<none>';
export const UNSET = '<unset>';

/** `Name:` and its value. */
export const field = (name: string, value: unknown): Line => `${name}:\t${String(value)}`;

/** A field that is left out where its value is missing or empty. */
export const given = (name: string, value: unknown): readonly Line[] =>
  value === undefined || value === null || value === '' ? [] : [field(name, value)];

/** The lines two spaces further in for each level. */
export const indent = (level: number, lines: readonly Line[]): readonly Line[] =>
  lines.map((line) => '  '.repeat(level) + line);

/** A heading with what stands under it. */
export const section = (title: string, lines: readonly Line[], level = 1): readonly Line[] => [
  `${title}:`,
  ...indent(level, lines),
];

/** A table's heads with a rule of dashes under them, and its rows. */
export const table = (heads: readonly string[], rows: readonly (readonly unknown[])[]): readonly Line[] =>
  [heads, heads.map((head) => '-'.repeat(head.length)), ...rows].map((cells) => cells.map(String).join('\t'));

/** Several values under one name, one on each line; `<none>` without any. */
export function several(name: string, values: readonly string[]): readonly Line[] {
  if (values.length === 0) return [field(name, NONE)];
  const before = /^ */.exec(name)?.[0] ?? '';
  return values.map((value, i) => (i === 0 ? field(name, value) : `${before}\t${value}`));
}

type Texts = Readonly<Record<string, string>> | undefined;

/** Pairs in the order of their names. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | undefined): readonly (readonly [string, T])[] =>
  Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

export const labels = (name: string, map: Texts): readonly Line[] =>
  several(
    name,
    sortedEntries(map).map(([key, value]) => `${key}=${value}`),
  );

/** `a=b,c=d`; `<none>` without any. */
export const labelsInLine = (map: Texts): string =>
  sortedEntries(map)
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || NONE;

const LONGEST = 140;
const LAST_APPLIED = /^(kubectl\.kubernetes\.io|clusterctl\.cluster\.io)\/last-applied-configuration$/;

const shorten = (text: string): string => (text.length > LONGEST - 2 ? `${text.slice(0, LONGEST - 2)}...` : text);

/** Long values and those of several lines stand below their names. */
export function annotations(name: string, map: Texts): readonly Line[] {
  const shown = sortedEntries(map).filter(([key]) => !LAST_APPLIED.test(key));
  const lines = shown.flatMap(([key, whole]) => {
    const value = whole.replace(/\n$/, '');
    const fits = value.length + key.length + 2 <= LONGEST && !value.includes('\n');
    return fits ? [`${key}: ${value}`] : [`${key}:`, ...value.split('\n').map((line) => `  ${shorten(line)}`)];
  });
  return lines.length === 0 ? [field(name, NONE)] : lines.map((line, i) => (i === 0 ? field(name, line) : `\t${line}`));
}

interface Named {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Texts;
    readonly annotations?: Texts;
  };
}

export const names = ({ metadata }: Named): readonly Line[] => [
  field('Name', metadata?.name ?? ''),
  field('Namespace', metadata?.namespace ?? ''),
];

export const nameAlone = ({ metadata }: Named): Line => field('Name', metadata?.name ?? '');

export const meta = ({ metadata }: Named): readonly Line[] => [
  ...labels('Labels', metadata?.labels),
  ...annotations('Annotations', metadata?.annotations),
];

/** `True`, `False`; `<unset>` where nothing is said. */
export const yesNo = (value: boolean | null | undefined): string =>
  value === null || value === undefined ? UNSET : value ? 'True' : 'False';

/** A list as Go prints one: `[a b]`. */
export const goList = (values: readonly unknown[] | null | undefined): string => `[${(values ?? []).join(' ')}]`;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const NEVER = 'Mon, 01 Jan 0001 00:00:00 +0000';

/** `Mon, 02 Jan 2006 15:04:05 +0000`: all times are shown in UTC. */
export function longTime(text: string | null | undefined): string {
  if (!text) return NEVER;
  const date = new Date(text);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${day} ${date.toISOString().slice(11, 19)} +0000`;
}

const PADDING = 2;

/** The lines with their cells lined up: cells of lines one after the other that have a column make one block, as wide as its widest cell. */
export function lineUp(lines: readonly Line[]): string {
  const rows = lines.flatMap((line) => line.split('\n')).map((line) => line.split('\t'));
  const widths: number[][] = rows.map(() => []);
  measure(rows, widths, 0, 0, rows.length);
  return rows
    .map((cells, i) =>
      cells.map((cell, j) => cell + ' '.repeat(Math.max(0, (widths[i]?.[j] ?? 0) - codePoints(cell)))).join(''),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Sets the widths of the columns from `column` on for the rows from `from` to `to`. */
function measure(
  rows: readonly (readonly string[])[],
  widths: number[][],
  column: number,
  from: number,
  to: number,
): void {
  const has = (i: number): boolean => column < (rows[i]?.length ?? 0) - 1;
  for (let i = from; i < to; i++) {
    if (!has(i)) continue;
    let end = i;
    while (end < to && has(end)) end++;
    const block = rows.slice(i, end);
    const width = Math.max(...block.map((cells) => codePoints(cells[column] ?? ''))) + PADDING;
    for (let at = i; at < end; at++) widths[at]?.push(width);
    measure(rows, widths, column + 1, i, end);
    i = end;
  }
}
