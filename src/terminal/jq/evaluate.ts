/** Runs a jq filter: from one value to any number of values. */
import { getOwn, isObject, setOwn } from '../../std/index.ts';
import { formats } from './formats.ts';
import {
  Break,
  found,
  lookIn,
  made,
  reachable,
  ROOT,
  UnknownFunction,
  withDefinition,
  type Filter,
  type Item,
  type Scope,
} from './scope.ts';
import type { Definition, Node, Pattern } from './syntax.ts';
import {
  described,
  isTrue,
  JqError,
  lookUp,
  operations,
  typeOf,
  valueAt,
  withoutPaths,
  withValueAt,
} from './values.ts';

/** What a filter with arguments does that is not written in jq. Its arguments are filters. */
export type Native = (input: Item, args: readonly Filter[], machine: Machine) => Iterable<Item>;

const MOST_STEPS = 5_000_000;

export interface MachineOptions {
  /** By `name/arity`. */
  readonly natives: ReadonlyMap<string, Native>;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** `$name` of arguments. */
  readonly variables: ReadonlyMap<string, unknown>;
  /** The next input of the program. */
  readonly next: () => { readonly value: unknown } | undefined;
}

export class Machine {
  readonly options: MachineOptions;
  #steps = 0;

  constructor(options: MachineOptions) {
    this.options = options;
  }

  /** The results for one input. Throws JqError, or SyntaxProblem for names that mean nothing. */
  *results(node: Node, value: unknown): Generator<unknown> {
    for (const item of this.run({ node, scope: ROOT }, { value })) yield item.value;
  }

  /** The values of a filter, without the ways to them. */
  *values(filter: Filter, value: unknown): Generator<unknown> {
    for (const item of this.run(filter, { value })) yield item.value;
  }

  /** The ways to what a filter leads to. */
  *paths(filter: Filter, value: unknown): Generator<Item & { readonly path: readonly unknown[] }> {
    for (const item of this.run(filter, { value, path: [] })) yield { value: item.value, path: reachable(item) };
  }

  /** Counts a step, so that a filter without an end is given up. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new JqError(`the filter was given up after ${MOST_STEPS} steps`);
  }

  *run({ node, scope }: Filter, input: Item): Generator<Item> {
    this.step();
    const below = (other: Node): Filter => ({ node: other, scope });
    switch (node.type) {
      case 'identity':
        return yield input;
      case 'literal':
        return yield made(input, node.value);
      case 'pipe':
        for (const item of this.run(below(node.left), input)) yield* this.run(below(node.right), item);
        return;
      case 'comma':
        yield* this.run(below(node.left), input);
        return yield* this.run(below(node.right), input);
      case 'index':
        for (const key of this.values(below(node.key), input.value))
          for (const item of this.run(below(node.of), input)) yield found(item, key);
        return;
      case 'slice':
        return yield* this.#slice(node, scope, input);
      case 'iterate':
        for (const item of this.run(below(node.of), input)) yield* this.each(item);
        return;
      case 'recurse':
        return yield* this.recurse(input);
      case 'call':
        return yield* this.#call(node.name, node.args.map(below), scope, input);
      default:
        return yield* this.#other(node, scope, input);
    }
  }

  *#other(node: Node, scope: Scope, input: Item): Generator<Item> {
    const below = (other: Node): Filter => ({ node: other, scope });
    switch (node.type) {
      case 'operation':
        return yield* this.#operation(node.operator, below(node.left), below(node.right), input);
      case 'negate':
        for (const value of this.values(below(node.of), input.value)) {
          if (typeof value !== 'number') throw new JqError(`${described(value)} cannot be negated`);
          yield made(input, -value);
        }
        return;
      case 'array':
        return yield made(input, node.body ? [...this.values(below(node.body), input.value)] : []);
      case 'object':
        for (const value of this.#objects(node.entries, scope, input.value)) yield made(input, value);
        return;
      case 'if':
        for (const value of this.values(below(node.condition), input.value))
          yield* this.run(below(isTrue(value) ? node.then : node.otherwise), input);
        return;
      case 'text':
        for (const text of this.#texts(node.parts, node.format, scope, input.value)) yield made(input, text);
        return;
      case 'format':
        return yield made(input, formatted(node.name, input.value));
      case 'variable':
        return yield made(input, this.#variable(node.name, scope));
      case 'define':
        return yield* this.run({ node: node.rest, scope: withDefinition(node.definition, scope, 'own') }, input);
      case 'try':
        return yield* this.#attempt(below(node.body), node.handler && below(node.handler), input);
      default:
        return yield* this.#control(node, scope, input);
    }
  }

  *#control(node: Node, scope: Scope, input: Item): Generator<Item> {
    switch (node.type) {
      case 'bind':
        for (const value of this.values({ node: node.source, scope }, input.value))
          for (const inner of this.#bound(node.pattern, value, scope, input.value))
            yield* this.run({ node: node.body, scope: inner }, input);
        return;
      case 'reduce':
      case 'foreach':
        return yield* this.#loop(node, scope, input);
      case 'label': {
        const label: Scope = { outer: scope, name: `*${node.name}` };
        try {
          yield* this.run({ node: node.body, scope: label }, input);
        } catch (problem) {
          if (!(problem instanceof Break) || problem.label !== label) throw problem;
        }
        return;
      }
      case 'break': {
        const label = lookIn(scope, `*${node.name}`);
        if (!label) throw new JqError(`$*label-${node.name} is not defined`);
        throw new Break(label);
      }
      default:
    }
  }

  /** The items of a list or the values of an object. */
  *each(item: Item): Generator<Item> {
    const { value } = item;
    if (Array.isArray(value)) for (const i of (value as unknown[]).keys()) yield found(item, i);
    else if (isObject(value)) for (const key of Object.keys(value)) yield found(item, key);
    else
      throw new JqError(
        `Cannot iterate over ${value === null || value === undefined ? 'null (null)' : described(value)}`,
      );
  }

