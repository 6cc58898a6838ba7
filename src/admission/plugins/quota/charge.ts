/** Computes the usage of a request, and checks it against the quotas. */
import { getOwn } from '../../../std/index.ts';
import { evaluatorOf, Quantity, quantityOf, type ApiObject, type Evaluator } from '../../../schema/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../../types.ts';
import { refuse } from '../refuse.ts';
import { requireCovered, type LimitedResource } from './limitedResources.ts';
import { withMoreUsed, type Amounts, type Quota } from './quotas.ts';

/**
 * The quotas with their usage after a request; unaffected ones are the same values. Throws StatusError (403) if a quota
 * would be exceeded, or can't be evaluated.
 */
export function charged(
  attributes: AdmissionAttributes,
  quotas: readonly Quota[],
  { names, clock }: PluginDeps,
  limited: readonly LimitedResource[],
): readonly Quota[] {
  const object = attributes.object as ApiObject;
  const evaluator = evaluatorOf(attributes.resource, names);
  const covering = quotas.filter((quota) => measured(quota, evaluator).length > 0 && evaluator.matches(quota, object));
  for (const quota of covering) requireKnown(attributes, quota, evaluator);
  const delta = deltaOf(attributes, evaluator, clock.now());
  if ([...delta.values()].every((amount) => amount.isZero)) return quotas;
  requireCovered(attributes, evaluator, delta, limited, { all: quotas, covering });
  return quotas.map((quota) => (covering.includes(quota) ? chargedQuota(attributes, quota, delta) : quota));
}

const measured = (quota: Quota, evaluator: Evaluator): string[] =>
  Object.keys(quota.status?.hard ?? {}).filter((name) => evaluator.measures(name));

function requireKnown(attributes: AdmissionAttributes, quota: Quota, evaluator: Evaluator): void {
  const names = measured(quota, evaluator);
  const missing = evaluator.missing(names, attributes.object as ApiObject);
  const name = quota.metadata?.name ?? '';
  if (missing.length > 0) throw refuse(attributes, `failed quota: ${name}: must specify ${missing.join(',')}`);
  if (names.some((resource) => getOwn(quota.status?.used, resource) === undefined))
    throw refuse(attributes, `status unknown for quota: ${name}, resources: ${names.sort().join(',')}`);
}

/** The additional usage. An update adds its difference; decreases are subtracted at the next recalculation. */
function deltaOf(attributes: AdmissionAttributes, evaluator: Evaluator, now: number): Amounts {
  const usage = evaluator.usage(attributes.object as ApiObject, now);
  const negative = [...usage].filter(([, amount]) => amount.sign < 0).map(([name]) => name);
  if (negative.length > 0)
    throw refuse(attributes, `quota usage is negative for resource(s): ${negative.sort().join(',')}`);
  const { oldObject } = attributes;
  if (attributes.operation !== 'UPDATE' || !oldObject?.metadata.resourceVersion) return usage;
  const before = evaluator.usage(oldObject, now);
  const grown = (name: string, amount: Quantity): Quantity => {
    const difference = amount.sub(before.get(name) ?? Quantity.zero);
    return difference.sign < 0 ? Quantity.zero : difference;
  };
  return new Map([...usage].map(([name, amount]) => [name, grown(name, amount)]));
}

function chargedQuota(attributes: AdmissionAttributes, quota: Quota, delta: Amounts): Quota {
  const requested = new Map([...delta].filter(([name]) => getOwn(quota.status?.hard, name) !== undefined));
  requireRoom(attributes, quota, requested);
  return [...requested.values()].every((amount) => amount.isZero) ? quota : withMoreUsed(quota, requested);
}

function requireRoom(attributes: AdmissionAttributes, quota: Quota, requested: Amounts): void {
  const used = quota.status?.used ?? {};
  const hard = quota.status?.hard ?? {};
  const over = [...requested]
    .filter(
      ([name, amount]) =>
        quantityOf(getOwn(used, name))
          .add(amount)
          .compare(quantityOf(getOwn(hard, name))) > 0,
    )
    .map(([name]) => name)
    .sort();
  if (over.length === 0) return;
  const show = (value: (name: string) => string): string => over.map((name) => `${name}=${value(name)}`).join(',');
  const parts = [
    `requested: ${show((n) => requested.get(n)?.toString() ?? '0')}`,
    `used: ${show((n) => getOwn(used, n) ?? '0')}`,
    `limited: ${show((n) => getOwn(hard, n) ?? '0')}`,
  ];
  throw refuse(attributes, `exceeded quota: ${quota.metadata?.name ?? ''}, ${parts.join(', ')}`);
}
