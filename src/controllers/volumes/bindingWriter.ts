import { found } from '../../schema/index.ts';
import {
  nameOf,
  persistentVolumeClaims,
  persistentVolumes,
  type Informer,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from '../../client/index.ts';

import { sameStatus, waitForCache, type ControllerContext } from '../runtime/index.ts';
import { annotated, bindingAnnotations, isAnnotated, type BindingAnnotations } from './annotations.ts';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

/** Writes bindings and phases, and waits until the caches contain them. */
export class BindingWriter {
  readonly claims: Informer<Claim>;
  readonly volumes: Informer<Volume>;
  readonly #context: ControllerContext;
  readonly #annotations: BindingAnnotations;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#annotations = bindingAnnotations(context.names);
    this.claims = context.informers.of(persistentVolumeClaims);
    this.volumes = context.informers.of(persistentVolumes);
  }

  /** Binds both sides, the volume first, so that an interrupted binding can be resumed. */
  async bind(claim: Claim, volume: Volume): Promise<void> {
    const reserved = await this.#reserve(claim, volume);
    const bound = await this.volumePhase(reserved, 'Bound');
    const taken = await this.#take(claim, bound);
    await this.claimPhase(taken, 'Bound', bound);
  }

  async #reserve(claim: Claim, volume: Volume): Promise<Volume> {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    if (volume.spec.claimRef?.uid === uid && volume.spec.claimRef?.name === name) return volume;
    const own = volume.spec.claimRef === undefined ? { [this.#annotations.byController]: 'yes' } : {};
    const claimRef = {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    };
    return this.updateVolume(volume, {
      ...volume,
      metadata: annotated(volume.metadata, own),
      spec: { ...volume.spec, claimRef },
    });
  }

  async #take(claim: Claim, volume: Volume): Promise<Claim> {
    const { completed, byController } = this.#annotations;
    const isTaken = claim.spec.volumeName === volume.metadata.name;
    if (isTaken && isAnnotated(claim, completed)) return claim;
    const annotations = { [completed]: 'yes', ...(isTaken ? {} : { [byController]: 'yes' }) };
    return this.updateClaim(claim, {
      ...claim,
      metadata: annotated(claim.metadata, annotations),
      spec: { ...claim.spec, volumeName: nameOf(volume) },
    });
  }

  /**
   * The claim gets the volume's capacity when it is bound. Later it stays: an expanded volume may still contain a
   * smaller file system.
   */
  async claimPhase(claim: Claim, phase: 'Pending' | 'Bound' | 'Lost', volume?: Volume): Promise<void> {
    const { accessModes: _modes, capacity, ...bare } = claim.status;
    const keeps = claim.status.phase === phase && capacity !== undefined;
    const held = volume
      ? { accessModes: volume.spec.accessModes ?? [], capacity: keeps ? capacity : { ...volume.spec.capacity } }
      : {};
    const status = { ...bare, phase, ...held };
    if (sameStatus(status, claim.status)) return;
    const written = await found(this.#context.client.of(persistentVolumeClaims).updateStatus({ ...claim, status }));
    if (written) await seen(this.claims, claim, written);
  }

  async volumePhase(volume: Volume, phase: string, message?: string): Promise<Volume> {
    if (volume.status.phase === phase && (volume.status.message ?? '') === (message ?? '')) return volume;
    const { message: _, ...status } = volume.status;
    const next = { ...volume, status: { ...status, phase, ...(message === undefined ? {} : { message }) } };
    return seen(this.volumes, volume, await this.#context.client.of(persistentVolumes).updateStatus(next));
  }

  /** Makes a volume available again. A reservation by a user stays. */
  async unbind(volume: Volume): Promise<void> {
    const { claimRef, ...spec } = volume.spec;
    const { [this.#annotations.byController]: mark, ...annotations } = volume.metadata.annotations ?? {};
    const { uid: _, ...kept } = claimRef ?? {};
    const freed = await this.updateVolume(volume, {
      ...volume,
      metadata: { ...volume.metadata, annotations },
      spec: mark === undefined && claimRef ? { ...spec, claimRef: kept } : spec,
    });
    await this.volumePhase(freed, 'Available');
  }

  async updateClaim(before: Claim, next: Claim): Promise<Claim> {
    return seen(this.claims, before, await this.#context.client.of(persistentVolumeClaims).update(next));
  }

  async updateVolume(before: Volume, next: Volume): Promise<Volume> {
    return seen(this.volumes, before, await this.#context.client.of(persistentVolumes).update(next));
  }
}

async function seen<T extends Claim | Volume>(cache: Informer<T>, before: T, written: T): Promise<T> {
  await waitForCache(cache, written, before);
  return written;
}
