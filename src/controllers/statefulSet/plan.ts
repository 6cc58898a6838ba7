import type { Pod, StatefulSet } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { isRunningAndReady } from '../runtime/index.ts';
import { hasIdentity, isHealthy, isTerminating, ordinalOf, podName, revisionOf } from './pods.ts';

/** The names of the current and the update revision of a set. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
}

export type Step =
  | { readonly do: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  /** A failed pod is deleted before its replacement of the same name is created. */
  | { readonly do: 'delete'; readonly pod: Pod; readonly why: 'failed' | 'surplus' | 'outdated' }
  /** The pod lacks its name label or the volumes of its claims. */
  | { readonly do: 'repair'; readonly pod: Pod; readonly ordinal: number };

export type StatefulSetStatus = StatefulSet['status'];

/** A set's pods by ordinal. */
interface Members {
  readonly replicas: readonly (Pod | undefined)[];
  /** Pods beyond the desired number, ascending. */
  readonly condemned: readonly Pod[];
}

const wantedOf = (set: StatefulSet): number => set.spec.replicas ?? 1;

function membersOf(set: StatefulSet, pods: readonly Pod[]): Members {
  const numbered = pods.flatMap((pod) => {
    const ordinal = ordinalOf(pod, set);
    return ordinal === undefined ? [] : [{ pod, ordinal }];
  });
  const replicas = Array.from({ length: wantedOf(set) }, (_, i) => numbered.find(({ ordinal }) => ordinal === i)?.pod);
  const beyond = numbered.filter(({ ordinal }) => ordinal >= wantedOf(set)).sort((a, b) => a.ordinal - b.ordinal);
  return { replicas, condemned: beyond.map(({ pod }) => pod) };
}

/**
 * The next steps. With ordered management, one pod at a time: a pod is created only if all before it are ready, removed
 * only if none after it is left, and replaced from the last to the first. With parallel management all missing and
 * surplus pods are created or removed at once.
 */
export function planSteps(set: StatefulSet, pods: readonly Pod[], revisions: Revisions, names: Names): readonly Step[] {
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const members = membersOf(set, pods);
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  const filling = fill(set, members, ordered, names);
  if (filling.blocked) return filling.steps;
  const removing = condemn(members, ordered);
  if (removing.blocked) return [...filling.steps, ...removing.steps];
  return [...filling.steps, ...removing.steps, ...replace(set, members, revisions)];
}

interface Part {
  readonly steps: readonly Step[];
  /** No further step is possible until something changes. */
  readonly blocked: boolean;
}

function fill(set: StatefulSet, { replicas }: Members, ordered: boolean, names: Names): Part {
  const steps: Step[] = [];
  for (const [ordinal, pod] of replicas.entries()) {
    if (pod && isFailed(pod)) steps.push({ do: 'delete', pod, why: 'failed' });
    const isMissing = !pod || isFailed(pod);
    if (isMissing)
      steps.push({ do: 'create', ordinal, revision: isCurrentNeeded(set, ordinal) ? 'current' : 'update' });
    if (ordered && (isMissing || !isHealthy(pod))) return { steps, blocked: true };
    if (!isMissing && !hasIdentity(set, pod, ordinal, names)) steps.push({ do: 'repair', pod, ordinal });
  }
  return { steps, blocked: false };
}

const isFailed = (pod: Pod): boolean => pod.status.phase === 'Failed';

/** Below the partition of a rolling update, pods are created from the current revision. */
function isCurrentNeeded(set: StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return false;
  return rollingUpdate ? ordinal < (rollingUpdate.partition ?? 0) : ordinal < (set.status.currentReplicas ?? 0);
}

function condemn({ replicas, condemned }: Members, ordered: boolean): Part {
  const unhealthy = [...replicas, ...condemned].find((pod) => pod !== undefined && !isHealthy(pod));
  const steps: Step[] = [];
  for (const pod of [...condemned].reverse()) {
    if (isTerminating(pod)) {
      if (ordered) return { steps, blocked: true };
      continue;
    }
    if (ordered && !isRunningAndReady(pod) && pod !== unhealthy) return { steps, blocked: true };
    steps.push({ do: 'delete', pod, why: 'surplus' });
    if (ordered) return { steps, blocked: true };
  }
  return { steps, blocked: false };
}

function replace(set: StatefulSet, { replicas }: Members, { update }: Revisions): readonly Step[] {
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const from = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(from).reverse()) {
    if (!pod || isFailed(pod)) return [];
    if (revisionOf(pod) !== update && !isTerminating(pod)) return [{ do: 'delete', pod, why: 'outdated' }];
    if (!isHealthy(pod)) return [];
  }
  return [];
}

/** The status after the steps. As in the reference it has no conditions. */
export function statusAfter(
  set: StatefulSet,
  pods: readonly Pod[],
  steps: readonly Step[],
  revisions: Revisions,
  collisionCount = 0,
): StatefulSetStatus {
  const deletions = steps.filter((step) => step.do === 'delete');
  const made = steps.flatMap((step) => (step.do === 'create' ? [revisions[step.revision]] : []));
  const present = [...pods.filter((pod) => !isTerminating(pod)).map(revisionOf), ...made];
  const of = (revision: string): number => present.filter((name) => name === revision).length;
  const deleted = (revision: string): number =>
    deletions.filter(({ pod, why }) => why !== 'outdated' && revisionOf(pod) === revision).length;
  // As in the reference, an outdated pod that is deleted counts as one of the current revision, whatever its revision is.
  const outdated = deletions.filter(({ why }) => why === 'outdated').length;
  const status: StatefulSetStatus = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length - deletions.filter(({ why }) => why === 'failed').length + made.length,
    readyReplicas: pods.filter(isRunningAndReady).length,
    currentReplicas: of(revisions.current) - deleted(revisions.current) - outdated,
    updatedReplicas: of(revisions.update) - deleted(revisions.update),
    currentRevision: revisions.current,
    updateRevision: revisions.update,
    collisionCount,
  };
  return completed(set, status);
}

const COMPARED = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'currentRevision',
  'updateRevision',
] as const;

/** Whether a status has to be written: other fields, such as conditions, and an older generation do not count. */
export function isOutdated(set: StatefulSet, status: StatefulSetStatus): boolean {
  if ((status.observedGeneration ?? 0) > (set.status.observedGeneration ?? 0)) return true;
  return COMPARED.some((name) => (status[name] || undefined) !== (set.status[name] || undefined));
}

/** Once all pods have the update revision and are ready, it becomes the current one. */
function completed(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas = 0, replicas } = status;
  const done =
    set.spec.updateStrategy?.type === 'RollingUpdate' && updatedReplicas === replicas && readyReplicas === replicas;
  if (!done) return status;
  const { updateRevision = '' } = status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}

export function describe(step: Step, set: StatefulSet): unknown {
  if (step.do === 'create') return { create: podName(set, step.ordinal), revision: step.revision };
  if (step.do === 'repair') return { repair: step.pod.metadata.name };
  return { delete: step.pod.metadata.name, why: step.why };
}
