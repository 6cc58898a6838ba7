/**
 * Lists with empty values in client input. Decoding drops empty values, but the reference compares an atomic list with
 * the decoded one, where empty differs from absent: such a list counts as changed.
 */
import { isObject } from '../../std/index.ts';
import { EMPTY, fieldSet, LEAF } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { itemElement, TypeMismatch } from './items.ts';
import { fieldElement } from './pathElement.ts';
import type { Fields, List, Type } from './types.ts';

/** The atomic fields of a sent value that contain a list with empty values. */
export function emptiedLists(sent: unknown, type: Type): FieldSet {
  if (type.form === 'fields' && isObject(sent))
    return type.atomic ? leafIf(hasEmptied(sent, type)) : inFields(sent, type);
  if (type.form !== 'list' || !Array.isArray(sent)) return EMPTY;
  return type.merges === 'atomic' ? leafIf(hasEmptied(sent, type)) : inItems(sent, type);
}

const leafIf = (test: boolean): FieldSet => (test ? LEAF : EMPTY);

function inFields(sent: Record<string, unknown>, type: Fields): FieldSet {
  let children: Map<string, FieldSet> | undefined;
  for (const name in sent) {
    const value = sent[name];
    // Only lists and objects can contain empty values.
    if (typeof value !== 'object') continue;
    const member = type.member(name);
    const of = member?.type ?? type.rest;
    const found = of ? emptiedLists(value, of) : EMPTY;
    if (found !== EMPTY) (children ??= new Map()).set(member?.element ?? fieldElement(name), found);
  }
  return fieldSet(false, children);
}

function inItems(sent: readonly unknown[], type: List): FieldSet {
  let children: Map<string, FieldSet> | undefined;
  for (const item of sent) {
    const found = emptiedLists(item, type.of);
    const element = found === EMPTY ? undefined : knownElement(type, item);
    if (element !== undefined) (children ??= new Map()).set(element, found);
  }
  return fieldSet(false, children);
}

/** The input is not validated yet: an item may lack its key, or exist twice. */
function knownElement(type: List, item: unknown): string | undefined {
  try {
    return itemElement(type, item);
  } catch (error) {
    if (error instanceof TypeMismatch) return undefined;
    throw error;
  }
}

/** Whether a value is or contains a list with empty values in its items. */
function hasEmptied(value: unknown, type: Type): boolean {
  if (type.form === 'list') return Array.isArray(value) && value.some((item) => holdsEmpty(item, type.of));
  return someField(value, type, hasEmptied);
}

/** Whether a value is or contains an empty list or map. A struct is never empty. */
function holdsEmpty(value: unknown, type: Type): boolean {
  if (type.form === 'list')
    return Array.isArray(value) && (value.length === 0 || value.some((item) => holdsEmpty(item, type.of)));
  const isMap = type.form === 'fields' && type.isMap;
  return (isMap && isObject(value) && Object.keys(value).length === 0) || someField(value, type, holdsEmpty);
}

function someField(value: unknown, type: Type, test: (value: unknown, type: Type) => boolean): boolean {
  if (type.form !== 'fields' || !isObject(value)) return false;
  for (const name in value) {
    const inner = value[name];
    if (typeof inner !== 'object') continue;
    const of = type.member(name)?.type ?? type.rest;
    if (of !== undefined && test(inner, of)) return true;
  }
  return false;
}
