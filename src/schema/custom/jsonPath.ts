/** Paths into objects, as the columns of custom resources are given: `.spec.replicas`, `.items[*].name`, `[?(@.type=="Ready")]`. */
import { deepEqual, isObject, getOwn } from '../../std/index.ts';

/** One step: from a value to its children. */
type Step = (value: unknown) => readonly unknown[];

export type JsonPath = (object: unknown) => readonly unknown[];

/** Undefined if the text is not a path. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps = parseSteps(text);
  return steps && ((object) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [object]));
}

const FIELD = /\.((?:[^.[\]{}()\\\s]|\\.)+)/y;
const BRACKET = /\[((?:[^\]"'\\]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*)\]/y;

function parseSteps(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let deep = false;
  for (let at = 0; at < text.length;) {
    if (text.startsWith('..', at)) {
      deep = true;
      at += text[at + 2] === '[' ? 2 : 1;
    }
    const name = matchAt(FIELD, text, at);
    const bracket = name ? undefined : matchAt(BRACKET, text, at);
    const found = name ?? bracket;
    if (!found) return text === '.' ? [] : undefined;
    const step = name ? field((name[1] ?? '').replaceAll(/\\(.)/g, '$1')) : parseBracket(bracket?.[1] ?? '');
    if (!step) return undefined;
    steps.push(deep ? (value) => descendants(value).flatMap(step) : step);
    deep = false;
    at += found[0].length;
  }
  return steps;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

const field =
  (name: string): Step =>
  (value) => {
    if (name === '*') return children(value);
    return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
  };

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value)
    ? Object.keys(value)
        .sort()
        .map((key) => getOwn(value, key))
    : [];
}

function descendants(value: unknown): readonly unknown[] {
  return [value, ...children(value).flatMap(descendants)];
}

function parseBracket(inside: string): Step | undefined {
  const filter = /^\?\((.*)\)$/s.exec(inside.trim());
  if (filter) return parseFilter(filter[1] ?? '');
  const parts = inside.split(',').map((part) => parseChoice(part.trim()));
  return parts.every((part) => part !== undefined) ? (value) => parts.flatMap((part) => part(value)) : undefined;
}

function parseChoice(part: string): Step | undefined {
  const quoted = /^(?:'(.*)'|"(.*)")$/s.exec(part);
  if (quoted) return field(quoted[1] ?? quoted[2] ?? '');
  if (part === '*') return children;
  const range = /^(-?\d+)?(:(-?\d+)?(?::(\d+))?)?$/.exec(part);
  if (!range || part === '') return undefined;
  return range[2] === undefined
    ? (value) => at(value, Number(range[1]))
    : (value) => slice(value, range[1], range[3], Number(range[4] ?? 1));
}

function at(value: unknown, index: number): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  const place = index < 0 ? value.length + index : index;
  return place in value ? [value[place]] : [];
}

function slice(value: unknown, from: string | undefined, to: string | undefined, step: number): readonly unknown[] {
  if (!Array.isArray(value) || step === 0) return [];
  return value.slice(Number(from ?? 0), to === undefined ? undefined : Number(to)).filter((_, i) => i % step === 0);
}

const COMPARISON = /^(.*?)(==|!=|<=|>=|<|>)(.*)$/s;

function parseFilter(text: string): Step | undefined {
  const found = COMPARISON.exec(text.trim());
  if (!found) {
    const path = parseOperand(text.trim());
    return path && ((value) => children(value).filter((item) => path(item).length > 0));
  }
  const [, left = '', operator = '', right = ''] = found;
  const [one, other] = [parseOperand(left.trim()), parseOperand(right.trim())];
  if (!one || !other) return undefined;
  return (value) => children(value).filter((item) => compare(one(item)[0], other(item)[0], operator));
}

/** A path from the current item, or a literal. */
function parseOperand(text: string): JsonPath | undefined {
  if (text.startsWith('@')) return parseJsonPath(text.slice(1));
  const quoted = /^(?:'(.*)'|"(.*)")$/s.exec(text);
  if (quoted) return () => [quoted[1] ?? quoted[2] ?? ''];
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  return text !== '' && Number.isFinite(Number(text)) ? () => [Number(text)] : undefined;
}

function compare(a: unknown, b: unknown, operator: string): boolean {
  if (operator === '==') return a !== undefined && deepEqual(a, b);
  if (operator === '!=') return a !== undefined && !deepEqual(a, b);
  const bothNumbers = typeof a === 'number' && typeof b === 'number';
  if (!bothNumbers && !(typeof a === 'string' && typeof b === 'string')) return false;
  if (operator === '<') return a < b;
  if (operator === '>') return a > b;
  return operator === '<=' ? a <= b : a >= b;
}
