/** Defaulting: plain defaults of fields and the functions of structs, from the outside in, as the reference orders them. */
import type { DefaultContext } from '../define/types.ts';
import { isObject, getOwn, setOwn } from '../../std/index.ts';
import type { FieldNode, Node, StructNode } from './scheme.ts';

/** Fills in defaults for a decoded value, in place. */
export type Defaulter = (value: unknown) => void;

const nothing: Defaulter = () => {};

/** Makes the defaulters of nodes; those that have nothing to do are all the same function and cost nothing. */
export class Defaulters {
  readonly #context: DefaultContext;
  readonly #made = new Map<Node, Defaulter>();

  constructor(context: DefaultContext) {
    this.#context = context;
  }

  of(node: Node): Defaulter {
    const known = this.#made.get(node);
    if (known) return known;
    if (node.type === 'scalar' || node.type === 'open' || node.type === 'either') return nothing;
    // A struct that contains itself meets this entry while it is being made.
    this.#made.set(node, (value) => made(value));
    const made = node.type === 'struct' ? this.#struct(node) : this.#items(node.of, node.type);
    this.#made.set(node, made);
    return made;
  }

  #items(of: Node, type: 'list' | 'map'): Defaulter {
    const item = this.of(of);
    if (item === nothing) return nothing;
    return (value) => {
      if (type === 'list' && Array.isArray(value)) value.forEach(item);
      else if (isObject(value)) Object.values(value).forEach(item);
    };
  }

  #struct(node: StructNode): Defaulter {
    const own = node.options.defaults?.bind(node.options);
    const plain = node.fields.filter((field) => field.options.default !== undefined).map((field) => this.#plain(field));
    const inner = node.fields
      .map((field) => ({ name: field.name, fill: this.of(field.of) }))
      .filter(({ fill }) => fill !== nothing);
    if (!own && plain.length === 0 && inner.length === 0) return nothing;
    return (value) => {
      if (!isObject(value)) return;
      for (const fill of plain) fill(value);
      own?.(value, this.#context);
      for (const { name, fill } of inner) fill(getOwn(value, name));
    };
  }

  #plain({ name, presence, options }: FieldNode): (object: Record<string, unknown>) => void {
    const fallback = typeof options.default === 'string' ? this.#context.fill(options.default) : options.default;
    const blank = presence === 'ptr' || presence === 'nullable' ? isAbsent : isZero;
    return (object) => {
      if (blank(getOwn(object, name)))
        setOwn(object, name, typeof fallback === 'object' ? structuredClone(fallback) : fallback);
    };
  }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isZero = (value: unknown): boolean => isAbsent(value) || value === '' || value === 0 || value === false;
