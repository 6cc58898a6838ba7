/** The last-applied annotation: an apply stores its manifest there, so that the next one detects removed fields. */
import type { Names } from '../names/index.ts';
import type { ApiObject } from '../schema/index.ts';
import { getOwn, isObject, sortKeys } from '../std/index.ts';

export const lastAppliedKey = (names: Names): string => names.fill('{ctl}.{label}/last-applied-configuration');

/** The text of the annotation; undefined if the object was never applied. */
export const lastAppliedText = (object: ApiObject, names: Names): string | undefined =>
  getOwn(object.metadata.annotations, lastAppliedKey(names));

/** The manifest of the last apply; empty if there was none or if it cannot be read. */
export function lastApplied(object: ApiObject, names: Names): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(lastAppliedText(object, names) ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The object with the last-applied annotation of itself. */
export function withLastApplied(object: ApiObject, names: Names): ApiObject {
  const key = lastAppliedKey(names);
  const { [key]: _, ...annotations } = object.metadata.annotations ?? {};
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  const note = `${escaped(JSON.stringify(sortKeys(plain)))}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [key]: note } } };
}

/** The reference escapes these characters. */
const escaped = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
