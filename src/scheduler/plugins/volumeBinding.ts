import type { Bindings } from '../assumedVolumes.ts';
import { getOwn } from '../../std/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../client/index.ts';
import { bestVolumeFor, matchesNodeSelector, quantityOf } from '../../schema/index.ts';
import { plugin, refuseForGood, type Cycle, type Listers, type Refusal } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { claimsOf, classOf, isBound } from './volumes.ts';

/** A claim with delayed binding, and the volumes that match on some node. */
interface DelayedClaim {
  readonly claim: PersistentVolumeClaim;
  readonly volumes: readonly PersistentVolume[];
}

interface State {
  readonly bound: readonly PersistentVolume[];
  /** Ordered by size, smallest first. */
  readonly delayed: readonly DelayedClaim[];
}

const UNBOUND = 'pod has unbound immediate PersistentVolumeClaims';
const NOT_FOUND = "node(s) didn't find available persistent volumes to bind";
const CONFLICT = 'node(s) had volume node affinity conflict';

function prepareFilter({ pod, listers }: Cycle): State | Refusal {
  const bound: PersistentVolume[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let hasImmediate = false;
  for (const { name, claim } of claimsOf(pod, listers)) {
    if (!claim) return refuseForGood(`persistentvolumeclaim ${JSON.stringify(name)} not found`);
    if (claim.metadata.deletionTimestamp !== undefined)
      return refuseForGood(`persistentvolumeclaim ${JSON.stringify(name)} is being deleted`);
    const volume = isBound(claim, listers) ? listers.volume(claim.spec.volumeName ?? '') : undefined;
    if (volume) bound.push(volume);
    else if (isDelayed(claim, listers)) delayed.push(claim);
    else hasImmediate = true;
  }
  return hasImmediate ? refuseForGood(UNBOUND) : { bound, delayed: withVolumes(delayed, listers) };
}

function isDelayed(claim: PersistentVolumeClaim, listers: Listers): boolean {
  return (
    listers.storageClass(classOf(claim, listers.names))?.volumeBindingMode === 'WaitForFirstConsumer' &&
    !claim.spec.volumeName
  );
}

function withVolumes(claims: readonly PersistentVolumeClaim[], listers: Listers): DelayedClaim[] {
  const size = ({ spec }: PersistentVolumeClaim): ReturnType<typeof quantityOf> =>
    quantityOf(spec.resources?.requests?.['storage']);
  return [...claims]
    .sort((a, b) => size(a).compare(size(b)))
    .map((claim) => ({
      claim,
      volumes: listers
        .volumesOfClass(classOf(claim, listers.names))
        .filter(
          (volume) =>
            !listers.assumed.isTaken(volume, claim) && bestVolumeFor(claim, [volume], listers.names) !== undefined,
        ),
    }));
}

function reaches(volume: PersistentVolume, node: NodeInfo): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node);
}

/** How the claims can be bound with the pod on this node; undefined if one can't be bound. */
function planOn(delayed: readonly DelayedClaim[], node: NodeInfo, listers: Listers): Bindings | undefined {
  const taken = new Set<PersistentVolume>();
  const bindings: { claim: PersistentVolumeClaim; volume: PersistentVolume | undefined }[] = [];
  for (const { claim, volumes } of delayed) {
    const selected = selectedNode(claim, listers);
    if (selected !== undefined && selected !== node.name) return undefined;
    const free = selected === undefined ? volumes.filter((v) => !taken.has(v) && reaches(v, node)) : [];
    const volume = bestVolumeFor(claim, free, listers.names);
    if (!volume && !canProvision(claim, node, listers)) return undefined;
    if (volume) taken.add(volume);
    bindings.push({ claim, volume });
  }
  return bindings;
}

/** The node for which the claim's volume is already being provisioned, for this pod or another. */
const selectedNode = (claim: PersistentVolumeClaim, { names, assumed }: Listers): string | undefined =>
  claim.metadata.annotations?.[names.fill('volume.{label}/selected-node')] ?? assumed.nodeOf(claim);

function canProvision(claim: PersistentVolumeClaim, node: NodeInfo, listers: Listers): boolean {
  const storageClass = listers.storageClass(classOf(claim, listers.names));
  if (!storageClass || storageClass.provisioner === listers.names.fill('{label}/no-provisioner')) return false;
  const topologies = storageClass.allowedTopologies ?? [];
  return (
    topologies.length === 0 ||
    topologies.some((term) =>
      (term.matchLabelExpressions ?? []).every(({ key, values }) =>
        (values ?? []).includes(getOwn(node.labels, key) ?? ''),
      ),
    )
  );
}

/** How the pod's delayed claims are bound on a node that passed the filter. Throws if that is no longer possible. */
export function bindingsFor(cycle: Cycle, node: NodeInfo): Bindings {
  const state = prepareFilter(cycle);
  const bindings = 'delayed' in state ? planOn(state.delayed, node, cycle.listers) : undefined;
  if (!bindings) throw new Error('the volumes that were found are gone');
  return bindings;
}

/** Whether a pod has claims that may need binding. */
export const hasClaims = ({ pod }: Pick<Cycle, 'pod'>): boolean =>
  (pod.spec.volumes ?? []).some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined);

/** Requires nodes that can access the pod's volumes, or where volumes can be found or provisioned. */
export const volumeBinding = plugin<State, void>({
  name: 'VolumeBinding',
  concerns: hasClaims,
  prepareFilter,
  filter({ listers }, node, { bound, delayed }) {
    const reasons: string[] = [];
    if (!bound.every((volume) => reaches(volume, node))) reasons.push(CONFLICT);
    if (!planOn(delayed, node, listers)) reasons.push(NOT_FOUND);
    return reasons.length > 0 ? refuseForGood(...reasons) : undefined;
  },
  facts: ({ listers }, node, { bound, delayed }) => [
    ...bound.map((volume) => ({ volume: volume.metadata.name ?? '', reaches: reaches(volume, node) })),
    ...delayed.map((claim) => ({
      claim: claim.claim.metadata.name ?? '',
      volumes: claim.volumes.filter((volume) => reaches(volume, node)).length,
      canProvision: canProvision(claim.claim, node, listers),
    })),
  ],
});
