/** Compares two values of one type: which fields were added, modified or removed. */
import { deepEqual, isObject, getOwn } from '../../std/index.ts';
import { EMPTY, LEAF, union } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { itemsByElement } from './items.ts';
import { fieldElement } from './pathElement.ts';
import { noChildren } from './sharedSets.ts';
import type { Children } from './sharedSets.ts';
import { deduce } from './types.ts';
import type { Fields, List, Type } from './types.ts';

/** No path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const SAME: Comparison = { added: EMPTY, modified: EMPTY, removed: EMPTY };
const MODIFIED: Comparison = { ...SAME, modified: LEAF };

/** Whether nothing differs. */
export function isSame(comparison: Comparison): boolean {
  return comparison.added === EMPTY && comparison.modified === EMPTY && comparison.removed === EMPTY;
}

/**
 * Compares two values; undefined means absent. A list, map or struct that is added or removed counts together with
 * everything in it. Throws TypeMismatch for lists whose items can't be identified.
 */
export function compare(before: unknown, after: unknown, type: Type): Comparison {
  if (before === after) return SAME;
  if (before === undefined) return { ...SAME, added: everything(after, type) };
  if (after === undefined) return { ...SAME, removed: everything(before, type) };
  if (type.form === 'open') return compareOpen(before, after);
  return compareForm(before, after, type);
}

function compareForm(before: unknown, after: unknown, type: Exclude<Type, { form: 'open' }>): Comparison {
  if (type.form === 'fields') return compareFields(before, after, type);
  return type.form === 'list' ? compareLists(before, after, type) : compareLeaves(before, after);
}

function compareLeaves(before: unknown, after: unknown): Comparison {
  return deepEqual(before, after) ? SAME : MODIFIED;
}

/** If a value changes its form, both forms are compared: the old content is removed and the new content added. */
function compareOpen(before: unknown, after: unknown): Comparison {
  const [old, current] = [deduce(before), deduce(after)];
  if (old === current) return compareForm(before, after, current);
  const [as, to] = [compareForm(before, after, old), compareForm(before, after, current)];
  return {
    added: union(as.added, to.added),
    modified: union(as.modified, to.modified),
    removed: union(as.removed, to.removed),
  };
}

function compareFields(before: unknown, after: unknown, type: Fields): Comparison {
  const [old, current] = [filled(before), filled(after)];
  if (type.atomic || (old === undefined && current === undefined)) return compareLeaves(before, after);
  const parts = new Parts();
  for (const name in current) parts.field(name, getOwn(old, name), current[name], type);
  for (const name in old) if (getOwn(current, name) === undefined) parts.field(name, old[name], undefined, type);
  return parts.build();
}

/** A non-empty object. */
function filled(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  for (const _ in value) return value;
  return undefined;
}

function compareLists(before: unknown, after: unknown, type: List): Comparison {
  const [old, current] = [listed(before), listed(after)];
  if (type.merges === 'atomic' || old.length + current.length === 0) return compareLeaves(before, after);
  const [oldItems, currentItems] = [itemsByElement(type, old), itemsByElement(type, current)];
  const parts = new Parts();
  for (const [element, item] of currentItems) parts.put(element, compare(oldItems.get(element), item, type.of));
  for (const [element, item] of oldItems)
    if (!currentItems.has(element)) parts.put(element, compare(item, undefined, type.of));
  return parts.build();
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value that was added or removed as a whole: its own path, and the paths of everything mergeable in it. */
function everything(value: unknown, type: Type): FieldSet {
  const form = type.form === 'open' ? deduce(value) : type;
  if (form.form === 'list' && form.merges !== 'atomic' && listed(value).length > 0)
    return everyItem(listed(value), form);
  const fields = form.form === 'fields' && !form.atomic ? filled(value) : undefined;
  return fields && form.form === 'fields' ? everyField(fields, form) : LEAF;
}

function everyItem(items: readonly unknown[], type: List): FieldSet {
  let children = noChildren();
  for (const [element, item] of itemsByElement(type, items))
    children = children.with(element, everything(item, type.of));
  return children.set(true);
}

function everyField(fields: Record<string, unknown>, type: Fields): FieldSet {
  let children = noChildren();
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    const member = type.member(name);
    const of = member?.type ?? type.rest;
    if (of !== undefined) children = children.with(member?.element ?? fieldElement(name), everything(value, of));
  }
  return children.set(true);
}

/** Collects the differences below one path. */
class Parts {
  #added: Children | undefined;
  #modified: Children | undefined;
  #removed: Children | undefined;

  field(name: string, before: unknown, after: unknown, type: Fields): void {
    if (before === after) return;
    const member = type.member(name);
    const of = member?.type ?? type.rest;
    if (of !== undefined) this.put(member?.element ?? fieldElement(name), compare(before, after, of));
  }

  put(element: string, { added, modified, removed }: Comparison): void {
    if (added !== EMPTY) this.#added = (this.#added ?? noChildren()).with(element, added);
    if (modified !== EMPTY) this.#modified = (this.#modified ?? noChildren()).with(element, modified);
    if (removed !== EMPTY) this.#removed = (this.#removed ?? noChildren()).with(element, removed);
  }

  build(): Comparison {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return SAME;
    return {
      added: this.#added?.set(false) ?? EMPTY,
      modified: this.#modified?.set(false) ?? EMPTY,
      removed: this.#removed?.set(false) ?? EMPTY,
    };
  }
}
