/** Names of resources, and the rules for amounts of them: requests, limits, quotas, capacities. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import type { FieldErrors, Path } from '../define/fieldErrors.ts';
import type { Names } from '../../names/index.ts';
import { complaints, type Errors } from '../meta/checks.ts';
import { quantityOf } from '../values/quantity.ts';
import { checkQualifiedName } from '../values/names.ts';
import type { ResourceRequirements } from './container.ts';

export type Amounts = Readonly<Record<string, string>>;

const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COMPUTE_TOTALS = COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const CONTAINER_RESOURCES = new Set(COMPUTE);
const QUOTA_RESOURCES = new Set([...COMPUTE_TOTALS, 'requests.storage', ...COUNTED]);
const STANDARD_RESOURCES = new Set([...QUOTA_RESOURCES, 'storage']);
const WHOLE_RESOURCES = new Set(COUNTED);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');
export const isQuotaResource = (name: string): boolean => QUOTA_RESOURCES.has(name) || isQuotaHugePages(name);

/** Resources of the product itself; all others belong to somebody's device plugin. */
export const isNativeResource = (name: string, names: Names): boolean =>
  !name.includes('/') || name.includes(`${names.label}/`);

export function isExtendedResource(name: string, names: Names): boolean {
  return (
    !isNativeResource(name, names) &&
    !name.startsWith('requests.') &&
    checkQualifiedName(`requests.${name}`).length === 0
  );
}

/** Whether a container's request for a resource may be lower than its limit. */
export const isOvercommitAllowed = (name: string, names: Names): boolean =>
  isNativeResource(name, names) && !isHugePages(name);

/** A resource's name anywhere: standard, or with a domain. */
export function validateResourceName(name: string, path: Path): FieldErrors {
  const malformed = complaints(path, name, checkQualifiedName(name));
  if (malformed.length > 0 || name.includes('/') || STANDARD_RESOURCES.has(name) || isQuotaHugePages(name))
    return malformed;
  return [field.invalid(path, name, 'must be a standard resource type or fully qualified')];
}

export function* validateContainerResourceName(name: string, path: Path, names: Names): Errors {
  yield* validateResourceName(name, path);
  if (!name.includes('/')) {
    if (!CONTAINER_RESOURCES.has(name) && !isHugePages(name))
      yield field.invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNativeResource(name, names) && !isExtendedResource(name, names)) {
    yield field.invalid(path, name, "doesn't follow extended resource name standard");
  }
}

/** An amount: not negative, and whole where the resource is counted. */
export function* validateAmount(name: string, amount: string, path: Path, names: Names): Errors {
  const quantity = quantityOf(amount);
  if (quantity.sign < 0) yield field.invalid(path, amount, 'must be greater than or equal to 0');
  const whole = WHOLE_RESOURCES.has(name) || isExtendedResource(name, names);
  if (whole && quantity.scaled(-3) % 1000n !== 0n) yield field.invalid(path, amount, 'must be an integer');
}

/** Validates a container's requests and limits. */
export function* validateRequirements(
  { limits = {}, requests = {} }: ResourceRequirements,
  path: Path,
  names: Names,
): Errors {
  yield* validateAmounts(limits, path.child('limits'), names);
  for (const [name, amount] of Object.entries(requests)) {
    const at = path.child('requests').key(name);
    yield* validateContainerResourceName(name, at, names);
    yield* validateAmount(name, amount, at, names);
    yield* validateRequest(name, amount, getOwn(limits, name), path, names);
  }
  const all = [...Object.keys(limits), ...Object.keys(requests)];
  if (all.some(isHugePages) && !all.includes('cpu') && !all.includes('memory'))
    yield field.forbidden(path, 'HugePages require cpu or memory');
}

function* validateAmounts(amounts: Amounts, path: Path, names: Names): Errors {
  for (const [name, amount] of Object.entries(amounts)) {
    yield* validateContainerResourceName(name, path.key(name), names);
    yield* validateAmount(name, amount, path.key(name), names);
  }
}

function* validateRequest(name: string, request: string, limit: string | undefined, path: Path, names: Names): Errors {
  const overcommit = isOvercommitAllowed(name, names);
  if (limit === undefined) {
    if (!overcommit) yield field.required(path.child('limits'), 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = quantityOf(request).compare(quantityOf(limit));
  if (order !== 0 && !overcommit)
    yield field.invalid(path.child('requests'), request, `must be equal to ${name} limit`);
  else if (order > 0)
    yield field.invalid(path.child('requests'), request, `must be less than or equal to ${name} limit`);
}
