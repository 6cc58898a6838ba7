// The rules for the resources that a webhook is called for: `pods`, `pods/status`, `pods/*`, `*`, `*/scale`, `*/*`.
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { each, type Errors } from '../meta/checks.ts';

export function* validateResources(resources: readonly string[], path: Path): Errors {
  if (resources.length === 0) yield field.required(path);
  yield* each(resources, path, (text, at, i) =>
    text === '' ? [field.required(at)] : validateResource(text, resources.slice(0, i), at),
  );
  if (resources.length > 1 && resources.includes('*/*'))
    yield field.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  // The reference only remembers the last of the resources without a subresource.
  const last = resources.findLast((text) => text !== '' && !text.includes('/'));
  if (resources.includes('*') && last !== undefined && last !== '*')
    yield field.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
}

/** A subresource that an earlier entry has already covered with a star. */
function* validateResource(text: string, earlier: readonly string[], path: Path): Errors {
  const slash = text.indexOf('/');
  if (slash < 0) return;
  for (const wider of [`${text.slice(0, slash)}/*`, `*/${text.slice(slash + 1)}`]) {
    if (earlier.includes(wider)) yield field.invalid(path, text, `if '${wider}' is present, must not specify ${text}`);
  }
}
