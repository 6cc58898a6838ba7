/**
 * Structural schemas: fields are declared once, outside of alternatives; schemas in `anyOf` and similar only restrict
 * values.
 */
import { deepEqual, getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldError, FieldErrors, Path } from '../define/fieldErrors.ts';
import { additionalOf, type Markers } from '../custom/structural.ts';
import { compilePattern, PatternError } from '../custom/pattern/index.ts';
import type { Errors } from '../meta/checks.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';
import { schemaHas, singleItems } from './schemaParts.ts';

type Level = 'root' | 'item' | 'field';

/** What is not structural about a schema, in the order of the complaints' texts. */
export function validateStructural(schema: JSONSchemaProps, path: Path, markers: Markers): FieldErrors {
  const found = [...invariants(schema, 'root', path, markers), ...completeness(schema, schema, path, path)];
  const text = (error: FieldError): string => `${error.field}: ${error.message}`;
  return found.sort((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

/** Whether a schema has properties that make it not structural at all. */
export const isBeyondStructure = (schema: JSONSchemaProps, { preserveUnknownFields }: Markers): boolean =>
  schemaHas(
    schema,
    (part) =>
      Boolean(part.id ?? part.$schema ?? part.$ref) ||
      part.additionalItems !== undefined ||
      Object.keys({ ...part.patternProperties, ...part.dependencies, ...part.definitions }).length > 0 ||
      (Array.isArray(part.items) && part.items.length > 0) ||
      part[preserveUnknownFields] === false,
  );

const IN_WORDS: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function* invariants(schema: JSONSchemaProps, level: Level, path: Path, markers: Markers): Errors {
  const { type = '', properties = {} } = schema;
  const items = singleItems(schema);
  if (type === 'array' && !items) yield field.required(path.child('items'), 'must be specified');
  if (items) yield* invariants(items, 'item', path.child('items'), markers);
  for (const [name, part] of Object.entries(properties))
    yield* invariants(part, 'field', path.child('properties').key(name), markers);
  yield* additional(schema, level, path, markers);
  yield* contradictions(schema, path, markers);
  yield* valueValidation(schema, path, markers, {
    skipAnyOf: deepEqual(schema.anyOf, INT_OR_STRING),
    skipAllOf: deepEqual(schema.allOf?.[0]?.anyOf, INT_OR_STRING),
  });
  yield* ownType(schema, level, path, markers);
  if (level === 'root' && type !== '' && type !== 'object')
    yield field.invalid(path.child('type'), type, 'must be object at the root');
  yield* metadata(schema, level, path, markers);
}

/** The two spellings of a value that is a number or a text. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

function* additional(schema: JSONSchemaProps, level: Level, path: Path, markers: Markers): Errors {
  if (schema.additionalProperties === undefined) return;
  const at = path.child('additionalProperties');
  if (level === 'root') yield field.forbidden(at, 'must not be used at the root');
  const inner = additionalOf(schema);
  if (inner) yield* invariants(inner, 'field', at, markers);
}

function* contradictions(schema: JSONSchemaProps, path: Path, markers: Markers): Errors {
  if (schema[markers.intOrString] !== true) return;
  for (const marker of [markers.preserveUnknownFields, markers.embeddedResource])
    if (schema[marker] === true)
      yield field.invalid(path.child(marker), true, `must be false if ${markers.intOrString} is true`);
}

function* ownType(schema: JSONSchemaProps, level: Level, path: Path, markers: Markers): Errors {
  const { type = '', properties = {} } = schema;
  const { embeddedResource, intOrString, preserveUnknownFields } = markers;
  const preserves = schema[preserveUnknownFields] === true;
  if (schema[embeddedResource] !== true) {
    if (type === '' && schema[intOrString] !== true && !preserves)
      yield field.required(path.child('type'), IN_WORDS[level]);
    return;
  }
  const why = `must be object if ${embeddedResource} is true`;
  if (type === '') yield field.required(path.child('type'), why);
  else if (type !== 'object') yield field.invalid(path.child('type'), type, why);
  if (schema.additionalProperties !== undefined)
    yield field.forbidden(path.child('additionalProperties'), `must not be used if ${embeddedResource} is set`);
  if (!preserves && Object.keys(properties).length === 0)
    yield field.required(
      path.child('properties'),
      `must not be empty if ${embeddedResource} is true without ${preserveUnknownFields}`,
    );
}

/** Kind, version and metadata are what they are everywhere; only the name can be restricted, and that of whole objects alone. */
function* metadata(schema: JSONSchemaProps, level: Level, path: Path, markers: Markers): Errors {
  const { kind, apiVersion, metadata: meta } = schema.properties ?? {};
  const isObject = level === 'root' || schema[markers.embeddedResource] === true;
  const at = (name: string): Path => path.child('properties').key(name);
  for (const [name, part] of Object.entries({ kind, apiVersion }))
    if (isObject && part && part.type !== 'string')
      yield field.invalid(at(name).child('type'), part.type ?? '', 'must be string');
  if (!meta) return;
  if (isObject && meta.type !== 'object')
    yield field.invalid(at('metadata').child('type'), meta.type ?? '', 'must be object');
  if (level === 'root' && !restrictsOnlyName(meta))
    yield field.forbidden(at('metadata'), 'must not specify anything other than name and generateName');
}

const FREE = new Set(['type', 'default', 'externalDocs', 'example']);

function restrictsOnlyName(meta: JSONSchemaProps): boolean {
  const names = Object.keys(meta.properties ?? {});
  const others = Object.entries(meta).filter(([key, value]) => !FREE.has(key) && key !== 'properties' && isSet(value));
  return others.length === 0 && names.every((name) => name === 'name' || name === 'generateName');
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);

interface Skip {
  readonly skipAnyOf: boolean;
  readonly skipAllOf: boolean;
}

const NO_SKIP: Skip = { skipAnyOf: false, skipAllOf: false };

function* valueValidation(schema: JSONSchemaProps, path: Path, markers: Markers, skip: Skip): Errors {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema;
  if (!skip.skipAnyOf)
    for (const [i, part] of anyOf.entries()) yield* nested(part, path.child('anyOf').index(i), markers);
  for (const [i, part] of allOf.entries())
    yield* nested(part, path.child('allOf').index(i), markers, { ...NO_SKIP, skipAnyOf: skip.skipAllOf && i === 0 });
  for (const [i, part] of oneOf.entries()) yield* nested(part, path.child('oneOf').index(i), markers);
  if (not) yield* nested(not, path.child('not'), markers);
  const wrong = patternProblem(pattern);
  if (wrong !== undefined)
    yield field.invalid(path.child('pattern'), pattern, `must be a valid regular expression, but isn't: ${wrong}`);
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

const NOT_INSIDE = ['type', 'additionalProperties', 'default', 'title', 'description', 'nullable'] as const;

function* nested(schema: JSONSchemaProps, path: Path, markers: Markers, skip = NO_SKIP): Errors {
  yield* valueValidation(schema, path, markers, skip);
  const items = singleItems(schema);
  if (items) yield* nested(items, path.child('items'), markers);
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    yield* nested(part, path.child('properties').key(name), markers);
  for (const name of [...NOT_INSIDE, ...Object.values(markers)])
    if (isSet(schema[name as keyof JSONSchemaProps]))
      yield field.forbidden(path.child(name), 'must be left out to be structural');
  if (schema.properties?.['metadata'])
    yield field.forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context');
}

/** Every field that the root's alternatives speak of has to be described outside of them, too. */
function* completeness(values: JSONSchemaProps, schema: JSONSchemaProps | undefined, at: Path, from: Path): Errors {
  const { allOf = [], anyOf = [], oneOf = [], not } = values;
  const inner = (part: JSONSchemaProps, where: Path): Errors => nestedCompleteness(part, schema, at, where);
  if (not) yield* inner(not, from.child('not'));
  for (const [i, part] of allOf.entries()) yield* inner(part, from.child('allOf').index(i));
  for (const [i, part] of anyOf.entries()) yield* inner(part, from.child('anyOf').index(i));
  for (const [i, part] of oneOf.entries()) yield* inner(part, from.child('oneOf').index(i));
}

function* nestedCompleteness(
  values: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  at: Path,
  from: Path,
): Errors {
  if (!schema) return yield field.required(at, `because it is defined in ${String(from)}`);
  yield* completeness(values, schema, at, from);
  const items = singleItems(values);
  if (items) yield* nestedCompleteness(items, singleItems(schema), at.child('items'), from.child('items'));
  for (const [name, part] of Object.entries(values.properties ?? {})) {
    const [where, origin] = [at.child('properties').key(name), from.child('properties').key(name)];
    yield* nestedCompleteness(part, getOwn(schema.properties, name), where, origin);
  }
}
