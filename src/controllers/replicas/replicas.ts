import { keyOf, namespaceOf, pods as podsRef, type Informer, type Pod, type ResourceRef } from '../../client/index.ts';
import { controllerOf, type ApiObject, type objects, type Selector } from '../../schema/index.ts';
import { getOwn, rfc3339 } from '../../std/index.ts';
import { conditionOf, withCondition, withoutCondition, type Condition } from '../runtime/conditions.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { wakeOn, type Loop, type Run } from '../runtime/loop.ts';
import { claim, claimableBy, indexByController, ownersOf } from '../runtime/owners.ts';
import {
  availableIn,
  inGrowingBatches,
  isActive,
  isNamespaceTerminating,
  isReady,
  messageOf,
  PodControl,
  podFromTemplate,
} from '../runtime/pods.ts';
import { writeStatus } from '../runtime/writes.ts';
import { firstToDelete } from './deletionRank.ts';

/** The common fields of replica sets and replication controllers. */
export interface ReplicaOwner extends ApiObject {
  spec?: { replicas?: number; minReadySeconds?: number; template?: objects.PodTemplateSpec };
  status?: ReplicaStatus;
}

export interface ReplicaStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: Condition[];
}

/** The differences between them. */
export interface ReplicaKind<T extends ReplicaOwner> {
  readonly ref: ResourceRef<T>;
  readonly selector: (owner: T) => Selector;
  readonly workers: number;
}

/** The maximum number of pods that one reconcile creates or deletes. */
const BURST = 500;

export interface ReplicaPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/**
 * The number of missing pods, or the surplus pods. `related` returns the pods to count by node (see `firstToDelete`).
 */
export function planReplicas(wanted: number, active: readonly Pod[], related: () => readonly Pod[]): ReplicaPlan {
  const surplus = active.length - wanted;
  if (surplus <= 0) return { create: Math.min(wanted - active.length, BURST), remove: [] };
  return { create: 0, remove: firstToDelete(active, related(), Math.min(surplus, BURST)) };
}

/** The status derived from the pods. `failure` is the error while performing the plan. */
export function statusOf(owner: ReplicaOwner, active: readonly Pod[], now: number, failure: unknown): ReplicaStatus {
  const labels = Object.entries(owner.spec?.template?.metadata?.labels ?? {});
  const minReady = owner.spec?.minReadySeconds ?? 0;
  const count = (holds: (pod: Pod) => boolean): number => active.filter(holds).length;
  const conditions = failureConditions(owner, active.length, now, failure);
  const { conditions: _, ...rest } = owner.status ?? { replicas: 0 };
  return {
    ...rest,
    ...(conditions.length > 0 ? { conditions } : {}),
    replicas: active.length,
    fullyLabeledReplicas: count((pod) => labels.every(([key, value]) => getOwn(pod.metadata.labels, key) === value)),
    readyReplicas: count(isReady),
    availableReplicas: count((pod) => availableIn(pod, minReady, now) === 0),
    observedGeneration: owner.metadata.generation ?? 0,
  };
}

function failureConditions(owner: ReplicaOwner, active: number, now: number, failure: unknown): Condition[] {
  const conditions = owner.status?.conditions ?? [];
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  if (conditionOf(conditions, 'ReplicaFailure')) return conditions;
  const reason = active < (owner.spec?.replicas ?? 0) ? 'FailedCreate' : 'FailedDelete';
  const lastTransitionTime = rfc3339(now);
  return withCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime,
    reason,
    message: messageOf(failure),
  });
}

/** Keeps the desired number of pods of a template. */
export function startReplicas<T extends ReplicaOwner>(context: ControllerContext, kind: ReplicaKind<T>): void {
  const replicas = new Replicas(context, kind);
  replicas.start();
}

class Replicas<T extends ReplicaOwner> {
  readonly #context: ControllerContext;
  readonly #kind: ReplicaKind<T>;
  readonly #owners: Informer<T>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;

