/** Merges an applied configuration into the live object. Nothing is removed here; pruning follows. */
import { copyOf, getOwn, isObject, setOwn } from '../../std/index.ts';
import { itemsByElement } from './items.ts';
import { deduce } from './types.ts';
import type { Fields, List, Type } from './types.ts';

/** Merges two values of one type; undefined means absent. Neither is modified, the result shares parts with both. */
export function mergeValues(live: unknown, applied: unknown, type: Type): unknown {
  if (live === undefined) return applied;
  if (applied === undefined) return live;
  const form = type.form === 'open' ? deduce(applied) : type;
  if (form.form === 'fields' && !form.atomic) return mergeFields(live, applied, form);
  if (form.form === 'list' && form.merges !== 'atomic') return mergeLists(live, applied, form);
  return applied;
}

/** If the applied side is empty or null, a non-empty live side stays. */
function mergeFields(live: unknown, applied: unknown, type: Fields): unknown {
  if (!isObject(live) || Object.keys(live).length === 0) return applied;
  if (!isObject(applied)) return live;
  const merged = copyOf(live);
  for (const name in applied) {
    const of = type.member(name)?.type ?? type.rest;
    if (of === undefined) continue;
    const before = getOwn(live, name);
    const after = mergeValues(before, applied[name], of);
    if (after !== before) setOwn(merged, name, after);
  }
  return merged;
}

/** Live items keep their order; new ones follow in the applied order. */
function mergeLists(live: unknown, applied: unknown, type: List): unknown {
  if (!Array.isArray(live) || live.length === 0) return applied;
  if (!Array.isArray(applied)) return live;
  const merged = itemsByElement(type, live);
  for (const [element, item] of itemsByElement(type, applied))
    merged.set(element, mergeValues(merged.get(element), item, type.of));
  return [...merged.values()];
}
