import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import {
  isLargeEnough,
  isReservedFor,
  offersAccessModes,
  quantityOf,
  sameVolumeMode,
  satisfies,
  storageClassOf,
} from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { bindingAnnotations, isAnnotated } from './annotations.ts';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

export interface Announcement {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export type ClaimPlan =
  | { readonly do: 'bind'; readonly volume: Volume }
  /** The claim stays pending; the event says why. */
  | { readonly do: 'wait'; readonly event?: Announcement }
  | { readonly do: 'provision'; readonly storageClass: StorageClass }
  | { readonly do: 'lose'; readonly event: Announcement };

/** The other objects that affect a claim. */
export interface Surroundings {
  readonly names: Names;
  readonly volumes: readonly Volume[];
  readonly volume: (name: string) => Volume | undefined;
  readonly storageClass: (name: string) => StorageClass | undefined;
  /** Names of the unscheduled pods that use the claim. */
  readonly waitingPods: readonly string[];
}

const normal = (reason: string, message: string): Announcement => ({ type: 'Normal', reason, message });
const warning = (reason: string, message: string): Announcement => ({ type: 'Warning', reason, message });

/** The action for a claim. */
export function planClaim(claim: Claim, surroundings: Surroundings): ClaimPlan {
  if (isAnnotated(claim, bindingAnnotations(surroundings.names).completed)) return planBound(claim, surroundings);
  return claim.spec.volumeName ? planRequested(claim, surroundings) : planUnbound(claim, surroundings);
}

function planBound(claim: Claim, { volume: volumeOf }: Surroundings): ClaimPlan {
  const lost = (reason: string, message: string): ClaimPlan => ({ do: 'lose', event: warning(reason, message) });
  if (!claim.spec.volumeName)
    return lost('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  const volume = volumeOf(claim.spec.volumeName);
  if (!volume) return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  if (volume.spec.claimRef === undefined || volume.spec.claimRef.uid === claim.metadata.uid)
    return { do: 'bind', volume };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The claim names a particular volume. */
function planRequested(claim: Claim, { volume: volumeOf, names }: Surroundings): ClaimPlan {
  const volume = volumeOf(claim.spec.volumeName ?? '');
  if (!volume) return { do: 'wait' };
  if (volume.spec.claimRef !== undefined) {
    if (isReservedFor(volume, claim)) return { do: 'bind', volume };
    const message = `volume ${JSON.stringify(volume.metadata.name)} already bound to a different claim.`;
    return { do: 'wait', event: warning('FailedBinding', message) };
  }
  const mismatch = mismatchOf(volume, claim, names);
  if (mismatch === undefined) return { do: 'bind', volume };
  const message = `Cannot bind to requested volume ${JSON.stringify(volume.metadata.name)}: ${mismatch}`;
  return { do: 'wait', event: warning('VolumeMismatch', message) };
}

/** Why a named volume does not match the claim. */
export function mismatchOf(volume: Volume, claim: Claim, names: Names): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return 'the volume is marked for deletion';
  if (!isLargeEnough(volume, claim)) return 'requested PV is too small';
  if (storageClassOf(volume, names) !== storageClassOf(claim, names)) return 'storageClassName does not match';
  if (!sameVolumeMode(volume, claim)) return 'incompatible volumeMode';
  return offersAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

function planUnbound(claim: Claim, surroundings: Surroundings): ClaimPlan {
  const { names, storageClass: classOf, waitingPods } = surroundings;
  const className = storageClassOf(claim, names);
  const storageClass = className === '' ? undefined : classOf(className);
  const isDelayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = matchingVolume(claim, surroundings.volumes, names, isDelayed);
  if (volume) return { do: 'bind', volume };
  if (isDelayed && !isAnnotated(claim, bindingAnnotations(names).selectedNode))
    return { do: 'wait', event: waitForPod(waitingPods) };
  if (storageClass) return { do: 'provision', storageClass };
  if (className === '')
    return {
      do: 'wait',
      event: normal('FailedBinding', 'no persistent volumes available for this claim and no storage class is set'),
    };
  const message = `storageclass.${names.fill('storage.{domain}')} ${JSON.stringify(className)} not found`;
  return { do: 'wait', event: warning('ProvisioningFailed', message) };
}

function waitForPod(pods: readonly string[]): Announcement {
  if (pods.length === 0)
    return normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  const which = pods.length > 1 ? `pods ${pods.join()}` : `pod ${pods[0]}`;
  return normal('WaitForPodScheduled', `waiting for ${which} to be scheduled`);
}

/**
 * The volume to bind a claim to. Among the volumes with the fewest extra access modes: one reserved for the claim, else
 * the smallest. If binding waits for the scheduler only a reserved volume matches.
 */
export function matchingVolume(
  claim: Claim,
  volumes: readonly Volume[],
  names: Names,
  isDelayed: boolean,
): Volume | undefined {
  const modes = (volume: Volume): number => volume.spec.accessModes?.length ?? 0;
  const kept = (volume: Volume): boolean => isReservedFor(volume, claim);
  const size = (volume: Volume): ReturnType<typeof quantityOf> => quantityOf(volume.spec.capacity?.storage);
  const fitting = volumes.filter(
    (volume) =>
      (kept(volume) || (!isDelayed && volume.status.phase === 'Available')) &&
      offersAccessModes(volume, claim) &&
      satisfies(volume, claim, names),
  );
  return fitting.sort(
    (a, b) => modes(a) - modes(b) || Number(kept(b)) - Number(kept(a)) || size(a).compare(size(b)),
  )[0];
}

export type VolumePlan =
  | { readonly do: 'phase'; readonly phase: 'Available' | 'Bound' }
  /** Its claim was deleted: it becomes Released, then is deleted, recycled or retained by its policy. */
  | { readonly do: 'reclaim' }
  /** Its claim is bound to another volume. */
  | { readonly do: 'unbind' }
  /** Its claim exists and does not name it yet. */
  | { readonly do: 'wakeClaim' }
  /** Its claim can never name it. */
  | { readonly do: 'refuse' };

/** The action for a volume. `claim` is the claim that it names, if it exists. */
export function planVolume(volume: Volume, claim: Claim | undefined, names: Names): VolumePlan {
  const reference = volume.spec.claimRef;
  if (reference === undefined || !reference.uid) return { do: 'phase', phase: 'Available' };
  if (!claim || claim.metadata.uid !== reference.uid) return { do: 'reclaim' };
  const { volumeName = '' } = claim.spec;
  if (volumeName === '') return { do: sameVolumeMode(volume, claim) ? 'wakeClaim' : 'refuse' };
  if (volumeName === volume.metadata.name) return { do: 'phase', phase: 'Bound' };
  const isDisposable =
    isAnnotated(volume, bindingAnnotations(names).provisionedBy) &&
    volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  return { do: isDisposable ? 'reclaim' : 'unbind' };
}

export type Deletion = 'delete' | 'leaveToProvisioner' | { readonly failure: string };

/** What deletes a released volume, depending on its provisioner and type. */
export function planDeletion(volume: Volume, simulated: string, names: Names): Deletion {
  const { provisionedBy } = bindingAnnotations(names);
  const maker = getOwn(volume.metadata.annotations, provisionedBy) ?? '';
  if (maker === simulated) return 'delete';
  if (maker !== '' && !maker.startsWith(`${names.label}/`)) return 'leaveToProvisioner';
  const path = volume.spec.hostPath?.path;
  if (path !== undefined && /\/tmp\/.+/.test(path)) return 'delete';
  if (path !== undefined) return { failure: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
  const name = JSON.stringify(volume.metadata.name);
  return { failure: `Error getting deleter volume plugin for volume ${name}: no deletable volume plugin matched` };
}
