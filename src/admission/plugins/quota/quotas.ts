/** Quotas and amounts for the calculation. */
import { getOwn, setOwn } from '../../../std/index.ts';
import { quantityOf, type objects, type Quantity } from '../../../schema/index.ts';
import type { PluginDeps } from '../../types.ts';

export type Quota = objects.ResourceQuota;
/** By the name of the resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** A namespace's currently stored quotas. */
export const quotasIn = (namespace: string, { list }: Pick<PluginDeps, 'list'>): readonly Quota[] =>
  list({ group: '', resource: 'resourcequotas' }, namespace) as readonly Quota[];

/** A quota with increased usage in its status. */
export function withMoreUsed(quota: Quota, requested: Amounts): Quota {
  const used = { ...quota.status?.used };
  for (const [name, amount] of requested) setOwn(used, name, quantityOf(getOwn(used, name)).add(amount).toString());
  return { ...quota, status: { ...quota.status, used } };
}
