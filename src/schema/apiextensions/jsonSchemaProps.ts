/** JSON schema as a CustomResourceDefinition states it. It contains itself, so its TypeScript type is written by hand. */
import { bool, double, either, int64, json, lazy, list, map, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer, StructType } from '../define/index.ts';

const name = (last: string): string => `apiextensions-apiserver.pkg.apis.apiextensions.v1.${last}`;

export const ExternalDocumentation = struct(name('ExternalDocumentation'), {
  description: opt(1, string),
  url: opt(2, string),
});
export type ExternalDocumentation = Infer<typeof ExternalDocumentation>;

export interface JSONSchemaProps {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: unknown;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: unknown[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: JSONSchemaProps | JSONSchemaProps[];
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaProps | string[]>;
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: unknown;
  nullable?: boolean;
  /** The markers `x-{product}-…`: their names depend on the naming profile. */
  [extension: `x-${string}`]: unknown;
}

const schema = lazy<JSONSchemaProps>(() => JSONSchemaProps);
const schemaOrBool = either(name('JSONSchemaPropsOrBool'), { tag: 2, of: schema }, { tag: 1, of: bool });
const schemaOrArray = either(name('JSONSchemaPropsOrArray'), { tag: 1, of: schema }, { tag: 2, of: list(schema) });
const schemaOrNames = either(
  name('JSONSchemaPropsOrStringArray'),
  { tag: 1, of: schema },
  { tag: 2, of: list(string) },
);

const fields = {
  id: opt(1, string),
  $schema: opt(2, string),
  $ref: ptr(3, string),
  description: opt(4, string),
  type: opt(5, string),
  format: opt(6, string),
  title: opt(7, string),
  default: ptr(8, json),
  maximum: ptr(9, double),
  exclusiveMaximum: opt(10, bool),
  minimum: ptr(11, double),
  exclusiveMinimum: opt(12, bool),
  maxLength: ptr(13, int64),
  minLength: ptr(14, int64),
  pattern: opt(15, string),
  maxItems: ptr(16, int64),
  minItems: ptr(17, int64),
  uniqueItems: opt(18, bool),
  multipleOf: ptr(19, double),
  enum: opt(20, list(json)),
  maxProperties: ptr(21, int64),
  minProperties: ptr(22, int64),
  required: opt(23, list(string)),
  items: ptr(24, schemaOrArray),
  allOf: opt(25, list(schema)),
  oneOf: opt(26, list(schema)),
  anyOf: opt(27, list(schema)),
  not: ptr(28, schema),
  properties: opt(29, map(schema)),
  additionalProperties: ptr(30, schemaOrBool),
  patternProperties: opt(31, map(schema)),
  dependencies: ptr(32, map(schemaOrNames)),
  additionalItems: ptr(33, schemaOrBool),
  definitions: opt(34, map(schema)),
  externalDocs: ptr(35, ExternalDocumentation),
  example: ptr(36, json),
  nullable: opt(37, bool),
  'x-{product}-preserve-unknown-fields': ptr(38, bool),
  'x-{product}-embedded-resource': opt(39, bool),
  'x-{product}-int-or-string': opt(40, bool),
  'x-{product}-list-map-keys': opt(41, list(string)),
  'x-{product}-list-type': ptr(42, string),
  'x-{product}-map-type': ptr(43, string),
};

// The markers' names are templates here and filled in at run time, so the inferred type is not the interface's.
export const JSONSchemaProps = struct(name('JSONSchemaProps'), fields) as StructType<JSONSchemaProps>;
