import type { PersistentVolume, PersistentVolumeClaim } from '../../client/index.ts';
import { bestVolumeFor, matchesNodeSelector } from '../../schema/index.ts';
import { plugin, refuseForGood, type Cycle, type Listers, type Refusal } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { claimsOf, isBound } from './volumes.ts';

interface State {
  readonly bound: readonly PersistentVolume[];
  /** Claims that are bound only once their pod has a node. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

/** How each delayed claim gets its volume on a node: one that is there, or one that is to be made there. */
export type Bindings = readonly {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume | undefined;
}[];

function prepareFilter({ pod, listers }: Cycle): State | Refusal {
  const bound: PersistentVolume[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let immediate = false;
  for (const { name, claim } of claimsOf(pod, listers)) {
    if (!claim) return refuseForGood(`persistentvolumeclaim ${JSON.stringify(name)} not found`);
    if (claim.metadata.deletionTimestamp !== undefined)
      return refuseForGood(`persistentvolumeclaim ${JSON.stringify(name)} is being deleted`);
    const volume = isBound(claim, listers) ? listers.volume(claim.spec.volumeName ?? '') : undefined;
    if (volume) bound.push(volume);
    else if (isDelayed(claim, listers)) delayed.push(claim);
    else immediate = true;
  }
  return immediate ? refuseForGood('pod has unbound immediate PersistentVolumeClaims') : { bound, delayed };
}

function isDelayed(claim: PersistentVolumeClaim, listers: Listers): boolean {
  return listers.storageClass(classOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer' && !claim.spec.volumeName;
}

const classOf = (claim: PersistentVolumeClaim): string => claim.spec.storageClassName ?? '';

function reaches(volume: PersistentVolume, node: NodeInfo): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node);
}

/** How the claims could be bound with the pod on this node; undefined where one of them could not. */
export function planBindings(
  claims: readonly PersistentVolumeClaim[],
  node: NodeInfo,
  listers: Listers,
): Bindings | undefined {
  const taken = new Set<string>();
  const bindings: { claim: PersistentVolumeClaim; volume: PersistentVolume | undefined }[] = [];
  for (const claim of claims) {
    const free = listers.volumes().filter((volume) => !taken.has(volume.metadata.name ?? '') && reaches(volume, node));
    const volume = bestVolumeFor(claim, free);
    if (!volume && !canProvision(claim, node, listers)) return undefined;
    if (volume) taken.add(volume.metadata.name ?? '');
    bindings.push({ claim, volume });
  }
  return bindings;
}

function canProvision(claim: PersistentVolumeClaim, node: NodeInfo, listers: Listers): boolean {
  const storageClass = listers.storageClass(classOf(claim));
  if (!storageClass || storageClass.provisioner === listers.names.fill('{label}/no-provisioner')) return false;
  const topologies = storageClass.allowedTopologies ?? [];
  return (
    topologies.length === 0 ||
    topologies.some((term) =>
      (term.matchLabelExpressions ?? []).every(({ key, values }) => (values ?? []).includes(node.labels[key] ?? '')),
    )
  );
}

/** The claims of a pod that are to be bound when it has its node. */
export function delayedClaims(cycle: Cycle): readonly PersistentVolumeClaim[] {
  return claimsOf(cycle.pod, cycle.listers).flatMap(({ claim }) =>
    claim && !isBound(claim, cycle.listers) && isDelayed(claim, cycle.listers) ? [claim] : [],
  );
}

/** Keeps pods to nodes that their volumes reach, or where volumes for them can be found or made. */
export const volumeBinding = plugin<State, void>({
  name: 'VolumeBinding',
  prepareFilter,
  filter({ listers }, node, { bound, delayed }) {
    const reasons: string[] = [];
    if (!bound.every((volume) => reaches(volume, node))) reasons.push('node(s) had volume node affinity conflict');
    if (!planBindings(delayed, node, listers)) reasons.push("node(s) didn't find available persistent volumes to bind");
    return reasons.length > 0 ? refuseForGood(...reasons) : undefined;
  },
});
