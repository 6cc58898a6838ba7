import { nameOf } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';
import type { Deployment, ReplicaSet } from '../../client/index.ts';
import { scaledValue } from '../../schema/index.ts';
import type { Keys } from './keys.ts';
import { parseCount } from './integers.ts';

/** The arithmetic of a rollout: the desired size of each replica set. Pure functions. */

export const sizeOf = (set: ReplicaSet): number => set.spec.replicas ?? 0;
export const totalOf = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + sizeOf(set), 0);
export const availableOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, set) => sum + (set.status.availableReplicas ?? 0), 0);
export const isRolling = (deployment: Deployment): boolean => deployment.spec.strategy?.type === 'RollingUpdate';
const wantedOf = (deployment: Deployment): number => deployment.spec.replicas ?? 1;

/** The surge and unavailable counts of a rollout; never both 0, or it could not progress. */
function fenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: surge = 0, maxUnavailable: unavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const wanted = wantedOf(deployment);
  const above = scaledValue(surge, wanted, 'up') ?? 0;
  const below = scaledValue(unavailable, wanted, 'down') ?? 0;
  return { surge: above, unavailable: above === 0 && below === 0 ? 1 : below };
}

export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailable(deployment: Deployment): number {
  const wanted = wantedOf(deployment);
  return isRolling(deployment) && wanted > 0 ? Math.min(fenceposts(deployment).unavailable, wanted) : 0;
}

/** The size that the newest replica set may have now. */
export function newSetSize(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = wantedOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + maxSurge(deployment) - totalOf(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

/** The new sizes of replica sets that change. */
export type Sizes = ReadonlyMap<ReplicaSet, number>;

/**
 * How far old replica sets may shrink while enough pods stay available: first unhealthy pods, then the others, oldest
 * sets first. If both affect one set, they are separate writes, as in the reference.
 */
export function shrinkOld(deployment: Deployment, old: readonly ReplicaSet[], newest: ReplicaSet): Sizes {
  const sizes = new Map<ReplicaSet, number>();
  const all = [...old, newest];
  const atLeast = wantedOf(deployment) - maxUnavailable(deployment);
  const newUnavailable = sizeOf(newest) - (newest.status.availableReplicas ?? 0);
  let room = totalOf(all) - atLeast - newUnavailable;
  if (totalOf(old) === 0 || room <= 0) return sizes;
  const byAge = [...old].sort(olderFirst);
  for (const set of byAge) {
    const unhealthy = Math.min(Math.max(0, room), sizeOf(set) - (set.status.availableReplicas ?? 0));
    if (unhealthy <= 0) continue;
    sizes.set(set, sizeOf(set) - unhealthy);
    room -= unhealthy;
  }
  let spare = availableOf(all) - atLeast;
  const others = new Map<ReplicaSet, number>();
  for (const set of byAge) {
    const size = sizes.get(set) ?? sizeOf(set);
    const fewer = Math.min(size, Math.max(0, spare));
    if (fewer > 0 && !sizes.has(set)) others.set(set, size - fewer);
    spare -= fewer;
  }
  return new Map([...sizes, ...others]);
}

/** Proportional scaling: distributes a change of the desired number over several replica sets during a rollout. */
export function spread(deployment: Deployment, active: readonly ReplicaSet[], keys: Keys): Sizes {
  const wanted = wantedOf(deployment);
  const toAdd = (wanted > 0 ? wanted + maxSurge(deployment) : 0) - totalOf(active);
  const order = [...active].sort((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? olderFirst(b, a) : olderFirst(a, b)));
  const sizes = new Map<ReplicaSet, number>();
  let added = 0;
  for (const set of order) {
    const share = shareOf(deployment, set, toAdd, added, keys);
    sizes.set(set, sizeOf(set) + share);
    added += share;
  }
  const largest = order[0];
  if (largest) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added));
  return sizes;
}

function shareOf(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number, keys: Keys): number {
  const left = toAdd - added;
  if (sizeOf(set) === 0 || toAdd === 0 || left === 0) return 0;
  const fraction = fractionOf(deployment, set, keys);
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

function fractionOf(deployment: Deployment, set: ReplicaSet, keys: Keys): number {
  const wanted = wantedOf(deployment);
  if (wanted === 0) return -sizeOf(set);
  const before = parseCount(getOwn(set.metadata.annotations, keys.max)) ?? deployment.status.replicas ?? 0;
  if (before === 0) return 0;
  return Math.round((sizeOf(set) * (wanted + maxSurge(deployment))) / before) - sizeOf(set);
}

export function olderFirst(a: ReplicaSet, b: ReplicaSet): number {
  const [first = '', second = ''] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (first !== second) return first < second ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