  constructor(context: ControllerContext, kind: ReplicaKind<T>) {
    this.#context = context;
    this.#kind = kind;
    this.#owners = context.informers.of(kind.ref);
    this.#pods = context.informers.of(podsRef);
    indexByController(this.#pods);
    this.#control = new PodControl(context.client, context.recorder, this.#pods);
  }

  start(): void {
    const loop: Loop = this.#context.loop({
      workers: this.#kind.workers,
      reconcile: (key, run) => this.#reconcile(key, run),
    });
    wakeOn(loop, this.#owners);
    wakeOn(loop, this.#pods, (pod) => this.#ownersOf(pod));
  }

  #ownersOf(pod: Pod): string[] {
    const selects = (owner: T): boolean => this.#kind.selector(owner).matches(pod.metadata.labels ?? {});
    return ownersOf(this.#owners, this.#kind.ref.kind, pod, selects);
  }

  async #reconcile(key: string, run: Run): Promise<number | void> {
    const owner = this.#owners.get(key);
    if (!owner) return;
    const active = await this.#claim(owner);
    const failure = owner.metadata.deletionTimestamp === undefined ? await this.#scale(owner, active, run) : undefined;
    await this.#writeStatus(owner, active, failure);
    if (failure !== undefined) throw failure;
    return this.#nextAvailable(owner, active);
  }

  #claim(owner: T): Promise<Pod[]> {
    const { client } = this.#context;
    const pods = claimableBy(this.#pods, owner).filter(isActive);
    const claims = { client, ref: podsRef, cache: this.#pods, owner, ownerRef: this.#kind.ref };
    return claim(claims, this.#kind.selector(owner), pods);
  }

  /** Returns the error, so that the status can include it before the key is retried. */
  async #scale(owner: T, active: readonly Pod[], run: Run): Promise<unknown> {
    const { template } = owner.spec ?? {};
    const { create, remove } = planReplicas(owner.spec?.replicas ?? 0, active, () => this.#related(owner));
    if (create + remove.length === 0 || !template) return undefined;
    run.plan([{ create }, { delete: remove.map(keyOf) }]);
    try {
      const draft = podFromTemplate(template, owner, this.#kind.ref, this.#context.client);
      const createPod = this.#control.creator(draft, owner);
      await inGrowingBatches(create, async () => void (await createPod()));
      await Promise.all(remove.map((pod) => this.#control.delete(pod, owner)));
      return undefined;
    } catch (problem) {
      return isNamespaceTerminating(problem) ? undefined : problem;
    }
  }

  /** The pods selected by all sets of the same controller, such as those of one deployment. */
  #related(owner: T): Pod[] {
    const controller = controllerOf(owner)?.uid;
    if (controller === undefined) return [];
    const namespace = namespaceOf(owner);
    const siblings = this.#owners.by('namespace', namespace).filter((set) => controllerOf(set)?.uid === controller);
    const selectors = siblings.map((set) => this.#kind.selector(set));
    return this.#pods
      .by('namespace', namespace)
      .filter((pod) => selectors.some((selector) => selector.matches(pod.metadata.labels ?? {})));
  }

  async #writeStatus(owner: T, active: readonly Pod[], failure: unknown): Promise<void> {
    const status = statusOf(owner, active, this.#context.clock.now(), failure);
    await writeStatus({ client: this.#context.client, ref: this.#kind.ref, cache: this.#owners }, owner, status);
  }

  /** When the next pod becomes available. */
  #nextAvailable(owner: T, active: readonly Pod[]): number | void {
    const now = this.#context.clock.now();
    const waits = active
      .map((pod) => availableIn(pod, owner.spec?.minReadySeconds ?? 0, now))
      .filter((ms) => ms > 0 && ms < Infinity);
    if (waits.length > 0) return Math.min(...waits);
  }
}
