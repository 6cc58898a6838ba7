/**
 * Deployments: a rolling update of pods from one template. A changed template creates a new replica set, which grows
 * while the old ones shrink, within `maxSurge` and `maxUnavailable`. Old sets are kept for rollbacks.
 *
 * Watches deployments, replica sets and pods.
 */
import { getOwn, parseInt64 } from '../../std/index.ts';
import {
  deployments,
  keyOf,
  namespaceOf,
  pods as podsRef,
  replicaSets,
  type Deployment,
  type Informer,
  type Pod,
  type ReplicaSet,
} from '../../client/index.ts';
import { found, controllerOf, isReason, selectorOfObject, withoutHash, type ApiObject } from '../../schema/index.ts';
import {
  claim,
  claimableBy,
  conditionOf,
  controllerIn,
  isFinished,
  isNamespaceTerminating,
  deleteIfPresent,
  messageOf,
  indexByController,
  ownersOf,
  sameStatus,
  wakeOn,
  wakingBy,
  withCondition,
  type ControllerContext,
  type Run,
  waitForCache,
} from '../runtime/index.ts';
import { lastRevision, rolledBackAnnotations } from './annotations.ts';
import { keysOf, type Keys } from './keys.ts';
import { findRevision, planCleanup, planSteps, sameTemplate, viewOf, type Step, type View } from './plan.ts';
import {
  countStatus,
  isComplete,
  pauseConditions,
  progressDeadline,
  progressing,
  rolloutStatus,
  stuckIn,
  type DeploymentStatus,
} from './status.ts';

