/** Definitions of custom resources, from the OpenAPI v3 schema of their definition. */
import type { Names } from '../../../names/index.ts';
import { isObject } from '../../../std/index.ts';
import type { Resource } from '../scheme.ts';
import { refTo } from './definitions.ts';
import type { Schema } from './json.ts';

/** Name of the definition: the group's domain backwards, the version, the kind. */
export function customName({ gvk }: Resource, kind = gvk.kind): string {
  return [...gvk.group.split('.').reverse(), gvk.version, kind].join('.');
}

/** What OpenAPI v2 can say of a custom resource, with the fields that every object has. */
export function customSchema(names: Names, { custom, gvk }: Resource): Schema {
  const gvks = {
    [`x-${names.product}-group-version-kind`]: [{ group: gvk.group, kind: gvk.kind, version: gvk.version }],
  };
  const schema = downgraded(custom?.schema, names);
  if (custom?.preserveUnknownFields || !schema.properties)
    return { type: 'object', ...pick(schema, 'description'), ...gvks };
  const meta = `${names.openapi}.apimachinery.pkg.apis.meta.v1.ObjectMeta`;
  const properties = {
    apiVersion: { type: 'string', description: 'Group and version of the schema that shows the object.' },
    kind: { type: 'string', description: 'Kind of the object in CamelCase.' },
    metadata: { description: 'Metadata that all objects have.', ...refTo(meta) },
  };
  return { ...schema, properties: sorted({ ...schema.properties, ...properties }), ...gvks };
}

const pick = (schema: Schema, key: 'description'): Schema => (schema[key] === undefined ? {} : { [key]: schema[key] });

const sorted = (properties: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));

const KEPT = [
  ...[
    'description',
    'type',
    'format',
    'title',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
  ],
  ...[
    'minLength',
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'multipleOf',
    'enum',
    'maxProperties',
    'minProperties',
    'required',
  ],
];
const MARKERS = [
  'list-type',
  'list-map-keys',
  'map-type',
  'embedded-resource',
  'int-or-string',
  'preserve-unknown-fields',
];

/** A schema without what the older version cannot say: alternatives, defaults, null as a value. */
function downgraded(raw: unknown, names: Names): Schema {
  if (!isObject(raw)) return {};
  const schema: Schema = {};
  for (const key of [...KEPT, ...MARKERS.map((marker) => `x-${names.product}-${marker}`)])
    if (raw[key] !== undefined) schema[key] = raw[key];
  if (raw['nullable'] === true) {
    // A type would exclude null, and parts make no sense without a type.
    delete schema.type;
    return schema;
  }
  const { properties, items, additionalProperties } = raw;
  if (isObject(properties))
    schema.properties = sorted(
      Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, downgraded(part, names)])),
    );
  if (isObject(items)) schema.items = downgraded(items, names);
  if (typeof additionalProperties === 'boolean') schema.additionalProperties = additionalProperties;
  else if (isObject(additionalProperties)) schema.additionalProperties = downgraded(additionalProperties, names);
  return schema;
}

/** The definition of the list of a custom resource. */
export function customList(names: Names, resource: Resource): Schema {
  const { group, version } = resource.gvk;
  return {
    description: `A list of ${resource.gvk.kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of the schema that shows the objects.' },
      items: { type: 'array', description: 'The objects.', items: refTo(customName(resource)) },
      kind: { type: 'string', description: 'Kind of the list in CamelCase.' },
      metadata: {
        description: 'Metadata of the list.',
        ...refTo(`${names.openapi}.apimachinery.pkg.apis.meta.v1.ListMeta`),
      },
    },
    [`x-${names.product}-group-version-kind`]: [{ group, kind: resource.listKind, version }],
  };
}
