/**
 * Protection of claims and volumes: objects in use are not deleted. A claim keeps its finalizer while a pod uses it, a
 * volume while it is bound.
 *
 * Watches claims, volumes and pods.
 */
import {
  persistentVolumeClaims,
  persistentVolumes,
  pods as podsRef,
  type Client,
  type Informer,
  type PersistentVolumeClaim,
  type Pod,
  type ResourceRef,
} from '../../client/index.ts';
import { found, type ApiObject } from '../../schema/index.ts';
import { wakeOn, wakingBy, type ControllerContext } from '../runtime/index.ts';

/** The action for the finalizer: objects without it, created before the admission plugin was active, get it here. */
export function planFinalizer(object: ApiObject, finalizer: string, inUse: boolean): 'add' | 'remove' | undefined {
  const has = object.metadata.finalizers?.includes(finalizer) ?? false;
  if (object.metadata.deletionTimestamp === undefined) return has ? undefined : 'add';
  return has && !inUse ? 'remove' : undefined;
}

async function setFinalizer<T extends ApiObject>(
  client: Client,
  ref: ResourceRef<T>,
  object: T,
  finalizer: string,
  present: boolean,
): Promise<void> {
  const others = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
  const finalizers = present ? [...others, finalizer] : others;
  await found(client.of(ref).update({ ...object, metadata: { ...object.metadata, finalizers } }));
}

/** The keys of the claims in a pod's volumes. */
export function claimsOf(pod: Pod): string[] {
  const names = (pod.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  return names.map((name) => `${pod.metadata.namespace}/${name}`);
}

/** A scheduled pod uses its claims until it is deleted, even after it has ended. */
const uses = (pod: Pod): boolean => Boolean(pod.spec.nodeName);

export function startClaimProtection(context: ControllerContext): void {
  const finalizer = context.names.fill('{label}/pvc-protection');
  const claims: Informer<PersistentVolumeClaim> = context.informers.of(persistentVolumeClaims);
  const pods = context.informers.of(podsRef);
  pods.addIndex('claim', claimsOf);
  const loop = context.loop({
    reconcile: async (key) => {
      const claim = claims.get(key);
      if (!claim) return;
      const step = planFinalizer(claim, finalizer, pods.by('claim', key).some(uses));
      if (step) await setFinalizer(context.client, persistentVolumeClaims, claim, finalizer, step === 'add');
    },
  });
  wakeOn(loop, claims);
  const wake = (pod: Pod): void => claimsOf(pod).forEach((key) => loop.add(key, () => wakingBy(pod, 'deleted')));
  pods.on({ deleted: wake });
}

export function startVolumeProtection(context: ControllerContext): void {
  const finalizer = context.names.fill('{label}/pv-protection');
  const volumes = context.informers.of(persistentVolumes);
  const loop = context.loop({
    reconcile: async (key) => {
      const volume = volumes.get(key);
      const step = volume && planFinalizer(volume, finalizer, volume.status.phase === 'Bound');
      if (step) await setFinalizer(context.client, persistentVolumes, volume, finalizer, step === 'add');
    },
  });
  wakeOn(loop, volumes);
}
