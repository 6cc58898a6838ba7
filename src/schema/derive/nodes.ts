/** Declarations with the profile's names. The fields of a struct are created on first use. */
import type { Names } from '../../names/index.ts';
import type { AnyType, EitherType, Field, Presence, StructType } from '../define/types.ts';
import type { FieldNode, Node, StructNode } from './scheme.ts';

const known = new WeakMap<Names, WeakMap<AnyType, Node>>();

/** The node of a type; the same node for the same type and profile, however often it is asked for. */
export function nodeOf(names: Names, type: StructType): StructNode;
export function nodeOf(names: Names, type: AnyType): Node;
export function nodeOf(names: Names, type: AnyType): Node {
  let nodes = known.get(names);
  if (!nodes) known.set(names, (nodes = new WeakMap()));
  let node = nodes.get(type);
  if (!node) nodes.set(type, (node = make(names, type)));
  return node;
}

function make(names: Names, type: AnyType): Node {
  switch (type.type) {
    case 'scalar':
      return { type: 'scalar', scalar: type.scalar };
    case 'list':
      return { type: 'list', of: nodeOf(names, type.of), ...(type.boxed ? { boxed: true } : {}) };
    case 'map':
      return { type: 'map', of: nodeOf(names, type.of) };
    case 'struct':
      return new DeclaredStruct(names, type);
    case 'lazy':
      return nodeOf(names, type.get());
    case 'either':
      return either(names, type);
  }
}

function either(names: Names, type: EitherType): Node {
  const part = ({ tag, of }: EitherType['struct']) => ({ tag, of: nodeOf(names, of) });
  return { type: 'either', name: fullName(names, type.name), struct: part(type.struct), other: part(type.other) };
}

/** Name of a definition in OpenAPI: `io.k8s.api.core.v1.Pod`. */
export const fullName = (names: Names, name: string): string => `${names.openapi}.${names.fill(name)}`;

class DeclaredStruct implements StructNode {
  readonly type = 'struct';
  readonly open = false;
  readonly name: string;
  readonly options: StructNode['options'];
  readonly #names: Names;
  readonly #declared: StructType['fields'];
  #fields: readonly FieldNode[] | undefined;
  #byName: ReadonlyMap<string, FieldNode> | undefined;

  constructor(names: Names, { name, fields, options }: StructType) {
    this.name = fullName(names, name);
    this.options = options;
    this.#names = names;
    this.#declared = fields;
  }

  get fields(): readonly FieldNode[] {
    this.#fields ??= Object.entries(this.#declared).map(([name, field]) => fieldNode(this.#names, name, field));
    return this.#fields;
  }

  get byName(): ReadonlyMap<string, FieldNode> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName;
  }
}

function fieldNode(names: Names, name: string, field: Field<AnyType, Presence>): FieldNode {
  const { tag, of, presence, options } = field;
  const required = options.required ?? presence === 'always';
  return { name: names.fill(name), tag, of: nodeOf(names, of), presence, required, options };
}
