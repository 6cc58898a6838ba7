import { isObject } from './json.ts';

/** Whether a value is nested deeper than `levels`. It does not recurse, because the value may be arbitrarily deep. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [at, depth] = next;
    if (!Array.isArray(at) && !isObject(at)) continue;
    if (depth === levels) return true;
    for (const inner of Object.values(at)) open.push([inner, depth + 1]);
  }
  return false;
}
