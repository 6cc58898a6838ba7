/** The identity of items in mergeable lists. */
import { isObject } from '../../std/index.ts';
import { keyElement, valueElement } from './pathElement.ts';
import type { List } from './types.ts';

/** Thrown for a value of the wrong type, or a list with invalid items. */
export class TypeMismatch extends Error {
  override name = 'TypeMismatch';
}

/** The path element of an item in a set or a keyed list. Throws TypeMismatch if it can't be identified. */
export function itemElement(list: List, item: unknown): string {
  return list.merges === 'set' ? setElement(item) : keyedElement(list, item);
}

function setElement(item: unknown): string {
  if (item === null) throw new TypeMismatch("associative list without keys has an element that's an explicit null");
  if (typeof item === 'object')
    throw new TypeMismatch("associative list without keys has an element that's a list or map type");
  return valueElement(item);
}

/** Caches the elements of items with a single string key, because the same few recur; limited for each list. */
const elements = new WeakMap<List, Map<string, string>>();
const MOST_ELEMENTS = 1000;

function keyedElement(list: List, item: unknown): string {
  if (!isObject(item)) throw new TypeMismatch('associative list with keys may not have a null or non-map element');
  const [only] = list.keys;
  const text = list.keys.length === 1 && only && Object.hasOwn(item, only.name) ? item[only.name] : undefined;
  return typeof text === 'string' ? elementOf(list, item, text) : elementByKeys(list, item);
}

function elementOf(list: List, item: Record<string, unknown>, text: string): string {
  let known = elements.get(list);
  if (!known) elements.set(list, (known = new Map()));
  let element = known.get(text);
  if (element !== undefined) return element;
  if (known.size >= MOST_ELEMENTS) known.clear();
  known.set(text, (element = elementByKeys(list, item)));
  return element;
}

function elementByKeys(list: List, item: Record<string, unknown>): string {
  return keyElement(
    list.keys.map(({ name, absent }) => {
      const value = Object.hasOwn(item, name) ? item[name] : absent;
      if (value === undefined) {
        throw new TypeMismatch(
          `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
        );
      }
      return [name, value] as const;
    }),
  );
}

/** The items of a list by element, in order. Throws TypeMismatch for duplicates. */
export function itemsByElement(list: List, items: readonly unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (found.has(element)) throw new TypeMismatch(`duplicate entries for key ${element}`);
    found.set(element, item);
  }
  return found;
}
