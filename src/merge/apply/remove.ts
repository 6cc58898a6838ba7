/** Removes fields and items from a value. */
import { isObject, setOwn } from '../../std/index.ts';
import { EMPTY } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { itemElement } from './items.ts';
import { fieldElement } from './pathElement.ts';
import { deduce } from './types.ts';
import type { Fields, List, Type } from './types.ts';

/**
 * The value without the paths in the set. A map or list that loses everything becomes null, as does an empty one that
 * the set reaches into.
 */
export function remove(value: unknown, set: FieldSet, type: Type): unknown {
  const form = type.form === 'open' ? deduce(value) : type;
  if (form.form === 'scalar') return value;
  if (form.form === 'fields') return form.atomic || !isObject(value) ? null : removeFields(value, set, form);
  return form.merges === 'atomic' || !Array.isArray(value) ? null : removeItems(value, set, form);
}

function removeFields(value: Record<string, unknown>, set: FieldSet, type: Fields): unknown {
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const member = type.member(name);
    const unwanted = set.children.get(member?.element ?? fieldElement(name)) ?? EMPTY;
    if (!unwanted.self) setOwn(kept, name, reduce(field, unwanted, member?.type ?? type.rest));
  }
  return Object.keys(kept).length > 0 ? kept : null;
}

function removeItems(items: readonly unknown[], set: FieldSet, type: List): unknown {
  const kept: unknown[] = [];
  for (const item of items) {
    const unwanted = set.children.get(itemElement(type, item)) ?? EMPTY;
    if (!unwanted.self) kept.push(reduce(item, unwanted, type.of));
  }
  return kept.length > 0 ? kept : null;
}

function reduce(value: unknown, unwanted: FieldSet, type: Type | undefined): unknown {
  return type === undefined || unwanted.children.size === 0 ? value : remove(value, unwanted, type);
}
