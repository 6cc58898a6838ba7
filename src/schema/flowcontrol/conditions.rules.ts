/** The rules for conditions of flow schemas and priority levels. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import { each, present, type Errors } from '../meta/checks.ts';

const CONDITIONS = Path.of('status', 'conditions');

export function* validateConditions(conditions: readonly { readonly type?: string }[] = []): Errors {
  const types = conditions.map(({ type = '' }) => type);
  yield* each(types, CONDITIONS, function* (type, at, i) {
    if (types.indexOf(type) < i) yield field.duplicate(at.child('type'), type);
    yield* present(type, at.child('type'), 'must not be empty');
  });
}
