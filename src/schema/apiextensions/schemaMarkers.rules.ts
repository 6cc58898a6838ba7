/** The markers of a schema: merge strategies of lists and maps, preservation of unknown fields. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { Markers } from '../custom/structural.ts';
import type { Errors } from '../meta/checks.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';
import type { SchemaOptions } from './schemaOptions.ts';
import { isAtomicItem, singleItems } from './schemaParts.ts';

export function* validateMarkers(schema: JSONSchemaProps, path: Path, options: SchemaOptions): Errors {
  const { preserveUnknownFields } = options.markers;
  if (schema[preserveUnknownFields] === false)
    yield field.invalid(path.child(preserveUnknownFields), false, 'must be true or undefined');
  yield* validateMapType(schema, path, options.markers);
  yield* validateListType(schema, path, options);
  yield* validateMapKeys(schema, path, options.markers);
  if (options.requireMapKeys) yield* requireMapKeys(schema, path, options.markers);
}

function* requireType(schema: JSONSchemaProps, wanted: string, marker: string, path: Path): Errors {
  const why = `must be ${wanted} if ${marker} is specified`;
  if (!schema.type) yield field.required(path.child('type'), why);
  else yield field.invalid(path.child('type'), schema.type, why);
}

const MAP_TYPES = ['atomic', 'granular'];
const LIST_TYPES = ['atomic', 'set', 'map'];

function* validateMapType(schema: JSONSchemaProps, path: Path, { mapType }: Markers): Errors {
  const type = schema[mapType];
  if (type === undefined) return;
  if (schema.type !== 'object') yield* requireType(schema, 'object', mapType, path);
  if (!MAP_TYPES.includes(String(type))) yield field.notSupported(path.child(mapType), type, MAP_TYPES);
}

function* validateListType(schema: JSONSchemaProps, path: Path, { markers, requireAtomicSets }: SchemaOptions): Errors {
  const { listType, mapType } = markers;
  const type = schema[listType];
  if (type === undefined) return;
  const items = singleItems(schema);
  if (schema.type !== 'array') yield* requireType(schema, 'array', listType, path);
  else if (requireAtomicSets && type === 'set' && items && !isAtomicItem(items, markers)) {
    const marker = items.type === 'array' ? listType : mapType;
    const why = `must be atomic as item of a list with ${listType}=set`;
    yield field.invalid(path.child('items').child(marker), items[marker] ?? null, why);
  }
  if (!LIST_TYPES.includes(String(type))) yield field.notSupported(path.child(listType), type, LIST_TYPES);
}

function keysOf(schema: JSONSchemaProps, { listMapKeys }: Markers): readonly string[] {
  const keys = schema[listMapKeys];
  return Array.isArray(keys) ? keys.map(String) : [];
}

function* validateMapKeys(schema: JSONSchemaProps, path: Path, markers: Markers): Errors {
  const { listType, listMapKeys } = markers;
  const [type, keys] = [schema[listType], keysOf(schema, markers)];
  if (keys.length > 0 && type !== 'map') {
    const why = `must be map if ${listMapKeys} is non-empty`;
    if (type === undefined) yield field.required(path.child(listType), why);
    else yield field.invalid(path.child(listType), type, why);
  }
  if (type !== 'map') return;
  if (keys.length === 0) yield field.required(path.child(listMapKeys), `must not be empty if ${listType} is map`);
  const items = path.child('items');
  if (schema.items === undefined) yield field.required(items, `must have a schema if ${listType} is map`);
  else if (Array.isArray(schema.items))
    yield field.invalid(items, '', `must only have a single schema if ${listType} is map`);
  else if (schema.items.type !== 'object')
    yield field.invalid(
      items.child('type'),
      schema.items.type ?? '',
      `must be object if parent array's ${listType} is map`,
    );
  else yield* validateKeyFields(keys, schema.items, path, markers);
}

function* validateKeyFields(
  keys: readonly string[],
  { properties = {}, type }: JSONSchemaProps,
  path: Path,
  { listType, listMapKeys }: Markers,
): Errors {
  for (const [i, key] of keys.entries()) {
    const part = getOwn(properties, key);
    if (!part) yield field.invalid(path.child(listMapKeys), keys, 'entries must all be names of item properties');
    else if (part.type === 'array' || part.type === 'object') {
      const at = path.child('items', 'properties').key(key).child('type');
      yield field.invalid(at, type, `must be a scalar type if parent array's ${listType} is map`);
    }
    if (keys.indexOf(key) < i) yield field.invalid(path.child(listMapKeys), keys, 'must not contain duplicate entries');
  }
}

/** Whether items of sets and maps may lack their keys; also used for stored schemas. */
export function* requireMapKeys(schema: JSONSchemaProps, path: Path, markers: Markers): Errors {
  const items = singleItems(schema);
  const type = schema[markers.listType];
  if (!items || (type !== 'set' && type !== 'map')) return;
  const at = path.child('items');
  if (items.nullable)
    yield field.forbidden(at.child('nullable'), `cannot be nullable when ${markers.listType} is ${type}`);
  if (type === 'set') return;
  for (const key of keysOf(schema, markers)) {
    const part = getOwn(items.properties, key);
    if (!part) continue;
    const where = at.child('properties').key(key);
    const why = `this property is in ${markers.listMapKeys}, so it`;
    if (!items.required?.includes(key) && part.default === undefined)
      yield field.required(where.child('default'), `${why} must have a default or be a required property`);
    if (part.nullable) yield field.forbidden(where.child('nullable'), `${why} cannot be nullable`);
  }
}
