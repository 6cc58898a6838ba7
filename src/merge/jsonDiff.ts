/**
 * The JSON patch that turns one value into another, in a readable form: field by field, lists item by item from the
 * front.
 */
import { deepEqual, isObject, getOwn } from '../std/index.ts';

export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** Applying the operations to `before` with `jsonPatch` gives `after`; empty if both are equal. */
export function jsonDiff(before: unknown, after: unknown, path = ''): readonly DiffOperation[] {
  if (deepEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) return objectDiff(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return listDiff(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

type Fields = Readonly<Record<string, unknown>>;

function objectDiff(before: Fields, after: Fields, path: string): readonly DiffOperation[] {
  const at = (key: string): string => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const removed = Object.keys(before).filter(
    (key) => getOwn(after, key) === undefined && getOwn(before, key) !== undefined,
  );
  return [
    ...removed.map((key) => ({ op: 'remove' as const, path: at(key) })),
    ...Object.entries(after).flatMap(([key, value]) => {
      if (value === undefined) return [];
      return getOwn(before, key) === undefined
        ? [{ op: 'add' as const, path: at(key), value }]
        : jsonDiff(getOwn(before, key), value, at(key));
    }),
  ];
}

/** Common prefixes and suffixes of the lists stay; in between, items at the same index are compared. */
function listDiff(before: readonly unknown[], after: readonly unknown[], path: string): readonly DiffOperation[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && deepEqual(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && deepEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const both = Math.min(gone.length, come.length);
  const at = (index: number): string => `${path}/${head + index}`;
  return [
    ...gone.slice(0, both).flatMap((item, i) => jsonDiff(item, come[i], at(i))),
    // Removes from the end, so that the indexes of earlier items stay valid.
    ...gone.slice(both).map((_, i) => ({ op: 'remove' as const, path: at(gone.length - 1 - i) })),
    ...come.slice(both).map((value, i) => ({ op: 'add' as const, path: at(both + i), value })),
  ];
}
