/** Objects inside custom objects that have kind, version and metadata of their own. */
import type { Names } from '../../names/index.ts';
import { isObject, setOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldError, FieldErrors, Path } from '../define/fieldErrors.ts';
import type { ObjectMeta } from '../define/kind.ts';
import { decoderOf } from '../derive/decode.ts';
import { nodeOf } from '../derive/nodes.ts';
import { DecodeError } from '../derive/scheme.ts';
import { ObjectMeta as ObjectMetaType } from '../meta/objectMeta.ts';
import { validateObjectMeta } from '../meta/objectMeta.rules.ts';
import { checkServiceLabel, type Complaints } from '../values/names.ts';
import { fieldOf, type Structural } from './structural.ts';

/** Whether what has the wrong type is an error, or dropped: what is stored was let in by an older schema. */
export type Coercion = 'strict' | 'lenient';

/** Gives the metadata of embedded objects its type, in place. Throws DecodeError when strict. */
export function coerceEmbedded(names: Names, value: unknown, structure: Structural | undefined, how: Coercion): void {
  if (!structure || !mayEmbed(structure)) return;
  if (Array.isArray(value)) for (const item of value) coerceEmbedded(names, item, structure.items, how);
  if (!isObject(value)) return;
  if (structure.embedded) coerceMeta(names, value, how);
  for (const name of Object.keys(value)) coerceEmbedded(names, value[name], fieldOf(structure, name), how);
}

const embedding = new WeakMap<Structural, boolean>();

/** Whether anything below is embedded; most schemas have nothing of the kind. */
export function mayEmbed(structure: Structural): boolean {
  let known = embedding.get(structure);
  if (known === undefined) {
    const parts = [...structure.properties.values(), structure.items, structure.additional?.structure];
    known = structure.embedded || parts.some((part) => part !== undefined && mayEmbed(part));
    embedding.set(structure, known);
  }
  return known;
}

function coerceMeta(names: Names, object: Record<string, unknown>, how: Coercion): void {
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(object, name) || typeof object[name] === 'string') continue;
    if (how === 'strict') throw new DecodeError('must be a string').within(name);
    Reflect.deleteProperty(object, name);
  }
  if (!Object.hasOwn(object, 'metadata')) return;
  const metadata = how === 'strict' ? decodeMeta(names, object['metadata']) : salvageMeta(names, object['metadata']);
  if (metadata) object['metadata'] = metadata;
}

type Meta = Record<string, unknown> & ObjectMeta;

function decodeMeta(names: Names, raw: unknown): Meta {
  try {
    const metadata = decoderOf(nodeOf(names, ObjectMetaType))(raw) as Meta;
    if (metadata['creationTimestamp'] === null) Reflect.deleteProperty(metadata, 'creationTimestamp');
    return metadata;
  } catch (error) {
    throw error instanceof DecodeError ? error.within('metadata') : error;
  }
}

/** The fields of metadata that have the right type; undefined if it is not an object. */
export function salvageMeta(names: Names, raw: unknown): Meta | undefined {
  if (!isObject(raw)) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    try {
      decodeMeta(names, { [name]: value });
      setOwn(kept, name, value);
    } catch {
      // A field of the wrong type is as good as none.
    }
  }
  return decodeMeta(names, kept);
}

/** What is wrong with embedded objects; with `isRoot` the value itself counts as one. */
export function validateEmbedded(
  names: Names,
  value: unknown,
  structure: Structural | undefined,
  path: Path,
  isRoot = false,
): FieldErrors {
  if (!isRoot && (!structure || !mayEmbed(structure))) return [];
  return [...find(names, value, structure, path, isRoot)];
}

function* find(
  names: Names,
  value: unknown,
  structure: Structural | undefined,
  path: Path,
  isRoot = false,
): Iterable<FieldError> {
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) yield* find(names, item, structure?.items, path.index(i));
  if (!isObject(value)) return;
  if (isRoot || structure?.embedded) yield* validateObject(names, value, path);
  for (const [name, inner] of Object.entries(value)) {
    const known = structure?.properties.get(name);
    if (known) yield* find(names, inner, known, path.child(name));
    else yield* find(names, inner, structure?.additional?.structure, path.key(name));
  }
}

function* validateObject(names: Names, object: Record<string, unknown>, path: Path): Iterable<FieldError> {
  yield* validateText(object['apiVersion'], path.child('apiVersion'), checkApiVersion);
  yield* validateText(object['kind'], path.child('kind'), checkKind);
  if (Object.hasOwn(object, 'metadata')) yield* validateMeta(names, object['metadata'], path.child('metadata'));
}

/** The types of metadata were checked when the object was read, except in the result of an apply. */
function validateMeta(names: Names, raw: unknown, path: Path): FieldErrors {
  try {
    const metadata = decodeMeta(names, raw);
    return validateObjectMeta(
      { ...metadata, name: metadata.name || 'unnamed' },
      { namespaced: Boolean(metadata.namespace), name: 'pathSegment' },
      path,
    );
  } catch (error) {
    if (error instanceof DecodeError) return [field.invalid(path, raw, error.message)];
    throw error;
  }
}

function validateText(value: unknown, path: Path, check: (text: string) => Complaints): FieldErrors {
  if (value === undefined) return [field.required(path, 'must not be empty')];
  if (typeof value !== 'string') return [field.invalid(path, value, 'must be a string')];
  if (value === '') return [field.invalid(path, value, 'must not be empty')];
  return check(value).map((complaint) => field.invalid(path, value, complaint));
}

const checkApiVersion = (text: string): Complaints =>
  text.split('/').length > 2 ? ['must be a version, or a group, a slash and a version'] : [];

/** A kind is a label, but for its case. */
export const checkKind = (kind: string): Complaints => {
  const complaints = checkServiceLabel(kind.toLowerCase());
  return complaints.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${complaints.join(',')}`];
};
