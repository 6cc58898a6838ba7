import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { Listers } from '../framework/plugin.ts';

/** The claims of a pod's volumes in order; undefined for missing ones. */
export function claimsOf(
  pod: Pod,
  listers: Listers,
): { readonly name: string; readonly claim: PersistentVolumeClaim | undefined }[] {
  const namespace = pod.metadata.namespace ?? '';
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const name = volume.persistentVolumeClaim?.claimName;
    return name === undefined ? [] : [{ name, claim: listers.claim(namespace, name) }];
  });
}

/** The volumes bound to a pod's claims. */
export function volumesOf(pod: Pod, listers: Listers): PersistentVolume[] {
  return claimsOf(pod, listers).flatMap(({ claim }) => {
    const volume = claim?.spec.volumeName ? listers.volume(claim.spec.volumeName) : undefined;
    return volume ? [volume] : [];
  });
}

/** Whether a claim is fully bound: it names its volume, and a controller has confirmed it. */
export function isBound(claim: PersistentVolumeClaim, listers: Listers): boolean {
  return (
    Boolean(claim.spec.volumeName) &&
    claim.metadata.annotations?.[listers.names.fill('pv.{label}/bind-completed')] !== undefined
  );
}

/** The class of a claim or volume; the older annotation precedes the field. */
export const classOf = (
  { metadata, spec }: Pick<PersistentVolumeClaim | PersistentVolume, 'metadata' | 'spec'>,
  names: Names,
): string => metadata.annotations?.[names.fill('volume.beta.{label}/storage-class')] ?? spec.storageClassName ?? '';