  *recurse(item: Item): Generator<Item> {
    yield item;
    if (Array.isArray(item.value) || isObject(item.value))
      for (const below of this.each(item)) yield* this.recurse(below);
  }

  *#slice(node: Extract<Node, { type: 'slice' }>, scope: Scope, input: Item): Generator<Item> {
    const bounds = (bound: Node | undefined): Iterable<unknown> =>
      bound ? this.values({ node: bound, scope }, input.value) : [null];
    for (const end of bounds(node.to))
      for (const start of bounds(node.from))
        for (const item of this.run({ node: node.of, scope }, input)) yield found(item, { start, end });
  }

  *#operation(operator: string, left: Filter, right: Filter, input: Item): Generator<Item> {
    if (operator === 'and' || operator === 'or') {
      for (const a of this.values(left, input.value))
        if (isTrue(a) === (operator === 'or')) yield made(input, operator === 'or');
        else for (const b of this.values(right, input.value)) yield made(input, isTrue(b));
    } else if (operator === '//') yield* this.#alternative(left, right, input);
    else if (operator.endsWith('=') && !/^(?:[!=<>]=)$/.test(operator))
      yield* this.#assignment(operator, left, right, input);
    else
      for (const b of this.values(right, input.value))
        for (const a of this.values(left, input.value)) yield made(input, getOwn(operations, operator)?.(a, b));
  }

  *#alternative(left: Filter, right: Filter, input: Item): Generator<Item> {
    let any = false;
    try {
      for (const item of this.run(left, input))
        if (isTrue(item.value)) {
          any = true;
          yield item;
        }
    } catch (problem) {
      if (!(problem instanceof JqError)) throw problem;
    }
    if (!any) yield* this.run(right, input);
  }

  *#assignment(operator: string, left: Filter, right: Filter, input: Item): Generator<Item> {
    const { value } = input;
    if (operator === '|=') return yield made(input, this.updated(left, right, value));
    const paths = [...this.paths(left, value)].map(({ path }) => path);
    const sign = operator.slice(0, -1);
    for (const operand of this.values(right, value)) {
      const next = (before: unknown): unknown => {
        if (sign === '') return operand;
        if (sign === '//') return isTrue(before) ? before : operand;
        return getOwn(operations, sign)?.(before, operand);
      };
      yield made(
        input,
        paths.reduce((now, path) => withValueAt(now, path, next(valueAt(now, path))), value),
      );
    }
  }

  /** Each place has the first result of the filter for what is there; places without a result are taken away. */
  updated(places: Filter, update: Filter, value: unknown): unknown {
    const gone: (readonly unknown[])[] = [];
    let now = value;
    for (const { path } of [...this.paths(places, value)]) {
      const first = this.values(update, valueAt(now, path)).next();
      if (first.done) gone.push(path);
      else now = withValueAt(now, path, first.value);
    }
    return gone.length === 0 ? now : withoutPaths(now, gone);
  }

  *#attempt(body: Filter, handler: Filter | undefined, input: Item): Generator<Item> {
    try {
      yield* this.run(body, input);
    } catch (problem) {
      if (!(problem instanceof JqError)) throw problem;
      if (handler) yield* this.run(handler, { value: problem.value });
    }
  }

  /** Of several values of an entry, those of the last entry change fastest. */
  *#objects(
    [first, ...rest]: readonly (readonly [Node, Node])[],
    scope: Scope,
    value: unknown,
    before: Readonly<Record<string, unknown>> = {},
  ): Generator<Readonly<Record<string, unknown>>> {
    if (!first) return yield before;
    const [keyNode, valueNode] = first;
    for (const key of this.values({ node: keyNode, scope }, value))
      for (const own of this.values({ node: valueNode, scope }, value)) {
        if (typeof key !== 'string') throw new JqError(`Object keys must be strings`);
        const object = { ...before };
        setOwn(object, key, own);
        yield* this.#objects(rest, scope, value, object);
      }
  }

  *#texts(parts: readonly (string | Node)[], format: string, scope: Scope, value: unknown): Generator<string> {
    const last = parts.at(-1);
    if (last === undefined) return yield '';
    const ends = typeof last === 'string' ? [last] : this.values({ node: last, scope }, value);
    for (const end of ends)
      for (const before of this.#texts(parts.slice(0, -1), format, scope, value))
        yield before + (typeof last === 'string' ? last : formatted(format, end));
  }

  #variable(name: string, scope: Scope): unknown {
    const bound = lookIn(scope, `$${name}`);
    if (bound) return bound.value;
    const { variables } = this.options;
    if (variables.has(name)) return variables.get(name);
    throw new JqError(`$${name} is not defined`);
  }

  /** The scopes in which the variables of a pattern have the parts of a value. */
  *#bound(pattern: Pattern, value: unknown, scope: Scope, input: unknown): Generator<Scope> {
    if (pattern.type === 'variable') return yield { outer: scope, name: `$${pattern.name}`, value };
    if (pattern.type === 'array') {
      if (value !== null && !Array.isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with number`);
      return yield* this.#boundAll(
        pattern.items.map((item, i) => ({ item, part: lookUp(value, i) })),
        scope,
        input,
      );
    }
    yield* this.#boundEntries(pattern.entries, value, scope, input);
  }

  *#boundAll(parts: readonly { item: Pattern; part: unknown }[], scope: Scope, input: unknown): Generator<Scope> {
    const [first, ...rest] = parts;
    if (!first) return yield scope;
    for (const inner of this.#bound(first.item, first.part, scope, input)) yield* this.#boundAll(rest, inner, input);
  }

  *#boundEntries(
    [first, ...rest]: Extract<Pattern, { type: 'object' }>['entries'],
    value: unknown,
    scope: Scope,
    input: unknown,
  ): Generator<Scope> {
    if (!first) return yield scope;
    for (const key of this.values({ node: first.key, scope }, input)) {
      if (typeof key !== 'string') throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`);
      const part = lookUp(value, key);
      const own = first.variable === undefined ? scope : { outer: scope, name: `$${first.variable}`, value: part };
      const inners = first.pattern ? this.#bound(first.pattern, part, own, input) : [own];
      for (const inner of inners) yield* this.#boundEntries(rest, value, inner, input);
    }
  }

  *#loop(node: Extract<Node, { type: 'reduce' | 'foreach' }>, scope: Scope, input: Item): Generator<Item> {
    for (const start of this.run({ node: node.start, scope }, input)) {
      let now: Item | undefined = start;
      for (const value of this.values({ node: node.source, scope }, input.value))
        for (const inner of this.#bound(node.pattern, value, scope, input.value)) {
          let last: Item | undefined;
          for (const item of this.run({ node: node.update, scope: inner }, now ?? made(input, null))) {
            last = item;
            if (node.type === 'foreach')
              yield* node.extract ? this.run({ node: node.extract, scope: inner }, item) : [item];
          }
          now = last ?? (node.type === 'foreach' ? now : undefined);
        }
      if (node.type === 'reduce') yield now ?? made(input, null);
    }
  }

  *#call(name: string, args: readonly Filter[], scope: Scope, input: Item): Generator<Item> {
    const key = `${name}/${args.length}`;
    const bound = lookIn(scope, key);
    if (bound?.filter) {
      const { definition, scope: where } = bound.filter;
      return yield* this.#apply(definition, where === 'own' ? bound : where, args, input);
    }
    const native = this.options.natives.get(key);
    if (native) return yield* native(input, args, this);
    const definition = this.options.definitions.get(key);
    if (!definition) throw new UnknownFunction(key);
    yield* this.#apply(definition, ROOT, args, input);
  }

  /** Parameters that are values go through all values of their arguments. */
  *#apply({ parameters, body }: Definition, scope: Scope, args: readonly Filter[], input: Item): Generator<Item> {
    const [parameter, ...rest] = parameters;
    const [arg, ...others] = args;
    if (parameter === undefined || !arg) return yield* this.run({ node: body, scope }, input);
    const inner = { name: '', parameters: rest, body };
    if (!parameter.startsWith('$')) {
      const definition = { name: parameter, parameters: [], body: arg.node };
      return yield* this.#apply(inner, withDefinition(definition, scope, arg.scope), others, input);
    }
    for (const value of this.values(arg, input.value)) {
      const bound = { outer: scope, name: parameter, value };
      const body = { type: 'literal', value } as const;
      const definition = { name: parameter.slice(1), parameters: [], body };
      yield* this.#apply(inner, withDefinition(definition, bound, ROOT), others, input);
    }
  }
}

function formatted(name: string, value: unknown): string {
  const format = getOwn(formats, name);
  if (!format) throw new JqError(`${name} is not a valid format`);
  return format(value);
}
