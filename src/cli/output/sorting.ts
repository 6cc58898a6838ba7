/** `--sort-by`: orders objects by what a path finds in each. */
import type { ApiObject } from '../../schema/index.ts';
import { complaint } from '../command/errors.ts';
import { parseRelaxedPath } from './jsonPath/index.ts';

/** The same items in order; those in which the path finds nothing come first. Throws CommandError where it finds nothing in any. */
export function sortedBy<T>(items: readonly T[], path: string, objectOf: (item: T) => ApiObject): readonly T[] {
  const template = parseRelaxedPath(path);
  const keyed = items.map((item) => ({ item, found: template.find(objectOf(item))[0] }));
  if (items.length > 0 && keyed.every(({ found }) => found === undefined))
    throw complaint(`couldn't find any field with path ${JSON.stringify(path)} in the list of objects`);
  return keyed.sort((a, b) => compare(a.found, b.found)).map(({ item }) => item);
}

function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return (a === undefined ? 0 : 1) - (b === undefined ? 0 : 1);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

/** Numbers within texts count as numbers: `web-2` comes before `web-10`. */
function compareText(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    if (x === y) continue;
    const numbers = /^\d/.test(x) && /^\d/.test(y);
    if (numbers && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
