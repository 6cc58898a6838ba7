/** Defaults have to be what their own schema lets through: pruned, typed, valid. */
import { clone, deepEqual, isObject } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import { coerceEmbedded, validateEmbedded } from '../custom/embedded.ts';
import { META_FIELDS, prune } from '../custom/prune.ts';
import { markersOf, structuralOf, type Markers, type Structural } from '../custom/structural.ts';
import { valueValidator } from '../custom/values/validator.ts';
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import { DecodeError } from '../derive/scheme.ts';
import type { Errors } from '../meta/checks.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';
import { singleItems } from './schemaParts.ts';

interface Place {
  readonly names: Names;
  readonly requirePruned: boolean;
  /** The object that stands around: the whole one, or one embedded in it. */
  readonly root: Structural;
  /** That object, with a value where the schema is. */
  readonly around: (value: unknown) => unknown;
  readonly insideMeta: boolean;
}

/** `requirePruned` is false where stored definitions have defaults that are not. */
export function validateDefaults(schema: JSONSchemaProps, path: Path, names: Names, requirePruned: boolean): Errors {
  const structure: Structural = { ...structuralOf(schema, markersOf(names)), embedded: true };
  return validate(schema, structure, path, asRoot(structure, { names, requirePruned }));
}

function asRoot(root: Structural, { names, requirePruned }: Pick<Place, 'names' | 'requirePruned'>): Place {
  const typed = { apiVersion: 'validation/v1', kind: 'Validation' };
  const around = (value: unknown): unknown => ({ ...(isObject(value) ? value : {}), ...typed });
  return { names, requirePruned, root, around, insideMeta: false };
}

function* validate(schema: JSONSchemaProps, structure: Structural, path: Path, outer: Place): Errors {
  const place = structure.embedded ? asRoot(structure, outer) : outer;
  if (schema.default !== undefined) {
    const check = place.insideMeta ? validateInMeta : validateDefault;
    yield* check(schema, structure, path.child('default'), place);
  }
  const items = singleItems(schema);
  if (items && structure.items)
    yield* validate(items, structure.items, path.child('items'), {
      ...place,
      around: (value) => place.around([value]),
    });
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const inner = structure.properties.get(name);
    if (!inner) continue;
    yield* validate(part, inner, path.child('properties').key(name), {
      ...place,
      around: (value) => place.around({ [name]: value }),
      insideMeta: place.insideMeta || (structure.embedded && META_FIELDS.has(name)),
    });
  }
}

/** Inside metadata the whole object says whether its metadata is good. */
function* validateInMeta(schema: JSONSchemaProps, _structure: Structural, path: Path, place: Place): Errors {
  const { names, root } = place;
  const object = place.around(clone(schema.default));
  const wrong =
    coercionProblem(names, object, root) ?? validateEmbedded(names, object, root, Path.root, true)[0]?.message;
  if (wrong !== undefined) yield field.invalid(path, schema.default, `must result in valid metadata: ${wrong}`);
  else yield* valueValidator(schema, valueMarkers(names))(schema.default, path);
}

function* validateDefault(schema: JSONSchemaProps, structure: Structural, path: Path, place: Place): Errors {
  const { names, requirePruned } = place;
  if (requirePruned && !isPruned(schema.default, structure))
    yield field.invalid(path, schema.default, 'must not have unknown fields');
  const value = clone(schema.default);
  const wrong = coercionProblem(names, value, structure);
  if (wrong !== undefined) return yield field.invalid(path, schema.default, wrong);
  const errors = validateEmbedded(names, value, structure, path, structure.embedded);
  yield* errors.length > 0 ? errors : valueValidator(schema, valueMarkers(names))(value, path);
}

/** In the reference the type of a default is not checked where it may be a number or a text. */
const valueMarkers = (names: Names): Markers => ({ ...markersOf(names), intOrString: 'x-unchecked' });

function coercionProblem(names: Names, value: unknown, structure: Structural): string | undefined {
  try {
    coerceEmbedded(names, value, structure, 'strict');
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function isPruned(value: unknown, structure: Structural): boolean {
  const pruned = clone(value);
  prune(pruned, structure);
  return deepEqual(pruned, value);
}

/** Whether a schema has defaults with fields that it doesn't know itself. */
export function hasUnprunedDefaults(schema: JSONSchemaProps, names: Names): boolean {
  return isUnpruned({ ...structuralOf(schema, markersOf(names)), embedded: true });
}

function isUnpruned(structure: Structural): boolean {
  const inner = [...structure.properties.values(), structure.items, structure.additional?.structure];
  const own = structure.default !== undefined && !isPruned(structure.default, structure);
  return own || inner.some((part) => part !== undefined && isUnpruned(part));
}
