/** The fields that a configuration mentions, which its applier owns. */
import { isObject } from '../../std/index.ts';
import { EMPTY, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { itemsByElement } from './items.ts';
import { fieldElement } from './pathElement.ts';
import { noChildren, sharedSet } from './sharedSets.ts';
import { deduce } from './types.ts';
import type { Fields, Type } from './types.ts';

/**
 * Every leaf and every item of a value. Unlike in a comparison, a mergeable struct, map or list is not included itself,
 * so that two appliers can share it and nobody owns an empty one.
 */
export function toFieldSet(value: unknown, type: Type): FieldSet {
  const form = type.form === 'open' ? deduce(value) : type;
  if (form.form === 'scalar') return LEAF;
  if (form.form === 'fields') return form.atomic ? LEAF : isObject(value) ? fieldsOf(value, form) : EMPTY;
  if (form.merges === 'atomic') return LEAF;
  let children = noChildren();
  for (const [element, item] of itemsByElement(form, Array.isArray(value) ? value : []))
    children = children.with(element, counted(toFieldSet(item, form.of)));
  return children.set(false);
}

/** Keys of maps count like items; declared fields don't. */
function fieldsOf(value: Record<string, unknown>, type: Fields): FieldSet {
  let children = noChildren();
  for (const name in value) {
    if (value[name] === undefined) continue;
    const member = type.member(name);
    const of = member?.type ?? type.rest;
    if (of === undefined) continue;
    const set = toFieldSet(value[name], of);
    const child = member ? set : counted(set);
    if (child !== EMPTY) children = children.with(member?.element ?? fieldElement(name), child);
  }
  return children.set(false);
}

/** The set with its own path. */
const counted = ({ children }: FieldSet): FieldSet => sharedSet(true, children);
