/** Runs a jq filter: from one value to any number of values. */
import { getOwn, isObject, setOwn } from '../../std/index.ts';
import { formatted } from './formats.ts';
import {
  Break,
  found,
  lookIn,
  made,
  reachable,
  ROOT,
  UnknownName,
  withDefinition,
  type Filter,
  type Item,
  type Scope,
} from './scope.ts';
import { bound, type Place } from './binding.ts';
import type { Definition, Node } from './syntax.ts';
import { copyCost, MOST_STEPS, operationCost, STEPS_OF_A_TURN } from './costs.ts';
import { described, isTrue, JqError, operations, valueAt, withoutPaths, withValueAt } from './values.ts';

/** What a filter with arguments does that is not written in jq. Its arguments are filters. */
export type Native = (input: Item, args: readonly Filter[], machine: Machine) => Iterable<Item | Pause>;

/** Comes between results where the work has taken long: others may have their turn. */
export type Pause = undefined;

type Loop = Extract<Node, { type: 'reduce' | 'foreach' }>;

export interface MachineOptions {
  readonly natives: ReadonlyMap<string, Native>;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly variables: ReadonlyMap<string, unknown>;
  /** The next input of the program. */
  readonly next: () => { readonly value: unknown } | undefined;
  /** What goes to the standard error. */
  readonly note: (text: string) => void;
  readonly now: () => number;
  /** The file of the input; null where it came through the pipe. */
  readonly file: () => string | null;
}

export class Machine {
  readonly options: MachineOptions;
  #steps = 0;
  #turnEnds = STEPS_OF_A_TURN;

  constructor(options: MachineOptions) {
    this.options = options;
  }

  /** The results for one input, and pauses. Throws JqError. */
  results(node: Node, value: unknown): Generator<Item | Pause> {
    return this.run({ node, scope: ROOT }, { value });
  }

  /** The values of a filter, without the ways to them and without pauses. */
  *values(filter: Filter, value: unknown): Generator<unknown> {
    for (const item of this.run(filter, { value })) if (item) yield item.value;
  }

  /** The ways to what a filter leads to. */
  *paths(filter: Filter, value: unknown): Generator<Item & { readonly path: readonly unknown[] }> {
    for (const item of this.run(filter, { value, path: [] }))
      if (item) yield { value: item.value, path: reachable(item) };
  }

  /** Accounts for work, so that a filter without an end is given up. Throws JqError. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MOST_STEPS) throw new JqError(`the filter was given up after ${MOST_STEPS} steps`);
  }

  /** Accounts for a copy of a value. */
  readonly copying = (value: unknown): void => this.spend(copyCost(value));

