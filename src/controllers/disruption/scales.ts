/** The desired number of pods of the owners of a budget's pods. */
import {
  deployments,
  namespaceOf,
  replicaSets,
  replicationControllers,
  statefulSets,
  type Deployment,
  type Informer,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  type ReplicationController,
  type StatefulSet,
  uidOf,
} from '../../client/index.ts';
import { found, controllerOf, type ApiObject, type OwnerReference } from '../../schema/index.ts';
import { controllerIn, type ControllerContext } from '../runtime/index.ts';

interface Scaled extends Pick<ApiObject, 'metadata'> {
  readonly spec: { readonly replicas?: number };
}

/** Finds the scale of pod owners: of workloads in the caches, of other kinds by the subresource `scale`. */
export class OwnerScales {
  readonly #context: ControllerContext;
  readonly #deployments: Informer<Deployment>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #statefulSets: Informer<StatefulSet>;
  readonly #replicationControllers: Informer<ReplicationController>;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers } = context;
    this.#deployments = informers.of(deployments);
    this.#replicaSets = informers.of(replicaSets);
    this.#statefulSets = informers.of(statefulSets);
    this.#replicationControllers = informers.of(replicationControllers);
  }

  /**
   * The replicas of all owners, each counted once. Rejects, with an event of the budget, if an owner has no known
   * scale.
   */
  async total(budget: PodDisruptionBudget, pods: readonly Pod[]): Promise<number> {
    const replicas = new Map<string, number>();
    const looked = new Set<string>();
    for (const pod of pods) {
      const owner = controllerOf(pod);
      if (!owner)
        return this.#fail(budget, 'NoControllerRef', `found no controller ref for pod "${pod.metadata.name}"`);
      if (looked.has(owner.uid)) continue;
      looked.add(owner.uid);
      const scaled = this.#workloadOf(pod) ?? (await this.#scaleOf(owner, namespaceOf(pod)));
      if (!scaled) return this.#fail(budget, 'NoControllers', `found no controllers for pod "${pod.metadata.name}"`);
      replicas.set(uidOf(scaled), scaled.spec.replicas ?? 1);
    }
    return [...replicas.values()].reduce((sum, count) => sum + count, 0);
  }

  #fail(budget: PodDisruptionBudget, reason: string, message: string): never {
    this.#context.recorder.record(budget, 'Warning', reason, message);
    throw new Error(message);
  }

  #workloadOf(pod: Pod): Scaled | undefined {
    const set = controllerIn(this.#replicaSets, 'ReplicaSet', pod);
    const deployment = set && controllerIn(this.#deployments, 'Deployment', set);
    return (
      deployment ??
      set ??
      controllerIn(this.#statefulSets, 'StatefulSet', pod) ??
      controllerIn(this.#replicationControllers, 'ReplicationController', pod)
    );
  }

  /** Undefined if the owner was deleted or replaced or has no scale. Rejects if its kind is not served. */
  async #scaleOf({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Promise<Scaled | undefined> {
    const resource = await this.#context.served.resourceOf(apiVersion, kind);
    if (!resource.subresources.includes('scale')) return undefined;
    const asked = this.#context.client.of(resource).get(name, namespace, 'scale');
    const scale = (await found(asked)) as (ApiObject & Scaled) | undefined;
    return scale?.metadata.uid === uid ? { ...scale, spec: { replicas: scale.spec.replicas ?? 0 } } : undefined;
  }
}
