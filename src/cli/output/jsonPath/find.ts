/** What the steps of a path find. */
import { deepEqual, getOwn, isObject, goText } from '../../../std/index.ts';
import { JsonPathError, type Path, type Step } from './parse.ts';

type Values = readonly unknown[];

export interface Finding {
  /** Whether a field that nothing has is no failure. */
  readonly missing: boolean;
}

/** What a path finds, beginning from these values. Throws JsonPathError. */
export const find = (path: Path, values: Values, how: Finding): Values =>
  path.reduce((found, step) => take(step, found, how), values);

function take(step: Step, values: Values, how: Finding): Values {
  switch (step.is) {
    case 'text':
      return [step.text];
    case 'value':
      return [step.value];
    case 'word':
      return wordOf(step.word, values);
    case 'field':
      return fieldOf(step.name, values, how);
    case 'children':
      return values.flatMap(childrenOf);
    case 'descendants':
      return values.flatMap(withDescendants);
    case 'slice':
      return values.flatMap((value) => sliceOf(step, value));
    case 'union':
      return step.members.flatMap((member) => find(member, values, how));
    case 'filter':
      return values.flatMap((value) => filterOf(step, value, how));
  }
}

function wordOf(word: string, values: Values): Values {
  if (word === 'range') return values;
  throw new JsonPathError(word === 'end' ? 'not in range, nothing to end' : `unrecognized identifier ${word}`);
}

function fieldOf(name: string, values: Values, { missing }: Finding): Values {
  const found = values.flatMap((value) => {
    const field = isObject(value) && !Array.isArray(value) ? getOwn(value, name) : undefined;
    return field === undefined ? [] : [field];
  });
  if (found.length === 0 && !missing) throw new JsonPathError(`${name} is not found`);
  return found;
}

const childrenOf = (value: unknown): Values =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

/** The value and everything in it, from the outside in; what holds nothing is left out. */
function withDescendants(value: unknown): Values {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(withDescendants)];
}

type Slice = Extract<Step, { is: 'slice' }>;

function sliceOf({ from, to, step = 1, one }: Slice, value: unknown): Values {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${typeOf(value)} is not array or slice`);
  const { length } = value;
  const fromEnd = (at: number): number => (at < 0 ? at + length : at);
  const first = fromEnd(from ?? 0);
  const end = one ? first + 1 : fromEnd(to ?? length);
  if (end === first) return [];
  const outside = [first >= length || first < 0 ? first : undefined, end > length || end < 0 ? end - 1 : undefined];
  const index = outside.find((each) => each !== undefined);
  if (index !== undefined) throw new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
  if (first > end) throw new JsonPathError(`starting index ${first} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return (value.slice(first, end) as Values).filter((_, i) => i % step === 0);
}

function typeOf(value: unknown): string {
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'int64' : typeof value;
}

function filterOf({ left, operator, right }: Extract<Step, { is: 'filter' }>, value: unknown, how: Finding): Values {
  if (!Array.isArray(value)) throw new JsonPathError(`${goText(value)} is not array or slice and cannot be filtered`);
  return (value as Values).filter((item) => {
    if (operator === 'exists') return existing(left, item);
    const [a, b] = [onlyOne(find(left, [item], how)), onlyOne(find(right, [item], how))];
    return a !== undefined && b !== undefined && compare(operator, a.value, b.value);
  });
}

function existing(path: Path, item: unknown): boolean {
  try {
    return find(path, [item], { missing: true }).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return false;
    throw error;
  }
}

function onlyOne(values: Values): { readonly value: unknown } | undefined {
  if (values.length > 1) throw new JsonPathError('can only compare one element at a time');
  return values.length === 0 ? undefined : { value: values[0] };
}

function compare(operator: string, a: unknown, b: unknown): boolean {
  if (operator === '==') return deepEqual(a, b);
  if (operator === '!=') return !deepEqual(a, b);
  if (!['<', '<=', '>', '>='].includes(operator)) throw new JsonPathError(`unrecognized filter operator ${operator}`);
  const numbers = typeof a === 'number' && typeof b === 'number';
  if (!numbers && !(typeof a === 'string' && typeof b === 'string'))
    throw new JsonPathError(
      typeof a === typeof b ? 'invalid type for comparison' : 'incompatible types for comparison',
    );
  if (a === b) return operator.includes('=');
  return operator.startsWith('<') === a < b;
}
