/** Whether a volume has what a claim asks for. Pure functions over objects. */
import type { PersistentVolume } from '../core/persistentVolume.ts';
import type { PersistentVolumeClaim } from '../core/persistentVolumeClaim.ts';
import { selectorOfObject } from './labelSelector.ts';
import { quantityOf } from './quantity.ts';

type Volume = Pick<PersistentVolume, 'metadata' | 'spec'>;
type Claim = Pick<PersistentVolumeClaim, 'metadata' | 'spec'>;

/** Whether a volume names this claim: for good, or as somebody has put it down before the claim was there. */
export function isReservedFor(volume: Volume, claim: Claim): boolean {
  const reference = volume.spec?.claimRef;
  const { namespace, name, uid } = claim.metadata ?? {};
  return (
    reference !== undefined &&
    reference.namespace === namespace &&
    reference.name === name &&
    (!reference.uid || reference.uid === uid)
  );
}

/** Whether a claim could be bound to a volume: it is free or kept for the claim, large enough, and of the kind that is asked for. */
export function satisfies(volume: Volume, claim: Claim): boolean {
  const { metadata, spec } = volume;
  const wanted = claim.spec;
  const reserved = isReservedFor(volume, claim);
  if (spec?.claimRef !== undefined && !reserved) return false;
  if (metadata?.deletionTimestamp !== undefined) return false;
  if ((spec?.volumeMode ?? 'Filesystem') !== (wanted?.volumeMode ?? 'Filesystem')) return false;
  const enough = quantityOf(spec?.capacity?.storage).compare(quantityOf(wanted?.resources?.requests?.storage)) >= 0;
  if (!enough) return false;
  if (reserved) return true;
  if ((spec?.storageClassName ?? '') !== (wanted?.storageClassName ?? '')) return false;
  if (!(wanted?.accessModes ?? []).every((mode) => (spec?.accessModes ?? []).includes(mode))) return false;
  return wanted?.selector === undefined || selectorOfObject(wanted.selector).matches(metadata?.labels ?? {});
}

/** The volume to bind a claim to: one that is kept for it, else the smallest that will do. */
export function bestVolumeFor<V extends Volume>(claim: Claim, volumes: readonly V[]): V | undefined {
  const fitting = volumes.filter((volume) => satisfies(volume, claim));
  const size = (volume: V): ReturnType<typeof quantityOf> => quantityOf(volume.spec?.capacity?.storage);
  return fitting.find((volume) => isReservedFor(volume, claim)) ?? fitting.sort((a, b) => size(a).compare(size(b)))[0];
}
