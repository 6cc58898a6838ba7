/**
 * Claims and volumes: a claim gets the smallest volume that has what it asks for, at once or when its pod has a node;
 * a volume whose claim is gone is kept, emptied or deleted, as it says. Volumes of the class provisioner
 * `simulation.vitrine.dev/volumes` are made here; others wait for whoever makes them.
 *
 * Watches claims, volumes and storage classes.
 */
import {
  keyOf,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  type Draft,
  type Informer,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { sameStatus, wakeOn, type ControllerContext, type Loop, type Run } from '../runtime/index.ts';
import { notesOf, planClaim, planVolume, type ClaimPlan, type Notes } from './bindPlan.ts';

export const SIMULATED_PROVISIONER = 'simulation.vitrine.dev/volumes';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

class Binder {
  readonly #context: ControllerContext;
  readonly #notes: Notes;
  readonly #claims: Informer<Claim>;
  readonly #volumes: Informer<Volume>;
  readonly #classes: Informer<StorageClass>;

  constructor(context: ControllerContext) {
    const { informers, names } = context;
    this.#context = context;
    this.#notes = notesOf(names);
    this.#claims = informers.of(persistentVolumeClaims);
    this.#volumes = informers.of(persistentVolumes);
    this.#classes = informers.of(storageClasses);
    const claims = context.loop({
      name: 'persistentvolume-binder/claims',
      reconcile: (key, run) => this.#syncClaim(key, run),
    });
    const volumes = context.loop({
      name: 'persistentvolume-binder/volumes',
      reconcile: (key, run) => this.#syncVolume(key, run),
    });
    this.#watch(claims, volumes);
  }

  #watch(claims: Loop, volumes: Loop): void {
    const waiting = (): string[] =>
      this.#claims
        .list()
        .filter((claim) => claim.status.phase !== 'Bound')
        .map(keyOf);
    wakeOn(claims, this.#claims);
    wakeOn(volumes, this.#volumes);
    // A volume that comes free may be what a claim waits for; one that goes is missed by its claim.
    wakeOn(claims, this.#volumes, (volume) => [...claimOf(volume), ...waiting()]);
    wakeOn(claims, this.#classes, waiting);
    wakeOn(volumes, this.#claims, (claim) =>
      this.#volumes
        .list()
        .filter((volume) => claimOf(volume).includes(keyOf(claim)))
        .map(keyOf),
    );
  }

  async #syncClaim(key: string, run: Run): Promise<void> {
    const claim = this.#claims.get(key);
    if (!claim || claim.metadata.deletionTimestamp !== undefined) return;
    const plan = planClaim(claim, {
      volumes: this.#volumes.list(),
      storageClass: (name) => this.#classes.get(name),
      notes: this.#notes,
    });
    run.plan(plan.do === 'nothing' ? [] : [describe(plan)]);
    if (plan.do === 'bind') return this.#bind(claim, plan.volume);
    if (plan.do === 'lose') return this.#lose(claim, plan);
    if (plan.do === 'wait') this.#context.recorder.record(claim, plan.type, plan.reason, plan.message);
    if (plan.do === 'provision') return this.#provision(claim, plan.storageClass);
    await this.#claimPhase(claim, 'Pending');
  }

  async #syncVolume(name: string, run: Run): Promise<void> {
    const volume = this.#volumes.get(name);
    if (!volume) return;
    const [claimKey = ''] = claimOf(volume);
    const plan = planVolume(volume, this.#claims.get(claimKey), this.#notes);
    if (plan.do !== 'phase') run.plan([plan]);
    // A volume that is going is still told that its claim has gone: that is what its protection waits for.
    if (plan.do === 'phase') await this.#volumePhase(volume, plan.phase);
    if (volume.metadata.deletionTimestamp !== undefined) return;
    if (plan.do === 'delete') await this.#deleteVolume(volume);
    if (plan.do === 'unbind' || plan.do === 'recycle') await this.#free(volume);
  }

  /** Both sides name each other, the volume first: what is interrupted is taken up again from there. */
  async #bind(claim: Claim, volume: Volume): Promise<void> {
    const reserved = await this.#reserve(claim, volume);
    const bound = await this.#volumePhase(reserved, 'Bound');
    const taken = await this.#take(claim, bound);
    await this.#claimPhase(taken, 'Bound', bound);
  }

  async #reserve(claim: Claim, volume: Volume): Promise<Volume> {
    const { name, namespace, uid, resourceVersion } = claim.metadata;
    if (volume.spec.claimRef?.uid === uid && volume.spec.claimRef?.name === name) return volume;
    const own = volume.spec.claimRef === undefined ? { [this.#notes.byController]: 'yes' } : {};
    const claimRef = {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    };
    const next = { ...volume, metadata: withNotes(volume.metadata, own), spec: { ...volume.spec, claimRef } };
    return this.#seen(this.#volumes, volume, await this.#context.client.of(persistentVolumes).update(next));
  }

  async #take(claim: Claim, volume: Volume): Promise<Claim> {
    const { completed, byController } = this.#notes;
    const isTaken = claim.spec.volumeName === volume.metadata.name;
    if (isTaken && claim.metadata.annotations?.[completed] !== undefined) return claim;
    const notes = { [completed]: 'yes', ...(isTaken ? {} : { [byController]: 'yes' }) };
    const next = {
      ...claim,
      metadata: withNotes(claim.metadata, notes),
      spec: { ...claim.spec, volumeName: volume.metadata.name ?? '' },
    };
    return this.#seen(this.#claims, claim, await this.#context.client.of(persistentVolumeClaims).update(next));
  }

  async #claimPhase(claim: Claim, phase: string, volume?: Volume): Promise<void> {
    const held = volume ? { accessModes: volume.spec.accessModes ?? [], capacity: { ...volume.spec.capacity } } : {};
    const { accessModes: _a, capacity: _c, ...bare } = claim.status;
    const status = { ...(phase === 'Bound' ? claim.status : bare), phase, ...held };
    if (sameStatus(status, claim.status)) return;
    await this.#ignoringGone(
      async () =>
        void this.#seen(
          this.#claims,
          claim,
          await this.#context.client.of(persistentVolumeClaims).updateStatus({ ...claim, status }),
        ),
    );
  }

  async #volumePhase(volume: Volume, phase: string): Promise<Volume> {
    if (volume.status.phase === phase) return volume;
    const next = { ...volume, status: { ...volume.status, phase } };
    return this.#seen(this.#volumes, volume, await this.#context.client.of(persistentVolumes).updateStatus(next));
  }

  async #lose(claim: Claim, { reason, message }: ClaimPlan & { readonly do: 'lose' }): Promise<void> {
    if (claim.status.phase === 'Lost') return;
    await this.#claimPhase(claim, 'Lost');
    this.#context.recorder.record(claim, 'Warning', reason, message);
  }

  async #provision(claim: Claim, storageClass: StorageClass): Promise<void> {
    const { provisioner } = storageClass;
    const { recorder, names, client } = this.#context;
    if (provisioner === names.fill('{label}/no-provisioner')) return this.#claimPhase(claim, 'Pending');
    if (claim.metadata.annotations?.[this.#notes.provisioner] !== provisioner) {
      const next = { ...claim, metadata: withNotes(claim.metadata, { [this.#notes.provisioner]: provisioner }) };
      await this.#seen(this.#claims, claim, await client.of(persistentVolumeClaims).update(next));
      return;
    }
    if (provisioner === SIMULATED_PROVISIONER) return this.#make(claim, storageClass);
    const message = `waiting for a volume to be created, either by external provisioner ${JSON.stringify(provisioner)} or manually created by system administrator`;
    recorder.record(claim, 'Normal', 'ExternalProvisioning', message);
    await this.#claimPhase(claim, 'Pending');
  }

  async #make(claim: Claim, storageClass: StorageClass): Promise<void> {
    const name = `pvc-${claim.metadata.uid}`;
    try {
      const made = await this.#context.client
        .of(persistentVolumes)
        .create(volumeFor(name, claim, storageClass, this.#notes, this.#context.names.fill('{label}/hostname')));
      await this.#volumes.until(keyOf(made), (seen) => seen !== undefined);
      this.#context.recorder.record(
        claim,
        'Normal',
        'ProvisioningSucceeded',
        `Successfully provisioned volume ${name} using ${SIMULATED_PROVISIONER}`,
      );
    } catch (problem) {
      if (!isReason(problem, 'AlreadyExists')) throw problem;
    }
  }

  async #free(volume: Volume): Promise<void> {
    const { claimRef: _, ...spec } = volume.spec;
    const { [this.#notes.byController]: _note, ...annotations } = volume.metadata.annotations ?? {};
    await this.#context.client
      .of(persistentVolumes)
      .update({ ...volume, metadata: { ...volume.metadata, annotations }, spec });
  }

  async #deleteVolume(volume: Volume): Promise<void> {
    const maker = volume.metadata.annotations?.[this.#notes.provisionedBy];
    // A volume that somebody else has made is theirs to delete.
    if (maker !== SIMULATED_PROVISIONER) return;
    await this.#ignoringGone(async () => void (await this.#context.client.of(persistentVolumes).delete(volume)));
  }

  async #seen<T extends Claim | Volume>(cache: Informer<T>, before: T, written: T): Promise<T> {
    await cache.until(keyOf(written), (seen) => seen?.metadata.resourceVersion !== before.metadata.resourceVersion);
    return written;
  }

  async #ignoringGone(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }
}

function claimOf(volume: Volume): string[] {
  const reference = volume.spec.claimRef;
  return reference ? [`${reference.namespace}/${reference.name}`] : [];
}

function withNotes<M extends { annotations?: Record<string, string> }>(
  metadata: M,
  notes: Readonly<Record<string, string>>,
): M {
  return { ...metadata, annotations: { ...metadata.annotations, ...notes } };
}

function describe(plan: ClaimPlan): unknown {
  if (plan.do === 'bind') return { bind: plan.volume.metadata.name };
  return plan.do === 'provision' ? { provision: plan.storageClass.metadata.name } : plan;
}

/** A simulated volume: a directory on the node that the scheduler has chosen, or on any. */
function volumeFor(
  name: string,
  claim: Claim,
  storageClass: StorageClass,
  notes: Notes,
  hostname: string,
): Draft<Volume> {
  const { namespace = '', name: claimName = '', uid = '' } = claim.metadata;
  const node = claim.metadata.annotations?.[notes.selectedNode];
  const required = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: hostname, operator: 'In', values: [node ?? ''] }] }],
  };
  return {
    metadata: { name, annotations: { [notes.provisionedBy]: SIMULATED_PROVISIONER } },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '1Gi' },
      accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claimName, uid },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name ?? '',
      hostPath: { path: `/simulated/${namespace}/${claimName}` },
      ...(claim.spec.volumeMode ? { volumeMode: claim.spec.volumeMode } : {}),
      ...(node === undefined ? {} : { nodeAffinity: { required } }),
    },
  };
}

export function startVolumeBinder(context: ControllerContext): void {
  new Binder(context);
}
