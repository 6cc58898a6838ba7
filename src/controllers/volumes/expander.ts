/**
 * Expansion: a bound claim that requests more than its capacity is expanded by its volume's provisioner. Volumes of the
 * simulated provisioner are expanded here; for others an event says that an external controller is awaited.
 *
 * Watches claims.
 */
import {
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
  type Informer,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { quantityOf, storageClassOf } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { wakeOn, type ControllerContext } from '../runtime/index.ts';
import { bindingAnnotations, SIMULATED_PROVISIONER } from './annotations.ts';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

export type ExpansionPlan = 'nothing' | 'waitForDriver' | 'expand';

/** The action for a claim's size. `volume` is the volume that it names, if it exists. */
export function planExpansion(claim: Claim, volume: Volume | undefined, names: Names): ExpansionPlan {
  const { requests } = claim.spec.resources ?? {};
  if (claim.status.phase !== 'Bound' || !volume || volume.spec.claimRef?.uid !== claim.metadata.uid) return 'nothing';
  if (quantityOf(requests?.storage).compare(quantityOf(claim.status.capacity?.storage)) <= 0) return 'nothing';
  if (storageClassOf(claim, names) === '') return 'nothing';
  const maker = getOwn(volume.metadata.annotations, bindingAnnotations(names).provisionedBy);
  return maker === SIMULATED_PROVISIONER ? 'expand' : 'waitForDriver';
}

class Expander {
  readonly #context: ControllerContext;
  readonly #claims: Informer<Claim>;
  readonly #volumes: Informer<Volume>;
  readonly #classes: Informer<StorageClass>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#claims = context.informers.of(persistentVolumeClaims);
    this.#volumes = context.informers.of(persistentVolumes);
    this.#classes = context.informers.of(storageClasses);
    const loop = context.loop({ reconcile: (key) => this.#reconcile(key) });
    wakeOn(loop, this.#claims);
  }

  async #reconcile(key: string): Promise<void> {
    const { names, recorder } = this.#context;
    const claim = this.#claims.get(key);
    const volume = claim && this.#volumes.get(claim.spec.volumeName ?? '');
    if (!claim || !volume) return;
    const plan = planExpansion(claim, volume, names);
    if (plan === 'expand') return this.#expand(claim, volume);
    if (plan === 'nothing' || !this.#classes.get(storageClassOf(claim, names))) return;
    const message =
      "Ignoring the PVC: didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC.";
    recorder.record(claim, 'Warning', 'ExternalExpanding', message);
  }

  /** The volume first: a claim never reports more capacity than its volume. */
  async #expand(claim: Claim, volume: Volume): Promise<void> {
    const { client, recorder } = this.#context;
    const storage = claim.spec.resources?.requests?.storage ?? '';
    await client.of(persistentVolumes).patch(volume, 'merge', { spec: { capacity: { storage } } });
    const status = { ...claim.status, capacity: { ...claim.status.capacity, storage } };
    await client.of(persistentVolumeClaims).updateStatus({ ...claim, status });
    const message = `ExpandVolume succeeded for volume ${claim.metadata.namespace}/${claim.metadata.name}`;
    recorder.record(claim, 'Normal', 'VolumeResizeSuccessful', message);
  }
}

export function startExpander(context: ControllerContext): void {
  new Expander(context);
}
