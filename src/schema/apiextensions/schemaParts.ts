/** Walking through the schemas of definitions. */
import { isObject } from '../../std/index.ts';
import { markersOf, type Markers } from '../custom/structural.ts';
import type { Names } from '../../names/index.ts';
import type { CustomResourceDefinitionSpecV1beta1, CustomResourceValidation } from './customResourceDefinition.ts';
import type { JSONSchemaProps } from './jsonSchemaProps.ts';

type Test = (schema: JSONSchemaProps) => boolean;

const isSchema = (part: unknown): part is JSONSchemaProps => isObject(part);

/** All schemas directly inside a schema, wherever they may stand. */
function parts(schema: JSONSchemaProps): readonly JSONSchemaProps[] {
  const { items, allOf, anyOf, oneOf, not, additionalProperties, additionalItems } = schema;
  const maps = [schema.properties, schema.patternProperties, schema.definitions, schema.dependencies];
  const lists = [
    Array.isArray(items) ? items : [items],
    allOf,
    anyOf,
    oneOf,
    [not, additionalProperties, additionalItems],
  ];
  return [...lists, ...maps.map((map) => Object.values(map ?? {}))].flatMap((list) => (list ?? []).filter(isSchema));
}

/** Whether a schema or any part of it passes the test. */
export const schemaHas = (schema: JSONSchemaProps, test: Test): boolean =>
  test(schema) || parts(schema).some((part) => schemaHas(part, test));

/** The schemas of a definition: that of all versions, and those of each. */
export function schemasOf({ validation, versions }: CustomResourceDefinitionSpecV1beta1): readonly JSONSchemaProps[] {
  const all = [validation, ...(versions ?? []).map(({ schema }) => schema)];
  return all.flatMap((part) => part?.openAPIV3Schema ?? []);
}

export const anySchemaHas = (spec: CustomResourceDefinitionSpecV1beta1, test: Test): boolean =>
  schemasOf(spec).some((schema) => schemaHas(schema, test));

/** Whether null is among the values that a schema lists. */
export const takesNull = ({ openAPIV3Schema: schema }: CustomResourceValidation): boolean =>
  schema !== undefined && schemaHas(schema, (part) => part.enum?.includes(null) ?? false);

export const hasDefault: Test = (schema) => schema.default !== undefined;

const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
export const KNOWN_TYPES = TYPES;

export const hasUnknownType: Test = ({ type = '' }) => type !== '' && !TYPES.includes(type);

/** Whether a schema carries a marker that asks for a structural schema. */
export function hasMarker(names: Names): Test {
  const { preserveUnknownFields, embeddedResource, intOrString, listMapKeys, listType } = markersOf(names);
  const markers = [preserveUnknownFields, embeddedResource, intOrString, listMapKeys, listType];
  return (schema) => markers.some((marker) => schema[marker] !== undefined);
}

/** The single schema of a list's items. */
export const singleItems = ({ items }: JSONSchemaProps): JSONSchemaProps | undefined =>
  Array.isArray(items) ? undefined : items;

/** Whether a list that is a set has items that can be told apart only by looking inside. */
export function hasSetOfParts(markers: Markers): Test {
  return (schema) => schema[markers.listType] === 'set' && !isAtomicItem(singleItems(schema), markers);
}

export function isAtomicItem(items: JSONSchemaProps | undefined, markers: Markers): boolean {
  if (items?.type === 'array') return (items[markers.listType] ?? 'atomic') === 'atomic';
  return items?.type !== 'object' || items[markers.mapType] === 'atomic';
}
