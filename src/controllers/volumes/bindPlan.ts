import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { bestVolumeFor, isReservedFor } from '../../schema/index.ts';

/** The annotations by which the parts that bind volumes talk to each other. */
export interface Notes {
  /** The claim's binding is complete. */
  readonly completed: string;
  /** The binding was made by a controller, not by whoever wrote the object. */
  readonly byController: string;
  /** The node that the scheduler has chosen for the claim's pod. */
  readonly selectedNode: string;
  /** Who is to make a volume for the claim. */
  readonly provisioner: string;
  /** Who made the volume. */
  readonly provisionedBy: string;
}

export function notesOf(names: Names): Notes {
  return {
    completed: names.fill('pv.{label}/bind-completed'),
    byController: names.fill('pv.{label}/bound-by-controller'),
    selectedNode: names.fill('volume.{label}/selected-node'),
    provisioner: names.fill('volume.beta.{label}/storage-provisioner'),
    provisionedBy: names.fill('pv.{label}/provisioned-by'),
  };
}

export type ClaimPlan =
  | { readonly do: 'bind'; readonly volume: PersistentVolume }
  | { readonly do: 'wait'; readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
  | { readonly do: 'provision'; readonly storageClass: StorageClass }
  | { readonly do: 'lose'; readonly reason: string; readonly message: string }
  | { readonly do: 'nothing' };

export interface Shelf {
  readonly volumes: readonly PersistentVolume[];
  readonly storageClass: (name: string) => StorageClass | undefined;
  readonly notes: Notes;
}

const noted = (claim: PersistentVolumeClaim, note: string): boolean => claim.metadata.annotations?.[note] !== undefined;

/** What is to be done for a claim. */
export function planClaim(claim: PersistentVolumeClaim, shelf: Shelf): ClaimPlan {
  return noted(claim, shelf.notes.completed) ? planBound(claim, shelf) : planUnbound(claim, shelf);
}

function planBound(claim: PersistentVolumeClaim, { volumes }: Shelf): ClaimPlan {
  const { volumeName = '' } = claim.spec;
  if (volumeName === '')
    return {
      do: 'lose',
      reason: 'ClaimLost',
      message: 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    };
  const volume = volumes.find((candidate) => candidate.metadata.name === volumeName);
  if (!volume)
    return {
      do: 'lose',
      reason: 'ClaimLost',
      message: 'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    };
  if (volume.spec.claimRef === undefined || volume.spec.claimRef.uid === claim.metadata.uid)
    return { do: 'bind', volume };
  return {
    do: 'lose',
    reason: 'ClaimMisbound',
    message: 'Two claims are bound to the same volume, this one is bound incorrectly',
  };
}

function planUnbound(claim: PersistentVolumeClaim, shelf: Shelf): ClaimPlan {
  const { volumeName = '' } = claim.spec;
  if (volumeName !== '') {
    const volume = shelf.volumes.find((candidate) => candidate.metadata.name === volumeName);
    const free = volume && (volume.spec.claimRef === undefined || isReservedFor(volume, claim));
    return free ? { do: 'bind', volume } : { do: 'nothing' };
  }
  const className = claim.spec.storageClassName ?? '';
  const storageClass = className === '' ? undefined : shelf.storageClass(className);
  const delayed = storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !noted(claim, shelf.notes.selectedNode);
  // The scheduler itself chooses for claims that wait for their pod, unless a volume is kept for the claim already.
  const candidates = delayed ? shelf.volumes.filter((volume) => isReservedFor(volume, claim)) : shelf.volumes;
  const volume = bestVolumeFor(claim, candidates);
  if (volume) return { do: 'bind', volume };
  if (delayed)
    return {
      do: 'wait',
      type: 'Normal',
      reason: 'WaitForFirstConsumer',
      message: 'waiting for first consumer to be created before binding',
    };
  if (storageClass) return { do: 'provision', storageClass };
  if (className !== '')
    return {
      do: 'wait',
      type: 'Warning',
      reason: 'ProvisioningFailed',
      message: `storage class ${JSON.stringify(className)} not found`,
    };
  return {
    do: 'wait',
    type: 'Normal',
    reason: 'FailedBinding',
    message: 'no persistent volumes available for this claim and no storage class is set',
  };
}

export type VolumePlan =
  | { readonly do: 'phase'; readonly phase: 'Available' | 'Bound' | 'Released' }
  /** Its claim is gone: it goes too, or is emptied for the next. */
  | { readonly do: 'delete' }
  | { readonly do: 'recycle' }
  /** Its claim has taken another volume. */
  | { readonly do: 'unbind' };

/** What is to be done for a volume. `claim` is the one that it names, if that is there. */
export function planVolume(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
  notes: Notes,
): VolumePlan {
  const reference = volume.spec.claimRef;
  if (reference === undefined || !reference.uid) return { do: 'phase', phase: 'Available' };
  if (!claim || claim.metadata.uid !== reference.uid) return planReleased(volume);
  const { volumeName = '' } = claim.spec;
  if (volumeName === volume.metadata.name) return { do: 'phase', phase: 'Bound' };
  if (volumeName === '') return { do: 'phase', phase: volume.status.phase === 'Bound' ? 'Bound' : 'Available' };
  const ours =
    volume.metadata.annotations?.[notes.provisionedBy] !== undefined &&
    volume.spec.persistentVolumeReclaimPolicy === 'Delete';
  return ours ? { do: 'delete' } : { do: 'unbind' };
}

function planReleased(volume: PersistentVolume): VolumePlan {
  if (volume.status.phase !== 'Released') return { do: 'phase', phase: 'Released' };
  const policy = volume.spec.persistentVolumeReclaimPolicy;
  if (policy === 'Delete') return { do: 'delete' };
  return policy === 'Recycle' ? { do: 'recycle' } : { do: 'phase', phase: 'Released' };
}
