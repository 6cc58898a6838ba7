/** Objects of which nothing is known but their fields. */
import type { ApiObject } from '../../schema/index.ts';
import { isObject, goText } from '../../std/index.ts';
import { field, indent, meta, names, sortedEntries, type Line } from './lines.ts';

/** Fields that stand at the top by their own names. */
const SHOWN = ['.metadata.name', '.metadata.namespace', '.metadata.labels', '.metadata.annotations'];

export const describeAny = (object: ApiObject): readonly Line[] => [
  ...names(object),
  ...meta(object),
  ...fieldLines({ ...object }, ''),
];

function fieldLines(fields: Readonly<Record<string, unknown>>, path: string): readonly Line[] {
  return sortedEntries(fields).flatMap(([name, value]) => {
    const here = `${path}.${name}`;
    if (SHOWN.includes(here)) return [];
    const label = labelOf(name);
    if (Array.isArray(value))
      return [
        `${label}:`,
        ...indent(
          1,
          value.flatMap((item) => itemLines(item, here)),
        ),
      ];
    if (isObject(value)) return [`${label}:`, ...indent(1, fieldLines(value, here))];
    return [field(label, goText(value))];
  });
}

const itemLines = (item: unknown, path: string): readonly Line[] =>
  isObject(item) ? fieldLines(item, path) : [goText(item)];

const ACRONYMS = ['API', 'URL', 'UID', 'OSB', 'GUID'];

/** `creationTimestamp` is shown as `Creation Timestamp`; names with other characters than letters stay. */
function labelOf(name: string): string {
  if (!/^[\p{L}-]*$/u.test(name)) return name;
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|-+|\p{L}/gu) ?? [];
  return words
    .map((word) =>
      ACRONYMS.includes(word.toUpperCase()) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
}