  /** Whether a pause is due; whoever asks has to make it. */
  turnIsOver(): boolean {
    if (this.#steps < this.#turnEnds) return false;
    this.#turnEnds = this.#steps + STEPS_OF_A_TURN;
    return true;
  }

  *run({ node, scope }: Filter, input: Item): Generator<Item | Pause> {
    this.spend(1);
    if (this.turnIsOver()) yield undefined;
    const below = (other: Node): Filter => ({ node: other, scope });
    switch (node.type) {
      case 'identity':
        return yield input;
      case 'literal':
        return yield made(input, node.value);
      case 'pipe':
        for (const item of this.run(below(node.left), input))
          if (item) yield* this.run(below(node.right), item);
          else yield item;
        return;
      case 'comma':
        yield* this.run(below(node.left), input);
        return yield* this.run(below(node.right), input);
      case 'index':
        for (const key of this.values(below(node.key), input.value))
          for (const item of this.run(below(node.of), input)) yield item && found(item, key);
        return;
      case 'slice':
        return yield* this.#slice(node, scope, input);
      case 'iterate':
        for (const item of this.run(below(node.of), input))
          if (item) yield* this.each(item);
          else yield item;
        return;
      case 'recurse':
        return yield* this.recurse(input);
      case 'call':
        return yield* this.#call(node.name, node.args.map(below), scope, input);
      default:
        return yield* this.#other(node, scope, input);
    }
  }

  *#other(node: Node, scope: Scope, input: Item): Generator<Item | Pause> {
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
        return yield* this.#list(node.body && below(node.body), input);
      case 'object':
        for (const value of this.#objects(node.entries, scope, input.value)) yield made(input, value);
        return;
      case 'if':
        for (const item of this.run(below(node.condition), { value: input.value }))
          if (item) yield* this.run(below(isTrue(item.value) ? node.then : node.otherwise), input);
          else yield item;
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

  *#control(node: Node, scope: Scope, input: Item): Generator<Item | Pause> {
    const below = (other: Node): Filter => ({ node: other, scope });
    switch (node.type) {
      case 'bind':
        for (const item of this.run(below(node.source), { value: input.value }))
          if (!item) yield item;
          else
            for (const inner of bound(node.pattern, item.value, this.#place(scope, input)))
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

  #place(scope: Scope, { value: input }: Item): Place {
    return { scope, input, values: (filter, value) => this.values(filter, value) };
  }

  *#list(body: Filter | undefined, input: Item): Generator<Item | Pause> {
    const list: unknown[] = [];
    if (body)
      for (const item of this.run(body, { value: input.value }))
        if (item) list.push(item.value);
        else yield item;
    yield made(input, list);
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

  *#slice(node: Extract<Node, { type: 'slice' }>, scope: Scope, input: Item): Generator<Item | Pause> {
    const bounds = (bound: Node | undefined): Iterable<unknown> =>
      bound ? this.values({ node: bound, scope }, input.value) : [null];
    for (const end of bounds(node.to))
      for (const start of bounds(node.from))
        for (const item of this.run({ node: node.of, scope }, input)) yield item && found(item, { start, end });
  }

  *#operation(operator: string, left: Filter, right: Filter, input: Item): Generator<Item | Pause> {
    if (operator === 'and' || operator === 'or') {
      for (const a of this.values(left, input.value))
        if (isTrue(a) === (operator === 'or')) yield made(input, operator === 'or');
        else for (const b of this.values(right, input.value)) yield made(input, isTrue(b));
    } else if (operator === '//') yield* this.#alternative(left, right, input);
    else if (operator.endsWith('=') && !/^(?:[!=<>]=)$/.test(operator))
      yield* this.#assignment(operator, left, right, input);
    else
      for (const b of this.run(right, { value: input.value }))
        if (!b) yield b;
        else
          for (const a of this.run(left, { value: input.value }))
            yield a && made(input, this.#operated(operator, a.value, b.value));
  }

  #operated(operator: string, a: unknown, b: unknown): unknown {
    if (typeof a !== 'number') this.spend(operationCost(operator, a, b));
    return getOwn(operations, operator)?.(a, b);
  }

  *#alternative(left: Filter, right: Filter, input: Item): Generator<Item | Pause> {
    let any = false;
    try {
      for (const item of this.run(left, input))
        if (!item || isTrue(item.value)) {
          any ||= item !== undefined;
          yield item;
        }
    } catch (problem) {
      if (!(problem instanceof JqError)) throw problem;
    }
    if (!any) yield* this.run(right, input);
  }

  *#assignment(operator: string, left: Filter, right: Filter, input: Item): Generator<Item | Pause> {
    const { value } = input;
    if (operator === '|=') return yield made(input, this.updated(left, right, value));
    const paths = [...this.paths(left, value)].map(({ path }) => path);
    const sign = operator.slice(0, -1);
    for (const operand of this.values(right, value)) {
      const next = (before: unknown): unknown => {
        if (sign === '') return operand;
        if (sign === '//') return isTrue(before) ? before : operand;
        return this.#operated(sign, before, operand);
      };
      yield made(
        input,
        paths.reduce((now, path) => withValueAt(now, path, next(valueAt(now, path)), this.copying), value),
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
      else now = withValueAt(now, path, first.value, this.copying);
    }
    return gone.length === 0 ? now : withoutPaths(now, gone, this.copying);
  }

  *#attempt(body: Filter, handler: Filter | undefined, input: Item): Generator<Item | Pause> {
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

  *#loop(node: Loop, scope: Scope, input: Item): Generator<Item | Pause> {
    for (const start of this.run({ node: node.start, scope }, input)) {
      if (!start) {
        yield start;
        continue;
      }
      let now: Item | undefined = start;
      for (const item of this.run({ node: node.source, scope }, { value: input.value }))
        if (!item) yield item;
        else
          for (const inner of bound(node.pattern, item.value, this.#place(scope, input)))
            now = yield* this.#round(node, inner, now ?? made(input, null));
      if (node.type === 'reduce') yield now ?? made(input, null);
    }
  }

  /** One round of a loop: returns what the next begins with. */
  *#round(node: Loop, scope: Scope, before: Item): Generator<Item | Pause, Item | undefined> {
    let last: Item | undefined;
    for (const item of this.run({ node: node.update, scope }, before)) {
      if (item) last = item;
      if (item && node.type === 'foreach') yield* node.extract ? this.run({ node: node.extract, scope }, item) : [item];
      if (!item) yield item;
    }
    return last ?? (node.type === 'foreach' ? before : undefined);
  }

  *#call(name: string, args: readonly Filter[], scope: Scope, input: Item): Generator<Item | Pause> {
    const key = `${name}/${args.length}`;
    const bound = lookIn(scope, key);
    if (bound?.filter) {
      const { definition, scope: where } = bound.filter;
      return yield* this.#apply(definition, where === 'own' ? bound : where, args, input);
    }
    const native = this.options.natives.get(key);
    if (native) return yield* native(input, args, this);
    const definition = this.options.definitions.get(key);
    if (!definition) throw new UnknownName(key);
    yield* this.#apply(definition, ROOT, args, input);
  }

  /** Parameters that are values go through all values of their arguments. */
  *#apply(
    { parameters, body }: Definition,
    scope: Scope,
    args: readonly Filter[],
    input: Item,
  ): Generator<Item | Pause> {
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
