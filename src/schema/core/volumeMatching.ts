/** Whether a volume matches a claim. Pure functions over objects. */
import type { Names } from '../../names/index.ts';
import { getOwn } from '../../std/index.ts';
import type { PersistentVolume } from './persistentVolume.ts';
import type { PersistentVolumeClaim } from './persistentVolumeClaim.ts';
import { selectorOfObject } from '../values/labelSelector.ts';
import { quantityOf } from '../values/quantity.ts';

type Volume = Pick<PersistentVolume, 'metadata' | 'spec'>;
type Claim = Pick<PersistentVolumeClaim, 'metadata' | 'spec'>;

/** Whether a volume names this claim: bound to it, or reserved for it before the claim existed. */
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

/** The storage class of a claim or a volume: the older annotation precedes the field. Empty without one. */
export function storageClassOf({ metadata, spec }: Volume | Claim, names: Names): string {
  const annotation = getOwn(metadata?.annotations, names.fill('volume.beta.{label}/storage-class'));
  return annotation ?? spec?.storageClassName ?? '';
}

/** Whether both use a volume in the same way: as a file system or as a block device. */
export function sameVolumeMode(volume: Volume, claim: Claim): boolean {
  return (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');
}

/** Whether a volume can be used in all the modes that a claim asks for. */
export function offersAccessModes(volume: Volume, claim: Claim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => (volume.spec?.accessModes ?? []).includes(mode));
}

/** Whether a volume has the capacity that a claim asks for. */
export function isLargeEnough(volume: Volume, claim: Claim): boolean {
  return sizeOf(volume).compare(quantityOf(claim.spec?.resources?.requests?.storage)) >= 0;
}

const sizeOf = (volume: Volume): ReturnType<typeof quantityOf> => quantityOf(volume.spec?.capacity?.storage);

/**
 * Whether a claim could be bound to a volume: it is unbound or reserved for the claim, large enough, and of the
 * requested kind.
 */
export function satisfies(volume: Volume, claim: Claim, names: Names): boolean {
  const { metadata, spec } = volume;
  const wanted = claim.spec;
  const reserved = isReservedFor(volume, claim);
  if (spec?.claimRef !== undefined && !reserved) return false;
  if (metadata?.deletionTimestamp !== undefined) return false;
  if (!sameVolumeMode(volume, claim) || !isLargeEnough(volume, claim)) return false;
  if (reserved) return true;
  if (storageClassOf(volume, names) !== storageClassOf(claim, names)) return false;
  if (!offersAccessModes(volume, claim)) return false;
  return wanted?.selector === undefined || selectorOfObject(wanted.selector).matches(metadata?.labels ?? {});
}

/** The volume to bind a claim to: one that is kept for it, else the smallest that will do. */
export function bestVolumeFor<V extends Volume>(claim: Claim, volumes: readonly V[], names: Names): V | undefined {
  const fitting = volumes.filter((volume) => satisfies(volume, claim, names));
  return (
    fitting.find((volume) => isReservedFor(volume, claim)) ?? fitting.sort((a, b) => sizeOf(a).compare(sizeOf(b)))[0]
  );
}

/** The name under which a node's status tells of a storage driver's volume. */
export function attachedVolumeName({ spec }: Pick<PersistentVolume, 'spec'>, names: Names): string {
  const { driver = '', volumeHandle = '' } = spec?.csi ?? {};
  return `${names.fill('{label}/csi')}/${driver}^${volumeHandle}`;
}
