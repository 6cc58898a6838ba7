/** Fields that the structure does not know are dropped, and nulls where nothing may be null. All functions work in place. */
import { isObject } from '../../std/index.ts';
import { fieldOf, type Structural } from './structural.ts';

/** Known of every object, whatever its schema says. */
export const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Drops unknown fields. Without a structure nothing is known, and all objects are emptied. */
export function prune(value: unknown, structure: Structural | undefined): void {
  if (structure?.preservesUnknown) pruneKnown(value, structure);
  else if (Array.isArray(value)) for (const item of value) prune(item, structure?.items);
  else if (isObject(value)) pruneFields(value, structure);
}

function pruneFields(object: Record<string, unknown>, structure: Structural | undefined): void {
  for (const name of Object.keys(object)) {
    if (structure?.embedded && META_FIELDS.has(name)) continue;
    const field = structure?.properties.get(name);
    if (field) prune(object[name], field);
    else if (structure?.additional) prune(object[name], structure.additional.structure);
    else Reflect.deleteProperty(object, name);
  }
}

/** Unknown fields are preserved here, also in the items of lists. The fields that the structure knows are pruned. */
function pruneKnown(value: unknown, structure: Structural | undefined): void {
  if (!structure) return;
  if (Array.isArray(value)) for (const item of value) pruneKnown(item, structure.items);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (structure.embedded && META_FIELDS.has(name)) continue;
    const field = structure.properties.get(name);
    if (field) prune(value[name], field);
    else if (structure.additional) prune(value[name], structure.additional.structure);
  }
}

/** Drops nulls that may not be null and have no default to take their place. */
export function dropNulls(value: unknown, structure: Structural | undefined): void {
  if (Array.isArray(value)) for (const item of value) dropNulls(item, structure?.items);
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    const field = fieldOf(structure, name);
    if (value[name] !== null) dropNulls(value[name], field);
    else if (field && !field.nullable && field.default === undefined) Reflect.deleteProperty(value, name);
  }
}
