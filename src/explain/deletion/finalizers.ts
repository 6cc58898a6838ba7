/** The finalizers that a cluster sets itself: who removes each, when, and what is lost when a person removes it. */
import { isObject } from '../../std/index.ts';
import type { KnownObject, World } from './world.ts';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

export interface KnownFinalizer {
  readonly finalizer: string;
  /** The controller's name, as the flag `--controllers` has it; `apiserver` for the API server itself. */
  readonly party: string;
  /** What it does before it removes the finalizer. */
  readonly task: string;
  /** What removing it by hand loses. */
  readonly loses: string;
  /** Objects that have to be gone before; empty where nothing holds it. */
  readonly heldBy: (object: KnownObject, world: World) => readonly KnownObject[];
}

const nothing = (): readonly KnownObject[] => [];

const KNOWN: readonly KnownFinalizer[] = [
  {
    finalizer: FOREGROUND,
    party: 'garbagecollector',
    task: 'deletes the dependants that block the owner',
    loses: 'Dependants that still exist are deleted afterwards, in the background.',
    heldBy: (object, world) => blockingDependents(object, world),
  },
  {
    finalizer: ORPHAN,
    party: 'garbagecollector',
    task: 'takes the owner references of its dependants away',
    loses: 'Dependants that still name it as their owner are deleted with it.',
    heldBy: nothing,
  },
  {
    finalizer: '{label}/pvc-protection',
    party: 'pvc-protection',
    task: 'waits until no pod uses the claim',
    loses: 'Pods that use the claim lose their data while they run.',
    heldBy: (claim, world) => usersOf(claim, world),
  },
  {
    finalizer: '{label}/pv-protection',
    party: 'pv-protection',
    task: 'waits until the volume is not bound',
    loses: 'The claim that is bound to the volume is lost.',
    heldBy: (volume, world) => boundClaim(volume, world),
  },
  {
    finalizer: 'service.{label}/load-balancer-cleanup',
    party: 'service',
    task: 'removes the load balancer',
    loses: 'The load balancer stays, and still costs money.',
    heldBy: nothing,
  },
  {
    finalizer: 'customresourcecleanup.apiextensions.{domain}',
    party: 'apiserver',
    task: 'deletes all custom resources of this definition',
    loses: 'Custom resources stay in storage, and come back with a definition of the same name.',
    heldBy: (definition, world) => instancesOf(definition, world),
  },
];

/** What is known of a finalizer; undefined for one that somebody outside of the control plane set. */
export function knownFinalizer(finalizer: string, { names }: World): KnownFinalizer | undefined {
  return KNOWN.find((known) => names.fill(known.finalizer) === finalizer);
}

function blockingDependents(owner: KnownObject, world: World): readonly KnownObject[] {
  const { uid } = owner.metadata;
  return world
    .dependentsOf(owner)
    .filter((each) =>
      each.metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.blockOwnerDeletion),
    );
}

/** Pods that were placed on a node and mount the claim. */
export function usersOf(claim: KnownObject, world: World): readonly KnownObject[] {
  const { name, namespace = '' } = claim.metadata;
  return world
    .in(namespace)
    .filter((each) => each.kind === 'Pod' && isPlaced(each) && claimsOf(each).includes(name ?? ''));
}

const isPlaced = ({ spec }: KnownObject): boolean => isObject(spec) && Boolean(spec['nodeName']);

/** Names of the claims that a pod mounts. */
export function claimsOf({ spec }: KnownObject): readonly string[] {
  const volumes: unknown = isObject(spec) ? spec['volumes'] : undefined;
  if (!Array.isArray(volumes)) return [];
  return volumes.flatMap((volume: unknown) => {
    const source = isObject(volume) ? volume['persistentVolumeClaim'] : undefined;
    return isObject(source) && typeof source['claimName'] === 'string' ? [source['claimName']] : [];
  });
}

function boundClaim(volume: KnownObject, world: World): readonly KnownObject[] {
  const { status, spec } = volume;
  if (!isObject(status) || status['phase'] !== 'Bound') return [];
  const claim = isObject(spec) && isObject(spec['claimRef']) ? spec['claimRef'] : {};
  const { namespace, name } = claim;
  if (typeof namespace !== 'string' || typeof name !== 'string') return [];
  const found = world.find('v1', 'PersistentVolumeClaim', namespace, name);
  return found ? [found] : [];
}

/** Custom resources of a definition. */
export function instancesOf({ spec }: KnownObject, world: World): readonly KnownObject[] {
  if (!isObject(spec) || !isObject(spec['names'])) return [];
  return world.ofKind(String(spec['group']), String(spec['names']['kind']));
}