class Deployments {
  readonly #context: ControllerContext;
  readonly #keys: Keys;
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#keys = keysOf(context.names);
    this.#deployments = context.informers.of(deployments);
    this.#sets = context.informers.of(replicaSets);
    indexByController(this.#sets);
    this.#pods = context.informers.of(podsRef);
    const workers = context.flags.number('concurrent-deployment-syncs');
    const loop = context.loop({ workers, retries: 15, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(loop, this.#deployments);
    wakeOn(loop, this.#sets, (set) => this.#ownersOf(set));
    // A deployment with the strategy Recreate waits until the last pod of its old sets is deleted.
    this.#pods.on({
      deleted: (pod) => this.#recreatingOwnersOf(pod).forEach((key) => loop.add(key, () => wakingBy(pod, 'deleted'))),
    });
  }

  #ownersOf(set: ReplicaSet): string[] {
    return ownersOf(this.#deployments, 'Deployment', set, ({ spec }) =>
      selectorOfObject(spec.selector).matches(set.metadata.labels ?? {}),
    );
  }

  #recreatingOwnersOf(pod: Pod): string[] {
    const set = controllerIn(this.#sets, 'ReplicaSet', pod);
    const deployment = set && controllerIn(this.#deployments, 'Deployment', set);
    return deployment?.spec.strategy?.type === 'Recreate' ? [keyOf(deployment)] : [];
  }

  async #reconcile(key: string, run: Run): Promise<number | void> {
    const deployment = this.#deployments.get(key);
    if (!deployment) return;
    const sets = await this.#claim(deployment);
    if (deployment.metadata.deletionTimestamp !== undefined) return this.#tellCounts(deployment, sets);
    const rollback = parseInt64(getOwn(deployment.metadata.annotations, this.#keys.rollback) ?? '');
    if (rollback !== undefined && !deployment.spec.paused) return this.#rollBack(deployment, sets, rollback);
    return this.#roll(this.#withPauseConditions(deployment), sets, run);
  }

  #claim(deployment: Deployment): Promise<ReplicaSet[]> {
    const sets = claimableBy(this.#sets, deployment);
    const claims = {
      client: this.#context.client,
      ref: replicaSets,
      cache: this.#sets,
      owner: deployment,
      ownerRef: deployments,
    };
    return claim(claims, selectorOfObject(deployment.spec.selector), sets);
  }

  /** The conditions are written with the next status update. */
  #withPauseConditions(deployment: Deployment): Deployment {
    const conditions = pauseConditions(deployment, this.#context.clock.now());
    return conditions ? { ...deployment, status: { ...deployment.status, conditions } } : deployment;
  }

  async #roll(deployment: Deployment, sets: readonly ReplicaSet[], run: Run): Promise<number | void> {
    const hasPods = (set: ReplicaSet): boolean => this.#podsOf(set).some((pod) => !isFinished(pod));
    const view = viewOf(deployment, sets, hasPods, this.#keys);
    const steps = planSteps(view, this.#context.names);
    const mayCleanUp = deployment.spec.paused || isComplete(deployment, deployment.status);
    const all = mayCleanUp ? [...steps, ...planCleanup(view)] : steps;
    run.plan(all.map(describe));
    const after = await this.#perform(view, all);
    return this.#tell(after);
  }

  #podsOf(set: ReplicaSet): Pod[] {
    return this.#pods.by('namespace', namespaceOf(set)).filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
  }

  /** Returns the deployment and its sets after the steps. */
  async #perform(view: View, steps: readonly Step[]): Promise<View> {
    let { newest, deployment } = view;
    const sets = new Map(view.old.map((set) => [set.metadata.name, set]));
    for (const step of steps) {
      if (step.do === 'delete') await deleteIfPresent(this.#context.client, replicaSets, step.set);
      else if (step.do === 'create') [deployment, newest] = await this.#createSet(deployment, step);
      else {
        const updated = await this.#updateSet(deployment, step);
        if (updated.metadata.name === newest?.metadata.name) newest = updated;
        else sets.set(updated.metadata.name, updated);
      }
    }
    return {
      ...view,
      deployment: newest ? this.#noteFound(deployment, newest) : deployment,
      newest,
      old: [...sets.values()],
    };
  }

  #noteFound(deployment: Deployment, newest: ReplicaSet): Deployment {
    if (progressDeadline(deployment) === undefined || conditionOf(deployment.status.conditions, 'Progressing'))
      return deployment;
    const message = `Found new replica set "${newest.metadata.name}"`;
    return this.#withProgress(deployment, 'True', 'FoundNewReplicaSet', message);
  }

  #withProgress(deployment: Deployment, status: string, reason: string, message: string): Deployment {
    if (progressDeadline(deployment) === undefined) return deployment;
    const condition = progressing(status, reason, message, this.#context.clock.now());
    return {
      ...deployment,
      status: { ...deployment.status, conditions: withCondition(deployment.status.conditions, condition) },
    };
  }

  async #createSet(deployment: Deployment, step: Step & { readonly do: 'create' }): Promise<[Deployment, ReplicaSet]> {
    let set: ReplicaSet;
    try {
      set = await this.#context.client.of(replicaSets).create(step.set);
    } catch (problem) {
      if (isReason(problem, 'AlreadyExists'))
        return [deployment, await this.#resolveCollision(deployment, step.set.metadata?.name ?? '')];
      if (!isNamespaceTerminating(problem)) {
        const message = `Failed to create new replica set "${step.set.metadata?.name ?? ''}": ${messageOf(problem)}`;
        const failed = this.#withProgress(deployment, 'False', 'ReplicaSetCreateError', message);
        if (failed !== deployment) await this.#context.client.of(deployments).updateStatus(failed);
        this.#event(deployment, 'Warning', 'ReplicaSetCreateError', message);
      }
      throw problem;
    }
    await this.#sets.until(keyOf(set), (seen) => seen !== undefined);
    if (step.size > 0)
      this.#event(
        deployment,
        'Normal',
        'ScalingReplicaSet',
        `Scaled up replica set ${set.metadata.name} to ${step.size}`,
      );
    const message = `Created new replica set "${set.metadata.name}"`;
    return [this.#withProgress(deployment, 'True', 'NewReplicaSetCreated', message), set];
  }

  /**
   * The name exists: either an earlier run created the set, or another template has the same hash, which counts as a
   * collision.
   */
  async #resolveCollision(deployment: Deployment, name: string): Promise<ReplicaSet> {
    const set = await this.#context.client.of(replicaSets).get(name, deployment.metadata.namespace);
    const own = controllerOf(set)?.uid === deployment.metadata.uid;
    if (own && sameTemplate(set.spec.template, deployment.spec.template)) return set;
    const collisionCount = (deployment.status.collisionCount ?? 0) + 1;
    await this.#context.client
      .of(deployments)
      .updateStatus({ ...deployment, status: { ...deployment.status, collisionCount } });
    throw new Error(`replica set ${name} exists and is not this deployment's`);
  }

  async #updateSet(deployment: Deployment, step: Step & { readonly do: 'update' | 'resize' }): Promise<ReplicaSet> {
    const updated = await this.#context.client.of(replicaSets).update(step.set);
    await waitForCache(this.#sets, updated, step.set);
    const size = updated.spec.replicas ?? 0;
    if (step.do === 'resize' && step.from !== size) {
      const direction = step.from < size ? 'up' : 'down';
      this.#event(
        deployment,
        'Normal',
        'ScalingReplicaSet',
        `Scaled ${direction} replica set ${updated.metadata.name} to ${size}`,
      );
    }
    return updated;
  }

