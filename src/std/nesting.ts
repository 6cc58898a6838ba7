import { isObject } from './json.ts';

/** Whether a value nests deeper than so many levels. It walks without recursion: the value may be as deep as it likes. */
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
