/** The rules for numbers that may be percentages. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { intValue, percentOf, type IntOrString } from '../values/intOrString.ts';
import { checkPercent } from '../values/names.ts';
import { complaints, nonNegative, type Errors } from './checks.ts';

/** A number that is not negative, or a percentage. */
export function* validateIntOrPercent(value: IntOrString, path: Path): Errors {
  if (typeof value === 'number') yield* nonNegative(value, path);
  else yield* complaints(path, value, checkPercent(value));
}

/** The number, or the percentage's number. */
export const amountOf = (value: IntOrString): number => percentOf(value) ?? intValue(value);

export function* validateAtMost100Percent(value: IntOrString, path: Path): Errors {
  if ((percentOf(value) ?? 0) > 100) yield field.invalid(path, value, 'must not be greater than 100%');
}
