/** Quotas and amounts, for those who charge. */
import { getOwn, setOwn } from '../../../std/index.ts';
import { quantityOf, type objects, type Quantity } from '../../../schema/index.ts';
import type { PluginDeps } from '../../types.ts';

export type Quota = objects.ResourceQuota;
/** By the name of the resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** A namespace's quotas as they are stored right now. */
export const quotasIn = (namespace: string, { list }: Pick<PluginDeps, 'list'>): readonly Quota[] =>
  list({ group: '', resource: 'resourcequotas' }, namespace) as readonly Quota[];

/** A quota whose status says that this much more is used. */
export function withMoreUsed(quota: Quota, requested: Amounts): Quota {
  const used = { ...quota.status?.used };
  for (const [name, amount] of requested) setOwn(used, name, quantityOf(getOwn(used, name)).add(amount).toString());
  return { ...quota, status: { ...quota.status, used } };
}
