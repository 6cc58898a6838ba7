/**
 * The editor's schema, from the server's own OpenAPI document: what every kind may hold, definitions of custom
 * resources included.
 */
import type { JSONSchema } from 'monaco-yaml';
import type { Client } from '../../client/index.ts';
import { isObject, getOwn } from '../../std/index.ts';
import { asList, asRecord, asText, at } from '../stores/jsonValues.ts';

export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface KindSchema extends NamedKind {
  readonly definition: string;
}

/** What the server's document says, made ready for schemas of a few kinds at a time. */
export interface Catalog {
  readonly kinds: readonly KindSchema[];
  readonly definitions: Readonly<Record<string, JSONSchema>>;
}

const lineOf = (field: string, text: string): string =>
  new RegExp(`^${field}:[ \\t]*['"]?([^'"\\s#]+)`, 'm').exec(text)?.[1] ?? '';

/**
 * The kinds that a text names, each once. Read line by line: while somebody types, the text is broken most of the time,
 * and that is when they want to be helped.
 */
export function kindsIn(text: string): readonly NamedKind[] {
  const named = text
    .split(/^---.*$/m)
    .map((document) => ({ apiVersion: lineOf('apiVersion', document), kind: lineOf('kind', document) }))
    .filter(({ apiVersion, kind }) => apiVersion !== '' && kind !== '');
  return [...new Map(named.map((each) => [`${each.apiVersion} ${each.kind}`, each])).values()];
}

const POINTER = '#/definitions/';

/** Quantities and ports are written as numbers or texts; OpenAPI 2 can say only one of them. */
function looseType(definition: Readonly<Record<string, unknown>>, name: string): JSONSchema | undefined {
  if (
    definition['format'] === 'int-or-string' ||
    definition['x-cluster-int-or-string'] === true ||
    /\.(Quantity|IntOrString)$/.test(name)
  ) {
    return { description: asText(definition['description']), type: ['string', 'integer', 'number'] };
  }
  return undefined;
}

function convertAll(properties: unknown): Record<string, JSONSchema> {
  return Object.fromEntries(Object.entries(asRecord(properties)).map(([name, value]) => [name, convert(value, name)]));
}

/** One OpenAPI 2 schema as a JSON schema. Objects with known fields allow no others, so that a misspelt one is seen. */
function convert(raw: unknown, name = ''): JSONSchema {
  const source = asRecord(raw);
  const loose = looseType(source, name);
  if (loose) return loose;
  const schema: JSONSchema = {};
  const reference = source['$ref'];
  if (typeof reference === 'string') schema.$ref = reference;
  if (typeof source['description'] === 'string') schema.description = source['description'];
  if (typeof source['type'] === 'string') schema.type = source['type'];
  if (Array.isArray(source['enum'])) schema.enum = source['enum'];
  if (Array.isArray(source['required']))
    schema.required = source['required'].filter((each) => typeof each === 'string');
  if (source['items'] !== undefined) schema.items = convert(source['items']);
  if (isObject(source['properties'])) {
    schema.properties = convertAll(source['properties']);
    schema.additionalProperties =
      source['x-cluster-preserve-unknown-fields'] === true || source['x-kubernetes-preserve-unknown-fields'] === true;
  } else if (isObject(source['additionalProperties'])) {
    schema.additionalProperties = convert(source['additionalProperties']);
  }
  return schema;
}

const kindLists = (definition: unknown): readonly unknown[] =>
  Object.entries(asRecord(definition)).flatMap(([key, value]) =>
    key.endsWith('-group-version-kind') ? asList(value) : [],
  );

/** Reads the server's OpenAPI document. */
export function catalogOf(document: unknown): Catalog {
  const raw = asRecord(at(document, 'definitions'));
  const definitions = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, convert(value, name)]));
  const kinds = Object.entries(raw).flatMap(([definition, value]) =>
    // A definition that stands for several kinds is a parameter, such as delete options, not an object.
    kindLists(value).length !== 1
      ? []
      : kindLists(value).map((each) => {
          const group = asText(at(each, 'group'));
          const version = asText(at(each, 'version'));
          return {
            apiVersion: group === '' ? version : `${group}/${version}`,
            kind: asText(at(each, 'kind')),
            definition,
          };
        }),
  );
  return { kinds: kinds.filter(({ kind }) => !kind.endsWith('List')), definitions };
}

/** Asks the server for its document. */
export async function loadCatalog(client: Client): Promise<Catalog> {
  return catalogOf(await client.json('/openapi/v2'));
}

function referencesIn(value: unknown, found: Set<string>, definitions: Catalog['definitions']): void {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found, definitions);
  if (!isObject(value)) return;
  const reference = value['$ref'];
  if (typeof reference === 'string' && reference.startsWith(POINTER)) {
    const name = reference.slice(POINTER.length);
    if (found.has(name)) return;
    found.add(name);
    referencesIn(getOwn(definitions, name), found, definitions);
  }
  for (const part of Object.values(value)) referencesIn(part, found, definitions);
}

const only = (value: string): JSONSchema => ({ const: value });

/**
 * The schema for a text that holds these kinds. Only they, and what they refer to, are in it: the whole document would
 * be compared with every keystroke.
 */
export function schemaFor({ kinds, definitions }: Catalog, present: readonly NamedKind[]): JSONSchema {
  const used = kinds.filter((each) =>
    present.some(({ apiVersion, kind }) => each.apiVersion === apiVersion && each.kind === kind),
  );
  const names = new Set(used.map((each) => each.definition));
  for (const { definition } of used) referencesIn(getOwn(definitions, definition), names, definitions);
  return {
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata'],
    properties: {
      apiVersion: { type: 'string', enum: [...new Set(kinds.map((each) => each.apiVersion))] },
      kind: { type: 'string', enum: [...new Set(kinds.map((each) => each.kind))] },
      metadata: { type: 'object' },
    },
    allOf: used.map(({ apiVersion, kind, definition }) => ({
      if: { properties: { apiVersion: only(apiVersion), kind: only(kind) }, required: ['apiVersion', 'kind'] },
      then: { $ref: `${POINTER}${definition}` },
    })),
    definitions: Object.fromEntries([...names].map((name) => [name, getOwn(definitions, name) ?? {}])),
  };
}
