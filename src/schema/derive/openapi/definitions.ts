/** Definitions: one for each struct that can be reached from what is served. */
import { setOwn } from '../../../std/index.ts';
import type { Names } from '../../../names/index.ts';
import type { ScalarKind } from '../../define/types.ts';
import type { EitherNode, FieldNode, Node, StructNode } from '../scheme.ts';
import type { Schema } from './json.ts';

/** Scalars that are plain JSON types. */
const PLAIN: Partial<Readonly<Record<ScalarKind, Schema>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

/** Scalars that have definitions of their own. */
const NAMED: Partial<Readonly<Record<ScalarKind, { readonly name: string; readonly schema: Schema }>>> = {
  quantity: {
    name: 'apimachinery.pkg.api.resource.Quantity',
    schema: { type: 'string', description: 'An amount: a number and a suffix such as `m`, `k`, `Mi`.' },
  },
  intOrString: {
    name: 'apimachinery.pkg.util.intstr.IntOrString',
    schema: {
      type: 'string',
      format: 'int-or-string',
      description: 'A whole number, or a text such as a name or a percentage.',
    },
  },
  time: {
    name: 'apimachinery.pkg.apis.meta.v1.Time',
    schema: { type: 'string', format: 'date-time', description: 'A time in RFC 3339 form, in whole seconds.' },
  },
  microTime: {
    name: 'apimachinery.pkg.apis.meta.v1.MicroTime',
    schema: { type: 'string', format: 'date-time', description: 'A time in RFC 3339 form, in microseconds.' },
  },
  rawExtension: {
    name: 'apimachinery.pkg.runtime.RawExtension',
    schema: { type: 'object', description: 'Any object, kept as it is.' },
  },
  fieldsV1: {
    name: 'apimachinery.pkg.apis.meta.v1.FieldsV1',
    schema: { type: 'object', description: 'A set of fields, as a tree of their names.' },
  },
};

/** Collects definitions; what a definition refers to is defined, too. */
export class Definitions {
  readonly #names: Names;
  readonly #schemas = new Map<string, Schema>();

  constructor(names: Names) {
    this.#names = names;
  }

  /** All definitions so far, by name. */
  sorted(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to the definition of a struct, which is created if it is missing; `more` are additional properties. */
  refTo(node: StructNode, more: Schema = {}): Schema {
    if (!this.#schemas.has(node.name)) {
      // The place is taken first: structs may contain themselves.
      const schema: Schema = {};
      this.#schemas.set(node.name, schema);
      Object.assign(schema, this.#struct(node));
    }
    Object.assign(this.#schemas.get(node.name) ?? {}, more);
    return refTo(node.name);
  }

  /** Defines a name that is not declared as a struct, and refers to it. */
  define(name: string, schema: Schema): Schema {
    if (!this.#schemas.has(name)) this.#schemas.set(name, schema);
    return refTo(name);
  }

  #struct({ fields, options, name }: StructNode): Schema {
    const required = fields.filter((field) => field.required).map((field) => field.name);
    const home = name.slice(0, name.lastIndexOf('.'));
    const byName = [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
    const properties = byName.map((field) => [field.name, this.#property(field, home)] as const);
    return {
      ...(options.doc === undefined ? {} : { description: options.doc }),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(options.map ? { [this.#x('map-type')]: options.map } : {}),
      ...(options.unions ? { [this.#x('unions')]: options.unions.map(unionOf) } : {}),
    };
  }

  #property({ of, options }: FieldNode, home: string): Schema {
    const { list, keys, map, mergeKey, strategy, doc } = options;
    const extensions = {
      'list-type': list,
      'list-map-keys': keys,
      'map-type': map,
      'patch-merge-key': mergeKey,
      'patch-strategy': strategy,
    };
    const schema: Schema = {
      ...(doc === undefined ? {} : { description: this.#names.fill(doc) }),
      ...this.#schema(of, home),
    };
    for (const [name, value] of Object.entries(extensions))
      if (value !== undefined) setOwn(schema, this.#x(name), value);
    return schema;
  }

  #schema(node: Node, home: string): Schema {
    switch (node.type) {
      case 'scalar':
        return this.#scalar(node.scalar, home);
      case 'list':
        return { type: 'array', items: this.#schema(node.of, home) };
      case 'map':
        return { type: 'object', additionalProperties: this.#schema(node.of, home) };
      case 'struct':
        return this.refTo(node);
      case 'either':
        return this.#either(node);
      case 'open':
        return {};
    }
  }

  #scalar(kind: ScalarKind, home: string): Schema {
    const plain = PLAIN[kind];
    if (plain) return plain;
    const named = NAMED[kind];
    if (named) return this.define(`${this.#names.openapi}.${named.name}`, named.schema);
    return this.define(`${home}.JSON`, { description: 'Any JSON value.' });
  }

  /** OpenAPI v2 can't express these types, so they have only a description; their parts are defined anyway. */
  #either({ name, struct }: EitherNode): Schema {
    if (struct.of.type === 'struct') this.refTo(struct.of);
    return this.define(name, { description: 'A schema, or in its place a simpler value.' });
  }

  #x(name: string): string {
    return `x-${this.#names.product}-${name}`;
  }
}

export const refTo = (name: string): Schema => ({ $ref: `#/definitions/${name}` });

type Union = NonNullable<StructNode['options']['unions']>[number];

const unionOf = ({ discriminator, fields }: Union): object => ({
  ...(discriminator === undefined ? {} : { discriminator }),
  'fields-to-discriminateBy': fields,
});
