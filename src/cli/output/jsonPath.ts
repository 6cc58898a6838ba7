/** JSONPath templates of the reference's client: text with `{expressions}`, `{range}` … `{end}`, filters, slices, unions. */
import { deepEqual, getOwn, isObject } from '../../std/index.ts';
import { complaint } from '../command/errors.ts';
import { compactJson } from './json.ts';

/** From a value to those that lie behind it, in order. */
type Step = (value: unknown, root: unknown) => readonly unknown[];

type Node =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'path'; readonly steps: readonly Step[] }
  | { readonly is: 'range'; readonly over: readonly Step[]; readonly body: readonly Node[] };

export interface Template {
  /** The template's text for a value. */
  print(value: unknown): string;
  /** What a template of one expression finds. */
  find(value: unknown): readonly unknown[];
}

/** Throws CommandError for a text that is no template. */
export function parseTemplate(text: string): Template {
  const parser = new Parser(text);
  const nodes = parser.nodes();
  return {
    print: (value) => nodes.map((node) => printNode(node, value, value)).join(''),
    find: (value) => nodes.flatMap((node) => (node.is === 'path' ? walk(node.steps, value, value) : [])),
  };
}

/** A path as people write it for columns and sorting: `.a.b`, `a.b` and `{.a.b}` are the same. */
export function parseRelaxedPath(text: string): Template {
  const match = /^\{?(.*?)\}?$/s.exec(text.trim());
  const path = match?.[1] ?? '';
  if (text.trim() !== '' && text.startsWith('{') !== text.trim().endsWith('}'))
    throw complaint(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  return parseTemplate(`{${/^[.[$@]/.test(path) ? '' : '.'}${path}}`);
}

function printNode(node: Node, value: unknown, root: unknown): string {
  if (node.is === 'text') return node.text;
  if (node.is === 'path') return walk(node.steps, value, root).map(printValue).join(' ');
  return walk(node.over, value, root)
    .map((item) => node.body.map((inner) => printNode(inner, item, root)).join(''))
    .join('');
}

const printValue = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null
      ? ''
      : typeof value === 'object'
        ? compactJson(value)
        : String(value);

const walk = (steps: readonly Step[], value: unknown, root: unknown): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((each) => step(each, root)), [value]);

const childrenOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

/** The value and everything in it, from the outside in. */
const withDescendants = (value: unknown): readonly unknown[] => [value, ...childrenOf(value).flatMap(withDescendants)];

const field =
  (name: string): Step =>
  (value) => {
    const found = isObject(value) && !Array.isArray(value) ? getOwn(value, name) : undefined;
    return found === undefined ? [] : [found];
  };

const COMPARISONS: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => deepEqual(a, b),
  '!=': (a, b) => !deepEqual(a, b),
  '<=': (a, b) => order(a, b, (n) => n <= 0),
  '>=': (a, b) => order(a, b, (n) => n >= 0),
  '<': (a, b) => order(a, b, (n) => n < 0),
  '>': (a, b) => order(a, b, (n) => n > 0),
};

