/**
 * Migration from client-side to server-side apply. The command-line client used to store what it last applied in an
 * annotation. When it first applies through the server, fields in the annotation do not conflict, and the annotation is
 * updated for clients that still use it.
 */
import type { Names } from '../../names/index.ts';
import { isObject, getOwn, sortKeys } from '../../std/index.ts';
import { lastAppliedKey } from '../lastApplied.ts';
import { compare } from './compare.ts';
import { difference, EMPTY } from './fieldSet.ts';
import type { FieldSet } from './fieldSet.ts';
import { TypeMismatch } from './items.ts';
import { toFieldSet } from './toFieldSet.ts';
import { validate } from './validate.ts';
import type { Versioned } from './versions.ts';

/** The manager name of the command-line client. */
export function clientManager(names: Names): string {
  return names.ctl;
}

function annotationOf(object: unknown, names: Names): string | undefined {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const text = isObject(annotations) ? getOwn(annotations, lastAppliedKey(names)) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The fields in the annotation that the live object still has as applied: the client may change them. */
export function ownedByClient(live: Versioned, names: Names): FieldSet {
  const applied = parse(annotationOf(live.object, names));
  if (!isObject(applied) || applied['apiVersion'] !== live.apiVersion) return EMPTY;
  try {
    validate(applied, live.type);
    const { added, modified, removed } = compare(applied, live.object, live.type);
    return [modified, added, removed].reduce(difference, toFieldSet(applied, live.type));
  } catch (error) {
    if (error instanceof TypeMismatch) return EMPTY;
    throw error;
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** The object with its annotation, if any, updated to the current configuration. */
export function withLastApplied<T extends object>(object: T, applied: Record<string, unknown>, names: Names): T {
  if (annotationOf(object, names) === undefined) return object;
  return withAnnotation(
    object,
    lastAppliedKey(names),
    `${JSON.stringify(sortKeys(withAnnotation(applied, lastAppliedKey(names), undefined)))}\n`,
  );
}

/** Sets or removes an annotation. */
function withAnnotation<T extends object>(object: T, name: string, value: string | undefined): T {
  const metadata: unknown = 'metadata' in object ? object.metadata : undefined;
  const { [name]: _before, ...others } =
    isObject(metadata) && isObject(metadata['annotations']) ? metadata['annotations'] : {};
  const annotations = value === undefined ? others : { ...others, [name]: value };
  const empty = Object.keys(annotations).length === 0;
  const { annotations: _annotations, ...rest } = isObject(metadata) ? metadata : {};
  return { ...object, metadata: empty ? rest : { ...rest, annotations } };
}
