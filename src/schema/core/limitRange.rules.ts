/** Limit ranges: what is prepared and checked before one is stored. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import type { Names } from '../../names/index.ts';
import { complaints, each, type Errors } from '../meta/checks.ts';
import { checkQualifiedName } from '../values/names.ts';
import { Quantity, quantityOf } from '../values/quantity.ts';
import type { LimitRange, LimitRangeItem } from './limitRange.ts';
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from './resources.rules.ts';

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];
const ONE = Quantity.of(1);

function* validateItem(item: LimitRangeItem, path: Path, { names }: RuleContext): Errors {
  yield* validateNames(item, path, names);
  if (
    item.type === 'PersistentVolumeClaim' &&
    item.min?.['storage'] === undefined &&
    item.max?.['storage'] === undefined
  ) {
    yield field.required(
      path.child('limits'),
      'either minimum or maximum storage value is required, but neither was provided',
    );
  }
  yield* validateResourceNames(item, 'maxLimitRequestRatio', path, names);
  for (const name of resourcesOf(item)) yield* validateBounds(item, name, path, names);
}

type Amounts = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

function* validateNames(item: LimitRangeItem, path: Path, names: Names): Errors {
  yield* validateResourceNames(item, 'max', path, names);
  yield* validateResourceNames(item, 'min', path, names);
  for (const amounts of ['default', 'defaultRequest'] as const) {
    if (item.type !== 'Pod') yield* validateResourceNames(item, amounts, path, names);
    else if (Object.keys(item[amounts] ?? {}).length > 0)
      yield field.forbidden(path.child(amounts), "may not be specified when `type` is 'Pod'");
  }
}

function* validateResourceNames(item: LimitRangeItem, amounts: Amounts, path: Path, names: Names): Errors {
  for (const name of Object.keys(item[amounts] ?? {})) {
    const at = path.child(amounts).key(name);
    if (item.type === 'Pod' || item.type === 'Container') yield* validateContainerResourceName(name, at, names);
    else yield* validateResourceName(name, at);
  }
}

function resourcesOf({ max, min, maxLimitRequestRatio, type, ...item }: LimitRangeItem): ReadonlySet<string> {
  const defaults = type === 'Pod' ? {} : { ...item.default, ...item.defaultRequest };
  return new Set(Object.keys({ ...max, ...min, ...defaults, ...maxLimitRequestRatio }));
}

/** The bounds of one resource must be consistent: min ≤ default request ≤ default ≤ max, and the ratio within them. */
function* validateBounds(item: LimitRangeItem, name: string, path: Path, names: Names): Errors {
  const read = (amounts: Amounts): Quantity | undefined => {
    const text = item.type === 'Pod' && amounts.startsWith('default') ? undefined : getOwn(item[amounts], name);
    return text === undefined ? undefined : quantityOf(text);
  };
  const [min, max, limit, request, ratio] = [
    read('min'),
    read('max'),
    read('default'),
    read('defaultRequest'),
    read('maxLimitRequestRatio'),
  ];
  const at = (amounts: Amounts): Path => path.child(amounts).key(name);
  const above = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
    a !== undefined && b !== undefined && a.compare(b) > 0;
  const wrong = (amounts: Amounts, detail: string): Errors => [
    field.invalid(at(amounts), String(read(amounts)), detail),
  ];
  if (above(min, max)) yield* wrong('min', `min value ${min} is greater than max value ${max}`);
  if (above(min, request))
    yield* wrong('defaultRequest', `min value ${min} is greater than default request value ${request}`);
  if (above(request, max))
    yield* wrong('defaultRequest', `default request value ${request} is greater than max value ${max}`);
  if (above(request, limit))
    yield* wrong('defaultRequest', `default request value ${request} is greater than default limit value ${limit}`);
  if (above(min, limit)) yield* wrong('default', `min value ${min} is greater than default value ${limit}`);
  if (above(limit, max)) yield* wrong('default', `default value ${limit} is greater than max value ${max}`);
  if (above(ONE, ratio)) yield* wrong('maxLimitRequestRatio', `ratio ${ratio} is less than 1`);
  if (ratio && min && max && ratio.milliValue() / 1000 > max.milliValue() / min.milliValue()) {
    yield* wrong(
      'maxLimitRequestRatio',
      `ratio ${ratio} is greater than max/min = ${(max.milliValue() / min.milliValue()).toFixed(6)}`,
    );
  }
  if (limit && request && !isOvercommitAllowed(name, names) && !limit.equals(request)) {
    yield* wrong('defaultRequest', `default value ${limit} must equal to defaultRequest value ${request} in ${name}`);
  }
}

function* validate({ spec }: LimitRange, context: RuleContext): Errors {
  const types = new Set<string>();
  yield* each(spec.limits, Path.of('spec', 'limits'), function* (item, at) {
    const wrong = checkQualifiedName(item.type);
    yield* complaints(at.child('type'), item.type, wrong);
    if (wrong.length === 0 && !item.type.includes('/') && !TYPES.includes(item.type))
      yield field.invalid(at.child('type'), item.type, 'must be a standard limit type or fully qualified');
    if (types.has(item.type)) yield field.duplicate(at.child('type'), item.type);
    types.add(item.type);
    yield* validateItem(item, at, context);
  });
}

export const limitRangeRules: Rules<LimitRange> = {
  createOnUpdate: 'object',
  prepareCreate: ({ metadata }, { uuid }) => {
    // A limit range without a name is stored under a unique name, regardless of its generateName.
    if (!metadata.name) metadata.name = uuid();
  },
  validate: (object, context) => [...validate(object, context)],
  updateChecks: ['alone'],
};
