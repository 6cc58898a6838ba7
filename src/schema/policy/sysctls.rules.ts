/** The rules for lists of sysctls, whose entries may end in a star. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { each, type Errors } from '../meta/checks.ts';

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const FORMAT = `(${SEGMENT}\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`;
const PATTERN = new RegExp(`^${FORMAT}$`);
const MAX_LENGTH = 253;

interface Lists {
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly forbiddenSysctls?: readonly string[];
}

export function* validateSysctlLists(lists: Lists, path: Path): Errors {
  const { allowedUnsafeSysctls: allowed = [], forbiddenSysctls: forbidden = [] } = lists;
  const [allowedAt, forbiddenAt] = [path.child('allowedUnsafeSysctls'), path.child('forbiddenSysctls')];
  yield* validateList(allowed, allowedAt);
  yield* validateList(forbidden, forbiddenAt);
  yield* each(allowed, allowedAt, (entry, at) => findOverlaps(entry, at, forbidden, forbiddenAt));
}

function* validateList(sysctls: readonly string[], path: Path): Errors {
  const detail = `must have at most ${MAX_LENGTH} characters and match regex ${FORMAT}`;
  yield* each(sysctls, path, (sysctl, at) => {
    if (sysctl === '') return [field.invalid(at, sysctl, 'empty sysctl not allowed')];
    return sysctl.length <= MAX_LENGTH && PATTERN.test(sysctl) ? [] : [field.invalid(at, sysctl, detail)];
  });
  if (sysctls.includes('*') && sysctls.length > 1)
    yield field.forbidden(path.child('items'), "if '*' is present, must not specify other sysctls");
}

/** What is both allowed and forbidden is reported at the narrower of the two. */
function* findOverlaps(allowed: string, path: Path, forbidden: readonly string[], forbiddenPath: Path): Errors {
  for (const [i, entry] of forbidden.entries()) {
    if (covers(entry, allowed)) yield field.invalid(path, allowed, `sysctl overlaps with ${entry}`);
    else if (covers(allowed, entry))
      yield field.invalid(forbiddenPath.index(i), entry, `sysctl overlaps with ${allowed}`);
  }
}

const covers = (wide: string, narrow: string): boolean =>
  wide === narrow || (wide.endsWith('*') && narrow.replace(/\*$/, '').startsWith(wide.slice(0, -1)));
