import { AwkError } from './error.ts';

/** An awk value: a number, a text, or an input text that counts as a number if it looks like one. */
export type Value = number | string | Input;

export class Input {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The value of an unset variable: zero and the empty text. */
export const UNSET = new Input('');

const NUMERIC = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  return parseFloat(/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/.exec(textOf(value))?.[0] ?? '0');
}

export function toText(value: Value): string {
  if (typeof value !== 'number') return textOf(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value);
  return String(Number(value.toPrecision(6)));
}

const textOf = (value: string | Input): string => (typeof value === 'string' ? value : value.text);

const looksNumeric = (value: Value): boolean =>
  typeof value === 'number' || (value instanceof Input && (value.text === '' || NUMERIC.test(value.text)));

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0;
  if (value instanceof Input && NUMERIC.test(value.text)) return toNumber(value) !== 0;
  return textOf(value) !== '';
}

/** Below, equal or above 0: as numbers where both are, as texts otherwise. */
export function compare(a: Value, b: Value): number {
  if (looksNumeric(a) && looksNumeric(b)) return toNumber(a) - toNumber(b);
  const [left, right] = [toText(a), toText(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What compares: from the order of two values. */
export const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Throws AwkError. */
export function arithmetic(operator: string, a: number, b: number): number {
  if ((operator === '/' || operator === '%') && b === 0) throw new AwkError('division by zero');
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '%':
      return a % b;
    default:
      return a ** b;
  }
}
