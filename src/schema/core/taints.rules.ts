/** The rules for taints. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { complaints, each, oneOf, type Errors } from '../meta/checks.ts';
import { checkLabelValue, checkQualifiedName } from '../values/names.ts';

export const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export function* validateTaints(taints: readonly Taint[] | undefined, path: Path): Errors {
  const seen = new Set<string>();
  yield* each(taints, path, function* ({ key, value = '', effect }, at) {
    yield* complaints(at.child('key'), key, checkQualifiedName(key));
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) yield field.invalid(at.child('value'), value, wrong.join(';'));
    if (effect === '') yield field.required(at.child('effect'));
    else yield* oneOf(effect, EFFECTS, at.child('effect'));
    const pair = `${effect}/${key}`;
    if (seen.has(pair)) yield field.duplicate(at, { key, value, effect });
    seen.add(pair);
  });
}
