/** The structure that a definition's schema describes: what fields there are, apart from what their values have to obey. */
import type { Names } from '../../names/index.ts';
import { isObject } from '../../std/index.ts';
import type { JSONSchemaProps } from '../apiextensions/jsonSchemaProps.ts';

export interface Structural {
  readonly type: string;
  readonly nullable: boolean;
  /** The default value; undefined if the schema has none. */
  readonly default: unknown;
  readonly properties: ReadonlyMap<string, Structural>;
  /** Other fields are allowed, and have this structure (undefined: anything goes, though objects are emptied). */
  readonly additional: { readonly structure: Structural | undefined } | undefined;
  readonly items: Structural | undefined;
  readonly preservesUnknown: boolean;
  /** An object with kind, version and metadata of its own. */
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly mapType: string | undefined;
}

/** The markers that a schema may carry, by the names that the profile gives them. */
export interface Markers {
  readonly preserveUnknownFields: `x-${string}`;
  readonly embeddedResource: `x-${string}`;
  readonly intOrString: `x-${string}`;
  readonly listMapKeys: `x-${string}`;
  readonly listType: `x-${string}`;
  readonly mapType: `x-${string}`;
}

export function markersOf(names: Names): Markers {
  const marker = (name: string): `x-${string}` => `x-${names.fill('{product}')}-${name}`;
  return {
    preserveUnknownFields: marker('preserve-unknown-fields'),
    embeddedResource: marker('embedded-resource'),
    intOrString: marker('int-or-string'),
    listMapKeys: marker('list-map-keys'),
    listType: marker('list-type'),
    mapType: marker('map-type'),
  };
}

/** The schema of a list's items; undefined if there is none, or one for each position. */
export function itemsOf(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  return Array.isArray(schema.items) ? undefined : schema.items;
}

/** The schema of fields that are not listed. */
export function additionalOf(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  return isObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

export function structuralOf(schema: JSONSchemaProps, markers: Markers): Structural {
  const inner = (part: JSONSchemaProps | undefined): Structural | undefined => part && structuralOf(part, markers);
  const { type = '', nullable = false, properties = {}, additionalProperties } = schema;
  const listType = schema[markers.listType];
  const mapType = schema[markers.mapType];
  const listKeys = schema[markers.listMapKeys];
  return {
    type,
    nullable,
    default: schema.default,
    properties: new Map(Object.entries(properties).map(([name, part]) => [name, structuralOf(part, markers)])),
    additional: additionalProperties === undefined ? undefined : { structure: inner(additionalOf(schema)) },
    items: inner(itemsOf(schema)),
    preservesUnknown: schema[markers.preserveUnknownFields] === true,
    embedded: schema[markers.embeddedResource] === true,
    intOrString: schema[markers.intOrString] === true,
    listType: typeof listType === 'string' ? listType : undefined,
    listKeys: Array.isArray(listKeys) ? listKeys.map(String) : [],
    mapType: typeof mapType === 'string' ? mapType : undefined,
  };
}

/** The structure of a field, listed or not. */
export function fieldOf(structure: Structural | undefined, name: string): Structural | undefined {
  return structure?.properties.get(name) ?? structure?.additional?.structure;
}
