/** Definitions of custom resources, from the OpenAPI v3 schema of their definition. */
import type { Names } from '../../../names/index.ts';
import { isObject, getOwn, setOwn } from '../../../std/index.ts';
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
  const raw = custom?.schema;
  // Clients take fields that are not listed for mistakes, so nothing is listed where any field may be there.
  if (!isObject(raw) || custom?.preserveUnknownFields || preserves(raw, names)) return { type: 'object', ...gvks };
  const schema = downgraded(raw, names);
  return { ...schema, properties: sorted({ ...schema.properties, ...objectFields(names) }), ...gvks };
}

const preserves = (raw: Record<string, unknown>, names: Names): boolean =>
  getOwn(raw, `x-${names.product}-preserve-unknown-fields`) === true;

/** The fields that every object has. */
const objectFields = (names: Names): Record<string, Schema> => ({
  apiVersion: {
    type: 'string',
    description: 'APIVersion defines the group and the version of the schema that shows the object.',
  },
  kind: { type: 'string', description: 'Kind of the object in CamelCase.' },
  metadata: {
    description: "Standard object's metadata.",
    ...refTo(`${names.openapi}.apimachinery.pkg.apis.meta.v1.ObjectMeta`),
  },
});

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

/** A schema without what the older version can't express: alternatives, defaults, null as a value. */
function downgraded(raw: unknown, names: Names): Schema {
  if (!isObject(raw)) return {};
  const schema: Schema = {};
  for (const key of [...KEPT, ...MARKERS.map((marker) => `x-${names.product}-${marker}`)])
    if (getOwn(raw, key) !== undefined) setOwn(schema, key, getOwn(raw, key));
  if (raw['nullable'] === true) {
    // A type would exclude null, and parts make no sense without a type.
    delete schema.type;
    return schema;
  }
  const { properties, items, additionalProperties } = raw;
  if (preserves(raw, names)) {
    delete schema.type;
    return schema;
  }
  requireNonNull(schema, properties);
  if (isObject(properties))
    schema.properties = sorted(
      Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, downgraded(part, names)])),
    );
  if (isObject(items)) schema.items = downgraded(items, names);
  if (typeof additionalProperties === 'boolean') schema.additionalProperties = additionalProperties;
  else if (isObject(additionalProperties)) schema.additionalProperties = downgraded(additionalProperties, names);
  return getOwn(raw, `x-${names.product}-embedded-resource`) === true ? asObject(schema, names) : schema;
}

/** A field that may be null may be left out, too: the older version can't say the first. */
function requireNonNull(schema: Schema, properties: unknown): void {
  if (!Array.isArray(schema.required) || !isObject(properties)) return;
  const isNullable = (name: unknown): boolean => {
    const part = typeof name === 'string' ? getOwn(properties, name) : undefined;
    return isObject(part) && part['nullable'] === true;
  };
  const required = schema.required.filter((name) => !isNullable(name));
  if (required.length > 0) schema.required = required;
  else delete schema.required;
}

/** An embedded object has the common object fields, and must have its kind and version. */
function asObject(schema: Schema, names: Names): Schema {
  const required = new Set([...(schema.required ?? []), 'kind', 'apiVersion']);
  const properties = sorted({ ...schema.properties, ...objectFields(names) });
  return { ...schema, required: [...required], properties };
}

/** The definition of the list of a custom resource. */
export function customList(names: Names, resource: Resource): Schema {
  const { group, version } = resource.gvk;
  return {
    description: `A list of ${resource.gvk.kind}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: {
        type: 'string',
        description: 'APIVersion defines the group and the version of the schema that shows the list.',
      },
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
