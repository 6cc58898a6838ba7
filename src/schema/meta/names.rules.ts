/** The rules for domain names that have to have several parts. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import type { Errors } from './checks.ts';

/** A domain name with two parts at least; a trailing dot is taken. */
export function* validateDomainName(text: string, path: Path): Errors {
  if (text === '') return yield field.required(path);
  const name = text.replace(/\.$/, '');
  const wrong = checkSubdomain(name);
  if (wrong.length > 0) return yield field.invalid(path, name, wrong.join(','));
  const labels = name.split('.');
  if (labels.length < 2)
    return yield field.invalid(path, name, 'should be a domain with at least two segments separated by dots');
  const bad = labels.find((label) => checkLabel(label).length > 0);
  if (bad !== undefined) yield field.invalid(path, bad, checkLabel(bad).join(','));
}

/** A name with three parts at least: names of webhooks. */
export function* validateQualifiedDomain(name: string, path: Path): Errors {
  if (name === '') return yield field.required(path);
  const wrong = checkSubdomain(name);
  if (wrong.length > 0) yield field.invalid(path, name, wrong.join(','));
  else if (name.split('.').length < 3)
    yield field.invalid(path, name, 'should be a domain with at least three segments separated by dots');
}
