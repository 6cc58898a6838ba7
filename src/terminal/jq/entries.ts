/** Functions of jq that put many values together, in time linear in their number. */
import { isObject, setOwn } from '../../std/index.ts';
import { copyCost } from './costs.ts';
import type { Machine } from './evaluate.ts';
import { add, described, isTrue, JqError, lookUp, MOST_ITEMS } from './values.ts';

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  if (isObject(value)) return Object.values(value);
  throw new JqError(`Cannot iterate over ${described(value)}`);
}

/** `add`: the sum of all items. Throws JqError. */
export function sum(value: unknown, machine: Machine): unknown {
  const items = itemsOf(value).filter((item) => item !== null);
  machine.spend(items.length / 4);
  for (const item of items) if (typeof item === 'object') machine.copying(item);
  if (items.length > 0 && items.every(Array.isArray)) return concatenated(items as readonly (readonly unknown[])[]);
  if (items.length > 0 && items.every(isObject)) return merged(items);
  let total: unknown = null;
  for (const item of items) {
    if (typeof total === 'object') machine.spend(copyCost(total));
    total = add(total, item);
  }
  return total;
}

function concatenated(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  const all: unknown[] = [];
  for (const list of lists) {
    if (all.length + list.length > MOST_ITEMS) throw new JqError('the array would be too long');
    for (const item of list) all.push(item);
  }
  return all;
}

function merged(objects: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const object of objects) for (const [key, value] of Object.entries(object)) setOwn(all, key, value);
  return all;
}

const KEYS = ['key', 'Key', 'name', 'Name'];

/** `from_entries`. Throws JqError. */
export function fromEntries(value: unknown, machine: Machine): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  for (const entry of itemsOf(value)) {
    machine.spend(1);
    const keys = KEYS.map((name) => lookUp(entry, name));
    const key = keys.find(isTrue) ?? keys.at(-1) ?? null;
    if (typeof key !== 'string') throw new JqError(`Cannot use ${described(key)} as object key`);
    setOwn(object, key, lookUp(entry, isObject(entry) && Object.hasOwn(entry, 'value') ? 'value' : 'Value'));
  }
  return object;
}
