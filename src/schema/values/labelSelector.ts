/** Label selectors in all their notations: matching, and their canonical text. */
import { checkLabelValue, checkQualifiedName } from './names.ts';

export type Labels = Readonly<Record<string, string>>;

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

export interface Selector {
  /** In the order of their keys; none where the selector matches everything or nothing. */
  readonly requirements: readonly Requirement[];
  readonly matchesNothing: boolean;
  readonly matchesEverything: boolean;
  matches(labels: Labels | undefined): boolean;
  /** The canonical text: `a=b,c in (d,e),!f`. */
  toString(): string;
}

/** A LabelSelector object, as specs have it. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** A label requirement of a node selector term, which has two more operators. */
export type NodeSelectorRequirement = LabelSelectorRequirement;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const INTEGER = /^[-+]?[0-9]+$/;

/** A requirement, or what is wrong with it. */
export function requirement(
  key: string,
  operator: Operator,
  values: readonly string[],
): Requirement | { readonly error: string } {
  const error = complaint(key, operator, values);
  return error === undefined ? { key, operator, values: [...new Set(values)].sort(byText) } : { error };
}

function complaint(key: string, operator: Operator, values: readonly string[]): string | undefined {
  const keyErrors = checkQualifiedName(key);
  if (keyErrors.length > 0) return `invalid label key ${JSON.stringify(key)}: ${keyErrors.join('; ')}`;
  const unfit = operandComplaint(operator, values);
  if (unfit !== undefined) return unfit;
  for (const value of values) {
    const errors = checkLabelValue(value);
    if (errors.length > 0)
      return `invalid label value: ${JSON.stringify(value)}: at key: ${JSON.stringify(key)}: ${errors.join('; ')}`;
  }
  return undefined;
}

function operandComplaint(operator: Operator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case 'exists':
    case '!':
      return values.length > 0 ? 'values set must be empty for exists and does not exist' : undefined;
    case 'gt':
    case 'lt':
      if (values.length !== 1) return "for 'Gt', 'Lt' operators, exactly one value is required";
      return values.every((value) => INTEGER.test(value))
        ? undefined
        : "for 'Gt', 'Lt' operators, the value must be an integer";
    default:
      return values.length !== 1 ? 'exact-match compatibility requires one single value' : undefined;
  }
}

/** Whether labels meet one requirement. */
export function meets({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    default:
      return value !== undefined && INTEGER.test(value) && compareIntegers(value, values[0] as string, operator);
  }
}

function compareIntegers(value: string, bound: string, operator: 'gt' | 'lt'): boolean {
  const [a, b] = [BigInt(value.replace('+', '')), BigInt(bound.replace('+', ''))];
  return operator === 'gt' ? a > b : a < b;
}

function requirementText({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
    case 'lt':
      return `${key}${operator === 'gt' ? '>' : '<'}${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

class Conjunction implements Selector {
  readonly requirements: readonly Requirement[];
  readonly matchesNothing = false;

  constructor(requirements: readonly Requirement[]) {
    this.requirements = requirements;
  }

  get matchesEverything(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    return this.requirements.every((one) => meets(one, labels ?? {}));
  }

  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

/** The selector that asks for all of the requirements. */
export function selectorOf(requirements: readonly Requirement[]): Selector {
  return new Conjunction([...requirements].sort((a, b) => byText(a.key, b.key)));
}

export const everything: Selector = new Conjunction([]);

export const nothing: Selector = {
  requirements: [],
  matchesNothing: true,
  matchesEverything: false,
  matches: () => false,
  toString: () => '',
};

/** The selector for exactly these labels; without labels it matches everything. */
export function selectorOfLabels(labels: Labels | undefined): Selector {
  return selectorOf(Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })));
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

/** These are known where nodes are selected only. */
const COMPARING: ReadonlySet<string> = new Set(['Gt', 'Lt']);

const compiled = new WeakMap<LabelSelector, Selector>();

/**
 * The selector of a LabelSelector object that no longer changes: absent matches nothing, an empty one everything. An
 * object that validation would refuse matches nothing.
 */
export function selectorOfObject(object: LabelSelector | null | undefined): Selector {
  if (object == null) return nothing;
  const known = compiled.get(object);
  if (known) return known;
  const parsed = parseSelectorObject(object);
  const made = 'error' in parsed ? nothing : parsed;
  compiled.set(object, made);
  return made;
}

/** The selector of a LabelSelector object, or what is wrong with it. */
export function parseSelectorObject(object: LabelSelector | null | undefined): Selector | { readonly error: string } {
  if (object == null) return nothing;
  const made = [
    ...Object.entries(object.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value])),
    ...(object.matchExpressions ?? []).map((one) =>
      COMPARING.has(one.operator) ? unknownOperator(one) : expression(one),
    ),
  ];
  const wrong = made.find((one) => 'error' in one);
  return wrong ?? selectorOf(made as Requirement[]);
}

/** One `matchExpressions` item as a requirement, or what is wrong with it. */
export function expression({
  key,
  operator,
  values,
}: LabelSelectorRequirement): Requirement | { readonly error: string } {
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  return known ? requirement(key, known, values ?? []) : unknownOperator({ operator });
}

const unknownOperator = ({ operator }: { readonly operator: string }): { readonly error: string } => ({
  error: `${JSON.stringify(operator)} is not a valid selector operator`,
});

/** The canonical text of a LabelSelector object, as in a scale's `status.selector`. */
export function labelSelectorText(object: LabelSelector | null | undefined): string {
  return selectorOfObject(object).toString();
}
