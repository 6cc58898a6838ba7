/** Validates a schema: unsupported keywords, forbidden defaults, contradicting markers. */
import type { SchemaOptions } from './schemaOptions.ts';
import { isObject } from '../../std/index.ts';
import { additionalOf } from '../custom/structural.ts';
import { META_FIELDS } from '../custom/prune.ts';
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { each, type Errors } from '../meta/checks.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';
import { hasUnknownType, KNOWN_TYPES } from './schemaParts.ts';
import { validateMarkers } from './schemaMarkers.rules.ts';

/** Where in a schema we are. */
interface Place {
  /** Why defaults are not allowed here; undefined where nothing speaks against them. */
  readonly noDefaults?: string;
  readonly insideMeta: boolean;
  readonly isRoot: boolean;
}

export const validateSchema = (schema: JSONSchemaProps, path: Path, options: SchemaOptions): Errors =>
  validate(schema, path, { insideMeta: false, isRoot: true }, options);

function* validate(schema: JSONSchemaProps, path: Path, place: Place, options: SchemaOptions): Errors {
  yield* validateKeywords(schema, path, place, options);
  const inside: Place = { ...place, isRoot: false };
  const inner = (part: JSONSchemaProps, at: Path): Errors => validate(part, at, inside, options);
  yield* validateAdditional(schema, path, inside, options);
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const meta = (place.isRoot || schema[options.markers.embeddedResource] === true) && META_FIELDS.has(name);
    const at = path.child('properties').key(name);
    yield* validate(part, at, meta ? metaPlace(inside, place.isRoot, name) : inside, options);
  }
  if (schema.not) yield* inner(schema.not, path.child('not'));
  for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) yield* each(schema[junctor], path.child(junctor), inner);
  for (const [name, part] of Object.entries(schema.definitions ?? {}))
    yield* inner(part, path.child('definitions').key(name));
  if (Array.isArray(schema.items)) yield* each(schema.items, path.child('items'), inner);
  else if (schema.items) yield* inner(schema.items, path.child('items'));
  for (const [name, part] of Object.entries(schema.dependencies ?? {}))
    if (isSchema(part)) yield* inner(part, path.child('dependencies').key(name));
  yield* validateMarkers(schema, path, options);
}

const isSchema = (part: JSONSchemaProps | string[]): part is JSONSchemaProps => isObject(part);

function metaPlace(place: Place, isRoot: boolean, name: string): Place {
  return { ...place, insideMeta: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) };
}

function* validateAdditional(schema: JSONSchemaProps, path: Path, place: Place, options: SchemaOptions): Errors {
  const { additionalProperties, properties = {} } = schema;
  if (additionalProperties === undefined) return;
  const at = path.child('additionalProperties');
  if (Object.keys(properties).length > 0 && additionalProperties !== true)
    yield field.forbidden(at, 'additionalProperties and properties are mutual exclusive');
  const inner = additionalOf(schema);
  const noDefaults = 'inside additionalProperties applying to object metadata';
  if (inner) yield* validate(inner, at, place.insideMeta ? { ...place, noDefaults } : place, options);
}

const isFilled = (part: object | undefined): boolean => part !== undefined && Object.keys(part).length > 0;

function* validateKeywords(schema: JSONSchemaProps, path: Path, place: Place, options: SchemaOptions): Errors {
  const unsupported = (name: string): Errors => [field.forbidden(path.child(name), `${name} is not supported`)];
  if (options.requireKnownTypes && hasUnknownType(schema))
    yield field.notSupported(path.child('type'), schema.type, KNOWN_TYPES);
  if (schema.default !== undefined && (!options.allowDefaults || place.noDefaults !== undefined))
    yield field.forbidden(path.child('default'), ['must not be set', place.noDefaults ?? ''].join(' ').trim());
  if (schema.id) yield* unsupported('id');
  if (schema.additionalItems !== undefined) yield* unsupported('additionalItems');
  if (isFilled(schema.patternProperties)) yield* unsupported('patternProperties');
  if (isFilled(schema.definitions)) yield* unsupported('definitions');
  if (schema.dependencies !== undefined) yield* unsupported('dependencies');
  if (schema.$ref !== undefined) yield* unsupported('$ref');
  if (schema.type === 'null')
    yield field.forbidden(path.child('type'), 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items) && schema.items.length > 0)
    yield field.forbidden(path.child('items'), 'items must be a schema object and not an array');
  const { embeddedResource } = options.markers;
  if (place.insideMeta && schema[embeddedResource] === true)
    yield field.forbidden(path.child(embeddedResource), 'must not be used inside of resource meta');
  if (schema.uniqueItems)
    yield field.forbidden(path.child('uniqueItems'), 'uniqueItems cannot be set to true: that would take too long');
}
