/** Templates of Go's `text/template`, as `-o go-template` takes them. */
import { getOwn, isObject } from '../../../std/index.ts';
import { FUNCTIONS, isTrue, printed } from './functions.ts';
import { RunError, TemplateError } from './errors.ts';
import { commandText, parse, type Block, type Node, type Parsed, type Pipeline, type Term } from './parse.ts';

export { RunError, TemplateError } from './errors.ts';

/** Reads a template (`missing`: a key that a map lacks is no failure); what it returns fills it with a value. Throw TemplateError and RunError. */
export function parseGoTemplate(text: string, missing = true): (value: unknown) => string {
  const parsed = parse(text);
  return (value) => new Run(text, parsed, missing).print(value);
}

/** Variables, the innermost first. */
type Scope = { readonly values: Map<string, unknown>; readonly outer: Scope | undefined };

/** How deep templates may call each other. */
const DEEPEST = 1000;

/** Ends a turn of the innermost range, or with `break` the range. */
class Leaving {
  readonly is: 'break' | 'continue';

  constructor(is: 'break' | 'continue') {
    this.is = is;
  }
}

class Run {
  readonly #text: string;
  /** What is being worked out, for errors. */
  #now = { at: 0, text: '' };
  #name = 'output';
  readonly #parsed: Parsed;
  readonly #missing: boolean;
  #out = '';
  #depth = 0;

  constructor(text: string, parsed: Parsed, missing: boolean) {
    this.#text = text;
    this.#parsed = parsed;
    this.#missing = missing;
  }

  print(value: unknown): string {
    try {
      this.#nodes(this.#parsed.nodes, value, { values: new Map([['$', value]]), outer: undefined });
    } catch (error) {
      throw error instanceof TemplateError ? new RunError(this.#located(error.message), this.#out) : error;
    }
    return this.#out;
  }

  /** As Go says where a template failed: by line, and byte in it. */
  #located(problem: string): string {
    const before = this.#text.slice(0, this.#now.at).split('\n');
    const byte = new TextEncoder().encode(before.at(-1) ?? '').length;
    const where = `template: output:${before.length}:${byte}`;
    return `${where}: executing ${JSON.stringify(this.#name)} at <${this.#now.text}>: ${problem}`;
  }