function order(a: unknown, b: unknown, holds: (difference: number) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return holds(a - b);
  if (typeof a === 'string' && typeof b === 'string') return holds(a < b ? -1 : a > b ? 1 : 0);
  return false;
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Until the end of the text, or of the range it is in. */
  nodes(inRange = false): Node[] {
    const nodes: Node[] = [];
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf('{', this.#at);
      const to = open < 0 ? this.#text.length : open;
      if (to > this.#at) nodes.push({ is: 'text', text: this.#text.slice(this.#at, to) });
      this.#at = to;
      if (open < 0) break;
      const inside = this.#braces();
      if (inside.trim() === 'end') {
        if (inRange) return nodes;
        throw this.#problem('not in range, nothing to end');
      }
      nodes.push(...this.#action(inside));
    }
    if (inRange) throw this.#problem('unclosed action');
    return nodes;
  }

  /** What stands between the braces here; quotes may hold braces. */
  #braces(): string {
    const match = /\{((?:[^{}"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*)\}/y;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (!found) throw this.#problem('unclosed action');
    this.#at = match.lastIndex;
    return found[1] ?? '';
  }

  #action(inside: string): Node[] {
    const range = /^\s*range\s+(.*)$/s.exec(inside);
    if (range) return [{ is: 'range', over: parsePath(range[1] ?? '', this.#text), body: this.nodes(true) }];
    return splitExpressions(inside).map((part) => {
      const quoted = unquote(part);
      return quoted === undefined ? { is: 'path', steps: parsePath(part, this.#text) } : { is: 'text', text: quoted };
    });
  }

  #problem(what: string): Error {
    return complaint(`error parsing jsonpath ${this.#text}, ${what}`);
  }
}

/** Expressions of one pair of braces stand beside each other with spaces between: `{.a "text" .b}`. */
function splitExpressions(inside: string): readonly string[] {
  return [
    ...inside.matchAll(/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\]|\[|[^\s"'[])+/g),
  ].map(([part]) => part);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The text between quotes; undefined where there are none. */
function unquote(part: string): string | undefined {
  const body = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^'\\]|\\.)*)'$/s.exec(part);
  if (!body) return undefined;
  return (body[1] ?? body[2] ?? '').replaceAll(/\\(.)/gs, (_, letter: string) => getOwn(ESCAPED, letter) ?? letter);
}

const NAME = /\.?((?:[^.[\]{}()\\\s'"*]|\\.)+)/y;
const BRACKETS =
  /\[((?:[^\]"'\\(]|\((?:[^()"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\))*\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*)\]/y;

function parsePath(text: string, template: string): readonly Step[] {
  const path = text.trim();
  const steps: Step[] = [];
  let at = 0;
  const matches = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(path);
    if (found) at = pattern.lastIndex;
    return found;
  };
  if (path[0] === '$') {
    steps.push((_, root) => [root]);
    at = 1;
  } else if (path[0] === '@') at = 1;
  while (at < path.length) {
    if (path.startsWith('..', at)) {
      at += path[at + 2] === '[' ? 2 : 1;
      steps.push(withDescendants);
    }
    if (path.startsWith('.*', at) || path[at] === '*') {
      at += path[at] === '*' ? 1 : 2;
      steps.push(childrenOf);
      continue;
    }
    const brackets = matches(BRACKETS);
    const name = brackets ? null : matches(NAME);
    if (brackets) steps.push(parseBrackets(brackets[1] ?? '', template));
    else if (name) steps.push(field((name[1] ?? '').replaceAll(/\\(.)/g, '$1')));
    else if (path.slice(at) === '.') at++;
    else if (path[at] === '[') throw complaint(`error parsing jsonpath ${template}, unterminated array`);
    else
      throw complaint(
        `error parsing jsonpath ${template}, unrecognized character in action: ${codeOf(path[at] ?? '')}`,
      );
  }
  return steps;
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${character}'`;

function parseBrackets(inside: string, template: string): Step {
  const text = inside.trim();
  if (text === '*') return childrenOf;
  if (text.startsWith('?(') && text.endsWith(')')) return parseFilter(text.slice(2, -1), template);
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(\d*))?$/.exec(text);
  if (slice && text !== '') return parseSlice(text, slice);
  const parts = splitUnion(text).map((part) => parseMember(part, template));
  return (value, root) => parts.flatMap((step) => step(value, root));
}

function splitUnion(text: string): readonly string[] {
  return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,])+/g)].map(([part]) => part.trim());
}

function parseMember(part: string, template: string): Step {
  const quoted = unquote(part);
  if (quoted !== undefined) return field(quoted);
  const index = /^(-?\d+)$/.exec(part);
  if (index) return parseSlice(part, index);
  throw complaint(`error parsing jsonpath ${template}, invalid array index ${part}`);
}

function parseSlice(text: string, [, first = '', last = '', step = '']: RegExpExecArray): Step {
  const single = !text.includes(':');
  return (value) => {
    if (!Array.isArray(value)) return [];
    const fromEnd = (at: number): number => (at < 0 ? at + value.length : at);
    const from = fromEnd(first === '' ? 0 : Number(first));
    if (single) {
      if (from >= 0 && from < value.length) return [value[from] as unknown];
      throw complaint(`error executing jsonpath: array index out of bounds: index ${first}, length ${value.length}`);
    }
    const to = last === '' ? value.length : fromEnd(Number(last));
    return value.slice(from, to).filter((_, i) => i % Math.max(1, Number(step || 1)) === 0) as readonly unknown[];
  };
}

function parseFilter(text: string, template: string): Step {
  const match = /^((?:[^=!<>"']|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(text.trim());
  if (!match) {
    const path = parsePath(text, template);
    return (value, root) => itemsOf(value).filter((item) => walk(path, item, root).length > 0);
  }
  const [, left = '', operator = '', right = ''] = match;
  const [a, b] = [operand(left, template), operand(right, template)];
  const holds = getOwn(COMPARISONS, operator);
  return (value, root) =>
    itemsOf(value).filter((item) => {
      const [x, y] = [a(item, root), b(item, root)];
      return x.length > 0 && y.length > 0 && (holds?.(x[0], y[0]) ?? false);
    });
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isObject(value) ? [value] : []);

function operand(text: string, template: string): Step {
  const part = text.trim();
  const quoted = unquote(part);
  if (quoted !== undefined) return () => [quoted];
  if (/^-?\d+(\.\d+)?$/.test(part)) return () => [Number(part)];
  if (part === 'true' || part === 'false') return () => [part === 'true'];
  const steps = parsePath(part, template);
  return (value, root) => walk(steps, value, root);
}
