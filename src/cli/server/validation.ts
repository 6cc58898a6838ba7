/** What is wrong with an object by the server's own description of its kind, before it is sent. */
import type { DiscoveredResource } from '../../client/index.ts';
import { getOwn, isObject } from '../../std/index.ts';
import type { Call } from '../command/command.ts';
import { definitionOf, definitionsOf, type Definitions, type Schema } from './openApi.ts';

interface Subject {
  readonly resource: DiscoveredResource;
  readonly value: unknown;
}

/** Each problem in the reference's words; empty for a valid object, and for kinds without a schema. */
export async function problemsOf({ session, client }: Call, { resource, value }: Subject): Promise<readonly string[]> {
  const definitions = await definitionsOf(session, client);
  const name = definitionOf(definitions, client, resource);
  const schema = name === undefined ? undefined : getOwn(definitions, name);
  if (name === undefined || !schema) return [];
  return new Validation(definitions).check(schema, value, { path: resource.kind, schema: name });
}

/** Where a value stands in the object, and where its description does. */
interface Place {
  readonly path: string;
  readonly schema: string;
}

class Validation {
  readonly #definitions: Definitions;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  check(schema: Schema, value: unknown, at: Place): readonly string[] {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.replace('#/definitions/', '');
      const definition = getOwn(this.#definitions, name);
      return definition ? this.check(definition, value, { ...at, schema: name }) : [];
    }
    if (schema.properties) return this.#fields(schema, value, at);
    if (schema.additionalProperties) return this.#map(schema.additionalProperties, value, at);
    if (schema.items) return this.#list(schema.items, value, at);
    return schema.type === undefined || schema.type === 'object' ? [] : scalar(schema.type, value, at);
  }

  #fields(schema: Schema, value: unknown, at: Place): readonly string[] {
    if (!isObject(value)) return [wrongType(at, ...expectedMap(value))];
    const problems = Object.keys(value)
      .sort()
      .flatMap((key) => {
        const field = getOwn(value, key);
        if (field === null || field === undefined) return [];
        const known = getOwn(schema.properties, key);
        if (!known) return [problem(at, `unknown field ${JSON.stringify(key)} in ${at.schema}`)];
        return this.check(known, field, { path: `${at.path}.${key}`, schema: `${at.schema}.${key}` });
      });
    const missing = (schema.required ?? []).filter((key) => (getOwn(value, key) ?? null) === null);
    return [
      ...problems,
      ...missing.map((key) => problem(at, `missing required field ${JSON.stringify(key)} in ${at.schema}`)),
    ];
  }

  #map(of: Schema, value: unknown, at: Place): readonly string[] {
    if (!isObject(value)) return [wrongType(at, ...expectedMap(value))];
    return Object.keys(value)
      .sort()
      .flatMap((key) => {
        const path = `${at.path}.${key}`;
        const field = getOwn(value, key);
        return field === null ? [unknownType(path)] : this.check(of, field, { ...at, path });
      });
  }

  #list(of: Schema, value: unknown, at: Place): readonly string[] {
    if (!Array.isArray(value)) return [wrongType(at, 'array', kindOf(value))];
    return value.flatMap((item: unknown, i) => {
      const path = `${at.path}[${i}]`;
      return item === null
        ? [`ValidationError(${at.path}): ${unknownType(path)}`]
        : this.check(of, item, { ...at, path });
    });
  }
}

/** The reference swaps the two words if it finds a list in place of a map. */
const expectedMap = (value: unknown): readonly [string, string] =>
  Array.isArray(value) ? ['array', 'map'] : ['map', kindOf(value)];

/** Every scalar is accepted as a string. */
function scalar(type: string, value: unknown, at: Place): readonly string[] {
  const kind = kindOf(value);
  const fits =
    kind === type ||
    (type === 'string' && !['map', 'array'].includes(kind)) ||
    (type === 'integer' && kind === 'number');
  return fits ? [] : [wrongType(at, type, kind)];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'map';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

const problem = ({ path }: Place, text: string): string => `ValidationError(${path}): ${text}`;

const unknownType = (path: string): string => `unknown object type "nil" in ${path}`;

const wrongType = (at: Place, expected: string, actual: string): string =>
  problem(at, `invalid type for ${at.schema}: got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
