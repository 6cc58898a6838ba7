/** Defaults of custom objects: from the outside in, so that a default can have defaults inside it. Works in place. */
import { clone, isObject, setOwn } from '../../std/index.ts';
import { fieldOf, type Structural } from './structural.ts';

export function applyDefaults(value: unknown, structure: Structural | undefined): void {
  if (!structure) return;
  if (Array.isArray(value)) fillItems(value, structure);
  else if (isObject(value)) fillFields(value, structure);
}

function fillFields(object: Record<string, unknown>, structure: Structural): void {
  for (const [name, field] of structure.properties) {
    if (field.default === undefined) continue;
    if (!Object.hasOwn(object, name) || isRefusedNull(object[name], field)) setOwn(object, name, clone(field.default));
  }
  for (const name of Object.keys(object)) {
    const field = fieldOf(structure, name);
    if (!structure.properties.has(name) && field && isRefusedNull(object[name], field))
      setOwn(object, name, clone(field.default ?? null));
    applyDefaults(object[name], field);
  }
}

function fillItems(list: unknown[], { items }: Structural): void {
  for (const [i, item] of list.entries()) {
    if (items && isRefusedNull(item, items)) list[i] = clone(items.default ?? null);
    applyDefaults(list[i], items);
  }
}

const isRefusedNull = (value: unknown, { nullable }: Structural): boolean => value === null && !nullable;
