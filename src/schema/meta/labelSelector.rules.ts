/** The rules for LabelSelector objects. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import {
  parseSelectorObject,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Selector,
} from '../values/labelSelector.ts';
import { checkQualifiedName } from '../values/names.ts';
import { complaints, each, type Errors } from './checks.ts';
import { validateLabels } from './objectMeta.rules.ts';

export function* validateLabelSelector(selector: LabelSelector | undefined | null, path: Path): Errors {
  if (!selector) return;
  yield* validateLabels(selector.matchLabels, path.child('matchLabels'));
  yield* each(selector.matchExpressions, path.child('matchExpressions'), validateRequirement);
}

function* validateRequirement({ key, operator, values = [] }: LabelSelectorRequirement, path: Path): Errors {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0)
      yield field.required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0)
      yield field.forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else yield field.invalid(path.child('operator'), operator, 'not a valid selector operator');
  yield* complaints(path.child('key'), key, checkQualifiedName(key));
}

/** The parsed selector; undefined if it is invalid, which is reported elsewhere. */
export function readSelector(selector: LabelSelector | null | undefined): Selector | undefined {
  const parsed = parseSelectorObject(selector);
  return 'error' in parsed ? undefined : parsed;
}
