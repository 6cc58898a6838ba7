/**
 * Binding of claims and volumes: a claim gets the best matching volume, immediately or once its pod has a node. A
 * released volume is retained, recycled or deleted by its policy. Volumes of the provisioner
 * `simulation.vitrine.dev/volumes` are created here.
 *
 * Watches claims, volumes and storage classes; looks up the pods that use a claim.
 */
import {
  keyOf,
  nameOf,
  pods as podsRef,
  storageClasses,
  type Informer,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
} from '../../client/index.ts';
import { storageClassOf } from '../../schema/index.ts';
import { wakeOn, type ControllerContext, type Loop, type Run } from '../runtime/index.ts';
import { BindingWriter } from './bindingWriter.ts';
import { planClaim, planVolume, type Announcement, type ClaimPlan } from './bindPlan.ts';
import { claimsOf } from './protection.ts';
import { Provisioner } from './provisioner.ts';
import { Reclaimer, recycledVolume } from './reclaimer.ts';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

class Binder {
  readonly #context: ControllerContext;
  readonly #writer: BindingWriter;
  readonly #provisioner: Provisioner;
  readonly #reclaimer: Reclaimer;
  readonly #classes: Informer<StorageClass>;
  readonly #pods: Informer<Pod>;
  readonly #claimLoop: Loop;
  /** Milliseconds after which a waiting claim is checked again without a change. */
  readonly #period: number;
  /** When each waiting claim was last handled. Changed volumes can bind it in between, but repeat no events. */
  readonly #lookedAt = new Map<string, number>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#period = context.flags.duration('pvclaimbinder-sync-period');
    this.#writer = new BindingWriter(context);
    this.#provisioner = new Provisioner(context, this.#writer);
    this.#reclaimer = new Reclaimer(context, this.#writer);
    this.#classes = context.informers.of(storageClasses);
    this.#pods = context.informers.of(podsRef);
    this.#claimLoop = context.loop({
      name: 'persistentvolume-binder/claims',
      reconcile: (key, run) => this.#syncClaim(key, run),
    });
    const volumeLoop = context.loop({
      name: 'persistentvolume-binder/volumes',
      reconcile: (key, run) => this.#syncVolume(key, run),
    });
    this.#watch(this.#claimLoop, volumeLoop);
  }

  #watch(claimLoop: Loop, volumeLoop: Loop): void {
    const { claims, volumes } = this.#writer;
    claims.addIndex('unbound', (claim) => (claim.status.phase === 'Bound' ? [] : ['']));
    volumes.addIndex('claim', claimOf);
    this.#pods.addIndex('claim', claimsOf);
    const waiting = (): readonly Claim[] => claims.by('unbound', '');
    wakeOn(claimLoop, claims, (claim) => [this.#renewed(keyOf(claim))]);
    wakeOn(volumeLoop, volumes);
    // A waiting claim may match a released volume; a deleted volume affects its claim.
    wakeOn(claimLoop, volumes, (volume) => [...claimOf(volume), ...waiting().map(keyOf)]);
    const { names } = this.#context;
    const naming = ({ metadata }: StorageClass): readonly Claim[] =>
      waiting().filter((claim) => storageClassOf(claim, names) === metadata.name);
    wakeOn(claimLoop, this.#classes, (named) => naming(named).map((claim) => this.#renewed(keyOf(claim))));
    wakeOn(volumeLoop, claims, (claim) => volumes.by('claim', keyOf(claim)).map(keyOf));
    wakeOn(volumeLoop, this.#pods, recycledVolume);
  }

  /** Makes the next check of a claim repeat its events. */
  #renewed(key: string): string {
    this.#lookedAt.delete(key);
    return key;
  }

  /** Returns the milliseconds until a waiting claim is checked again. */
  async #syncClaim(key: string, run: Run): Promise<number | void> {
    const claim = this.#writer.claims.get(key);
    if (!claim) return void this.#lookedAt.delete(key);
    const plan = this.#planClaim(claim);
    run.plan([describe(plan)]);
    if (plan.do === 'wait' || plan.do === 'provision') return this.#wait(claim, plan);
    this.#lookedAt.delete(key);
    if (plan.do === 'bind') return this.#writer.bind(claim, plan.volume);
    await this.#lose(claim, plan.event);
  }

  /** Handles a claim without a volume, unless that was done within the period. */
  async #wait(claim: Claim, plan: ClaimPlan & { readonly do: 'wait' | 'provision' }): Promise<number> {
    const now = this.#context.clock.now();
    const left = (this.#lookedAt.get(keyOf(claim)) ?? -Infinity) + this.#period - now;
    if (left > 0) return left;
    this.#lookedAt.set(keyOf(claim), now);
    try {
      if (plan.do === 'provision') await this.#provisioner.provision(claim, plan.storageClass);
      else await this.#tellWhy(claim, plan.event);
    } catch (problem) {
      this.#renewed(keyOf(claim));
      throw problem;
    }
    return this.#period;
  }

  async #tellWhy(claim: Claim, event: Announcement | undefined): Promise<void> {
    if (event) this.#announce(claim, event);
    await this.#writer.claimPhase(claim, 'Pending');
  }

  #planClaim(claim: Claim): ClaimPlan {
    const { volumes } = this.#writer;
    const waitingPods = this.#pods.by('claim', keyOf(claim)).filter(({ spec }) => !spec.nodeName);
    return planClaim(claim, {
      names: this.#context.names,
      volumes: volumes.list(),
      volume: (name) => volumes.get(name),
      storageClass: (name) => this.#classes.get(name),
      waitingPods: waitingPods.map(nameOf),
    });
  }

  async #syncVolume(name: string, run: Run): Promise<number | void> {
    const volume = this.#writer.volumes.get(name);
    if (!volume) return;
    const [claimKey = ''] = claimOf(volume);
    const claim = this.#writer.claims.get(claimKey);
    const plan = planVolume(volume, claim, this.#context.names);
    if (plan.do !== 'phase') run.plan([plan]);
    if (plan.do === 'phase') return void (await this.#writer.volumePhase(volume, plan.phase));
    if (plan.do === 'wakeClaim') return this.#claimLoop.add(this.#renewed(claimKey));
    if (plan.do === 'refuse') return this.#refuse(volume, claim);
    if (plan.do === 'reclaim') return this.#reclaimer.reclaim(volume);
    if (volume.metadata.deletionTimestamp === undefined) await this.#writer.unbind(volume);
  }

  #refuse(volume: Volume, claim: Claim | undefined): void {
    if (!claim) return;
    const type = 'Warning';
    const reason = 'VolumeMismatch';
    const [volumeName, claimName] = [volume, claim].map(({ metadata }) => JSON.stringify(metadata.name));
    const toClaim = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`;
    const toVolume = `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim due to incompatible volumeMode.`;
    this.#announce(volume, { type, reason, message: toClaim });
    this.#announce(claim, { type, reason, message: toVolume });
  }

  async #lose(claim: Claim, event: Announcement): Promise<void> {
    if (claim.status.phase === 'Lost') return;
    await this.#writer.claimPhase(claim, 'Lost');
    this.#announce(claim, event);
  }

  #announce(object: Claim | Volume, { type, reason, message }: Announcement): void {
    this.#context.recorder.record(object, type, reason, message);
  }
}

function claimOf(volume: Volume): string[] {
  const reference = volume.spec.claimRef;
  return reference ? [`${reference.namespace}/${reference.name}`] : [];
}

function describe(plan: ClaimPlan): unknown {
  if (plan.do === 'bind') return { bind: plan.volume.metadata.name };
  return plan.do === 'provision' ? { provision: plan.storageClass.metadata.name } : plan;
}

export function startVolumeBinder(context: ControllerContext): void {
  new Binder(context);
}