  #nodes(nodes: readonly Node[], dot: unknown, scope: Scope): void {
    const own: Scope = { values: new Map(), outer: scope };
    for (const node of nodes) this.#node(node, dot, own);
  }

  #node(node: Node, dot: unknown, scope: Scope): void {
    if (node.is === 'text') this.#out += node.text;
    else if (node.is === 'print') {
      const value = this.#value(node.pipeline, dot, scope);
      if (node.pipeline.variables.length === 0) this.#out += printed(value);
    } else if (node.is === 'template') this.#template(node, dot, scope);
    else if (node.is === 'break' || node.is === 'continue') throw new Leaving(node.is);
    else if (node.is === 'range') this.#range(node, dot, scope);
    else {
      const inner: Scope = { values: new Map(), outer: scope };
      const value = this.#value(node.pipeline, dot, inner);
      if (isTrue(value)) this.#nodes(node.body, node.is === 'with' ? value : dot, inner);
      else this.#nodes(node.otherwise, dot, inner);
    }
  }

  #template(node: Extract<Node, { is: 'template' }>, dot: unknown, scope: Scope): void {
    const nodes = this.#parsed.named.get(node.name);
    this.#now = node;
    if (!nodes) throw new TemplateError(`template ${JSON.stringify(node.name)} not defined`);
    this.#call(node.name, nodes, node.pipeline && this.#value(node.pipeline, dot, scope));
  }

  #call(name: string, nodes: readonly Node[], value: unknown): void {
    const outer = this.#name;
    this.#name = name;
    if (++this.#depth > DEEPEST) throw new TemplateError(`exceeded maximum template depth (${DEEPEST})`);
    this.#nodes(nodes, value, { values: new Map([['$', value]]), outer: undefined });
    this.#depth--;
    this.#name = outer;
  }

  #range({ pipeline, body, otherwise }: Block, dot: unknown, scope: Scope): void {
    const value = this.#value({ ...pipeline, variables: [] }, dot, scope);
    const entries = entriesOf(value);
    if (entries.length === 0) return this.#nodes(otherwise, dot, scope);
    for (const [key, item] of entries) {
      const inner: Scope = { values: new Map(), outer: scope };
      const [first, second] = pipeline.variables;
      if (first !== undefined) this.#set(first, second === undefined ? item : key, inner, pipeline.declares);
      if (second !== undefined) this.#set(second, item, inner, pipeline.declares);
      if (this.#turn(body, item, inner) === 'break') return;
    }
  }

  #turn(body: readonly Node[], item: unknown, scope: Scope): Leaving['is'] | undefined {
    try {
      this.#nodes(body, item, scope);
    } catch (error) {
      if (error instanceof Leaving) return error.is;
      throw error;
    }
  }

  /** The value of a pipeline; its variables get it too. */
  #value(pipeline: Pipeline, dot: unknown, scope: Scope): unknown {
    let value: unknown;
    for (const [i, terms] of pipeline.commands.entries())
      value = this.#command(terms, dot, scope, i === 0 ? [] : [value]);
    for (const name of pipeline.variables) this.#set(name, value, scope, pipeline.declares);
    return value;
  }

  #set(name: string, value: unknown, scope: Scope, declares: boolean): void {
    let at: Scope | undefined = scope;
    if (!declares) while (at && !at.values.has(name)) at = at.outer;
    if (!at) throw new TemplateError(`undefined variable ${JSON.stringify(name)}`);
    at.values.set(name, value);
  }

  #command([first, ...more]: readonly Term[], dot: unknown, scope: Scope, piped: readonly unknown[]): unknown {
    if (!first) return undefined;
    if (first.operand.is !== 'function') {
      if (more.length > 0 || piped.length > 0)
        throw new TemplateError(`can't give argument to non-function ${first.text}`);
      return this.#term(first, dot, scope);
    }
    const { name } = first.operand;
    const values = [...more.map((term) => this.#term(term, dot, scope)), ...piped];
    this.#now = { at: first.from, text: commandText([first, ...more]) };
    return this.#fields(called(name, values), first);
  }

  #term(term: Term, dot: unknown, scope: Scope): unknown {
    const { operand } = term;
    this.#now = term;
    if (operand.is === 'value') return operand.value;
    if (operand.is === 'dot') return this.#fields(dot, term);
    if (operand.is === 'pipeline') return this.#fields(this.#value(operand.pipeline, dot, scope), term);
    if (operand.is === 'function') return this.#command([term], dot, scope, []);
    for (let at: Scope | undefined = scope; at; at = at.outer)
      if (at.values.has(operand.name)) return this.#fields(at.values.get(operand.name), term);
    throw new TemplateError(`undefined variable ${JSON.stringify(operand.name)}`);
  }

  /** A field of nothing is nothing. */
  #fields(value: unknown, { fields }: Term): unknown {
    return fields.reduce<unknown>((at, name) => {
      if (at === undefined || at === null) return undefined;
      if (!isObject(at) || Array.isArray(at))
        throw new TemplateError(`can't evaluate field ${name} in type interface {}`);
      const found = getOwn(at, name);
      if (found === undefined && !this.#missing)
        throw new TemplateError(`map has no entry for key ${JSON.stringify(name)}`);
      return found;
    }, value);
  }
}

/** What a function makes of values. */
function called(name: string, values: readonly unknown[]): unknown {
  try {
    return getOwn(FUNCTIONS, name)?.(...values);
  } catch (error) {
    throw error instanceof TemplateError ? new TemplateError(`error calling ${name}: ${error.message}`) : error;
  }
}

/** Keys and items; those of a map in the order of the keys. */
function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown, i) => [BigInt(i), item]);
  if (isObject(value)) return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  throw new TemplateError(`range can't iterate over ${printed(value)}`);
}
