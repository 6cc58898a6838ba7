/** What work of jq costs besides the steps of its filter: about as many steps as the time it takes. */
import { isObject } from '../../std/index.ts';

/** After so many steps a filter is given up. */
export const MOST_STEPS = 5_000_000;
/** Some milliseconds of work. */
export const STEPS_OF_A_TURN = 20_000;

const ITEMS_PER_STEP = 32;
const LETTERS_PER_STEP = 64;

/** Steps for a copy of a list, an object or a text; what is in them is not copied. */
export function copyCost(value: unknown): number {
  if (typeof value === 'string') return value.length / LETTERS_PER_STEP;
  if (Array.isArray(value)) return value.length / ITEMS_PER_STEP;
  return isObject(value) ? Object.keys(value).length : 0;
}

/** Steps for an operation. */
export function operationCost(operator: string, a: unknown, b: unknown): number {
  // Texts that are added are not copied before they are read.
  if (operator === '+' && typeof a === 'string') return 0;
  // Each item of the one is compared with each of the other.
  if (operator === '-' && Array.isArray(a) && Array.isArray(b)) return a.length * b.length;
  return copyCost(a) + copyCost(b);
}
