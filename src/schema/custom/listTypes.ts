/** Lists that are sets or maps hold nothing twice. */
import { isObject, getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldError, FieldErrors, Path } from '../define/fieldErrors.ts';
import type { Structural } from './structural.ts';

export function validateListTypes(value: unknown, structure: Structural | undefined, path: Path): FieldErrors {
  return [...find(value, structure, path)];
}

function* find(value: unknown, structure: Structural | undefined, path: Path): Iterable<FieldError> {
  if (!structure) return;
  if (Array.isArray(value)) {
    if (structure.listType === 'set') yield* duplicates(value, path, (item) => item);
    if (structure.listType === 'map') yield* validateMap(value, structure, path);
    for (const [i, item] of value.entries()) yield* find(item, structure.items, path.index(i));
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const known = structure.properties.get(name);
      yield* known
        ? find(inner, known, path.child(name))
        : find(inner, structure.additional?.structure, path.key(name));
    }
  }
}

function validateMap(list: readonly unknown[], { listKeys }: Structural, path: Path): FieldErrors {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong >= 0) return [field.invalid(path.index(wrong), list[wrong], 'must be an object in a list that is a map')];
  return duplicates(list, path, (item) =>
    Object.fromEntries(
      listKeys.flatMap((key) => (isObject(item) && Object.hasOwn(item, key) ? [[key, getOwn(item, key)]] : [])),
    ),
  );
}

/** Each duplicate is reported once, at its second occurrence. */
function duplicates(list: readonly unknown[], path: Path, keyOf: (item: unknown) => unknown): FieldErrors {
  const times = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [i, item] of list.entries()) {
    const key = keyOf(item);
    const text = canonical(key);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) errors.push(field.duplicate(path.index(i), key));
  }
  return errors;
}

/** The same text for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
