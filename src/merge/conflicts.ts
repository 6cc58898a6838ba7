import { deepEqual, getOwn, isObject } from '../std/index.ts';
import { areObjects, keyOfItems, textLists } from './threeWay.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether two strategic patches change a value in different ways. Fields in only one of them do not conflict. */
export const conflicts = (a: Fields, b: Fields): boolean =>
  getOwn(a, '$patch') !== getOwn(b, '$patch') ||
  Object.entries(a).some(
    ([field, value]) =>
      !field.startsWith('$') && Object.hasOwn(b, field) && valuesConflict(field, value, getOwn(b, field)),
  );

function valuesConflict(field: string, a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b)) return conflicts(a, b);
  return Array.isArray(a) && Array.isArray(b) ? listsConflict(field, a, b) : !deepEqual(a, b);
}

function listsConflict(field: string, a: readonly unknown[], b: readonly unknown[]): boolean {
  // The server keeps the strings of both lists.
  if (textLists.includes(field)) return false;
  if (!areObjects(a) || !areObjects(b)) return !deepEqual([...new Set(a)].sort(), [...new Set(b)].sort());
  const key = keyOfItems(field, [...a, ...b]);
  if (key === undefined) return a.length !== b.length || a.some((item, at) => conflicts(item, b[at] ?? {}));
  const others = new Map(b.map((item) => [getOwn(item, key), item]));
  return a.some((item) => {
    const other = others.get(getOwn(item, key));
    return other !== undefined && conflicts(item, other);
  });
}
