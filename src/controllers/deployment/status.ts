import type { Deployment, ReplicaSet } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { conditionOf, withCondition, withoutCondition } from '../runtime/index.ts';
import { availableOf, maxUnavailable, totalOf } from './sizes.ts';

export type DeploymentStatus = Deployment['status'];
type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

const NO_DEADLINE = 2147483647;

/** The progress deadline in seconds; undefined if there is none. */
export function progressDeadline(deployment: Deployment): number | undefined {
  const seconds = deployment.spec.progressDeadlineSeconds;
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds;
}

export function progressing(status: string, reason: string, message: string, now: number): DeploymentCondition {
  return {
    type: 'Progressing',
    status,
    reason,
    message,
    lastUpdateTime: rfc3339(now),
    lastTransitionTime: rfc3339(now),
  };
}

/** The sums over the replica sets. */
export function countStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const sum = (count: (set: ReplicaSet) => number | undefined): number =>
    sets.reduce((n, set) => n + (count(set) ?? 0), 0);
  const available = availableOf(sets);
  const enough = available >= (deployment.spec.replicas ?? 1) - maxUnavailable(deployment);
  const availability = enough
    ? ({ status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' } as const)
    : ({
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const);
  const times = { lastUpdateTime: rfc3339(now), lastTransitionTime: rfc3339(now) };
  const { collisionCount } = deployment.status;
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum((set) => set.status.replicas),
    updatedReplicas: newest?.status.replicas ?? 0,
    readyReplicas: sum((set) => set.status.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, totalOf(sets) - available),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withCondition(deployment.status.conditions, { type: 'Available', ...times, ...availability }),
  };
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = deployment.spec.replicas ?? 1;
  const counts = [status.updatedReplicas, status.replicas, status.availableReplicas].map((count) => count ?? 0);
  return (
    counts.every((count) => count === wanted) &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed(old: DeploymentStatus, now: DeploymentStatus): boolean {
  const { updatedReplicas: updated = 0, replicas = 0, readyReplicas = 0, availableReplicas = 0 } = now;
  const { updatedReplicas: oldUpdated = 0 } = old;
  const fewerOld = replicas - updated < (old.replicas ?? 0) - oldUpdated;
  return (
    updated > oldUpdated ||
    fewerOld ||
    readyReplicas > (old.readyReplicas ?? 0) ||
    availableReplicas > (old.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, now: number): boolean {
  const condition = conditionOf(status.conditions, 'Progressing');
  const deadline = progressDeadline(deployment);
  if (!condition || deadline === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return (timeOf(condition.lastUpdateTime) ?? now) + deadline * 1000 < now;
}

/** The status of a rollout: counts, progress, and failures to create pods. */
export function rolloutStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const status = countStatus(deployment, sets, newest, now);
  status.conditions = withFailure(withProgress(deployment, status, newest, now), sets, newest, now);
  return status;
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newest: ReplicaSet | undefined,
  now: number,
): DeploymentCondition[] {
  const conditions = status.conditions ?? [];
  if (progressDeadline(deployment) === undefined) return withoutCondition(conditions, 'Progressing');
  const current = conditionOf(deployment.status.conditions, 'Progressing');
  const settled = status.replicas === status.updatedReplicas && current?.reason === 'NewReplicaSetAvailable';
  if (settled) return conditions;
  const what = newest ? `ReplicaSet "${newest.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) {
    return withCondition(
      conditions,
      progressing('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`, now),
    );
  }
  if (hasProgressed(deployment.status, status)) {
    const condition = progressing('True', 'ReplicaSetUpdated', `${what} is progressing.`, now);
    const since =
      current?.status === 'True' && current.lastTransitionTime
        ? { lastTransitionTime: current.lastTransitionTime }
        : {};
    // Unlike other conditions this one is updated each time, because the deadline counts from its last update.
    return [...withoutCondition(conditions, 'Progressing'), { ...condition, ...since }];
  }
  if (!hasTimedOut(deployment, status, now)) return conditions;
  return withCondition(
    conditions,
    progressing('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`, now),
  );
}

function withFailure(
  conditions: DeploymentCondition[],
  sets: readonly ReplicaSet[],
  newest: ReplicaSet | undefined,
  now: number,
): DeploymentCondition[] {
  const failing = [...(newest ? [newest] : []), ...sets].find(
    (set) => conditionOf(set.status.conditions, 'ReplicaFailure')?.status === 'True',
  );
  const failure = failing && conditionOf(failing.status.conditions, 'ReplicaFailure');
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure');
  const { type, status, reason = '', message = '' } = failure;
  const lastTransitionTime = failure.lastTransitionTime ?? rfc3339(now);
  return withCondition(conditions, { type, status, reason, message, lastUpdateTime: rfc3339(now), lastTransitionTime });
}

/** Conditions of a paused or resumed deployment: the deadline is suspended while it is paused. */
export function pauseConditions(deployment: Deployment, now: number): DeploymentCondition[] | undefined {
  if (progressDeadline(deployment) === undefined) return undefined;
  const { conditions } = deployment.status;
  const reason = conditionOf(conditions, 'Progressing')?.reason;
  if (reason === 'ProgressDeadlineExceeded') return undefined;
  const paused = deployment.spec.paused ?? false;
  if (paused === (reason === 'DeploymentPaused')) return undefined;
  const condition = paused
    ? progressing('Unknown', 'DeploymentPaused', 'Deployment is paused', now)
    : progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed', now);
  return withCondition(conditions, condition);
}

/** Milliseconds until the progress deadline is exceeded; undefined if there is none. */
export function stuckIn(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const condition = conditionOf(status.conditions, 'Progressing');
  const deadline = progressDeadline(deployment);
  if (
    !condition ||
    deadline === undefined ||
    isComplete(deployment, status) ||
    condition.reason === 'ProgressDeadlineExceeded'
  )
    return undefined;
  const left = (timeOf(condition.lastUpdateTime) ?? now) + deadline * 1000 - now;
  return Math.max(0, left) + 1000;
}