  async #tell({ deployment, newest, old }: View): Promise<number | void> {
    const now = this.#context.clock.now();
    const sets = [...old, ...(newest ? [newest] : [])];
    const status = (deployment.spec.paused ? countStatus : rolloutStatus)(deployment, sets, newest, now);
    const known = getOwn(newest?.metadata.annotations, this.#keys.revision);
    const revision = known === undefined ? {} : { [this.#keys.revision]: known };
    await this.#write(deployment, status, { ...deployment.metadata.annotations, ...revision });
    return stuckIn(deployment, status, now);
  }

  async #tellCounts(deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { newest } = viewOf(deployment, sets, () => false, this.#keys);
    const status = countStatus(deployment, sets, newest, this.#context.clock.now());
    await this.#write(deployment, status, deployment.metadata.annotations ?? {});
  }

  async #write(deployment: Deployment, status: DeploymentStatus, annotations: Record<string, string>): Promise<void> {
    const cached = this.#deployments.get(keyOf(deployment)) ?? deployment;
    if (sameStatus(status, cached.status) && sameStatus(annotations, cached.metadata.annotations)) return;
    const { resourceVersion } = deployment.metadata;
    const next = { ...deployment, metadata: { ...deployment.metadata, annotations }, status };
    if (!(await found(this.#context.client.of(deployments).updateStatus(next)))) return;
    await this.#deployments.until(keyOf(deployment), (seen) => seen?.metadata.resourceVersion !== resourceVersion);
  }

  /** Rolls back to an earlier revision, as requested by an annotation. */
  async #rollBack(deployment: Deployment, sets: readonly ReplicaSet[], revision: bigint): Promise<void> {
    const target = findRevision(sets, revision, this.#keys);
    const same = target && sameTemplate(target.spec.template, deployment.spec.template);
    const next = target && !same ? takeTemplate(deployment, target, this.#keys) : deployment;
    const { [this.#keys.rollback]: _, ...annotations } = next.metadata.annotations ?? {};
    await this.#context.client.of(deployments).update({ ...next, metadata: { ...next.metadata, annotations } });
    if (!target)
      this.#event(
        deployment,
        'Warning',
        'DeploymentRollbackRevisionNotFound',
        revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.',
      );
    else if (same)
      this.#event(
        deployment,
        'Warning',
        'DeploymentRollbackTemplateUnchanged',
        `The rollback revision contains the same template as current deployment "${deployment.metadata.name}"`,
      );
    else
      this.#event(
        deployment,
        'Normal',
        'DeploymentRollback',
        `Rolled back deployment "${deployment.metadata.name}" to revision ${lastRevision([target], this.#keys)}`,
      );
  }

  #event(object: ApiObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.recorder.record(object, type, reason, message);
  }
}

function takeTemplate(deployment: Deployment, set: ReplicaSet, keys: Keys): Deployment {
  const template = withoutHash(set.spec.template ?? {});
  const annotations = { ...rolledBackAnnotations(deployment, set, keys) };
  return { ...deployment, metadata: { ...deployment.metadata, annotations }, spec: { ...deployment.spec, template } };
}

function describe(step: Step): unknown {
  return { do: step.do, set: step.set.metadata?.name, replicas: step.set.spec?.replicas };
}

export function startDeployments(context: ControllerContext): void {
  new Deployments(context);
}
