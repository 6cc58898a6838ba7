/** Fills the words of a naming profile, and values that were kept, into all texts of a piece of data. */
import { isObject, setOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';

/** The same data with `change` applied to each text, keys included. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  const mapped: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(mapped, change(key), mapTexts(item, change));
  return mapped;
}

/** The data in the words of a naming profile. Only texts change: the form stays. */
export function fillWords<T>(data: T, names: Names): T {
  return mapTexts(data, (text) => names.fill(text)) as T;
}

/** The data with each `<word>` that was kept replaced by its value. */
export function fillKept<T>(data: T, kept: ReadonlyMap<string, string>): T {
  const replace = (text: string): string => text.replace(/<([\w-]+)>/g, (all, word: string) => kept.get(word) ?? all);
  return mapTexts(data, replace) as T;
}
