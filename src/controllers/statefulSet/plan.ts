import type { Pod, StatefulSet } from '../../client/index.ts';
import { isHealthy, isRunningAndReady, isTerminating, ordinalOf, podName, revisionOf } from './pods.ts';

/** The two revisions between which a set moves, by their names. */
export interface Revisions {
  readonly current: string;
  readonly update: string;
}

export type Step =
  | { readonly do: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  /** A failed pod goes before its successor of the same name can come. */
  | { readonly do: 'delete'; readonly pod: Pod; readonly why: 'failed' | 'surplus' | 'outdated' };

export type StatefulSetStatus = StatefulSet['status'];

/** A set's pods by their number. */
interface Members {
  readonly replicas: readonly (Pod | undefined)[];
  /** Beyond the wanted number, ascending. */
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
 * What is to be done next. In order, one pod at a time: a pod is made only when all before it are ready, removed only
 * when none after it is left, replaced from the last to the first; with parallel management all that is missing or
 * too much is made or removed at once.
 */
export function planSteps(set: StatefulSet, pods: readonly Pod[], revisions: Revisions): readonly Step[] {
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const members = membersOf(set, pods);
  const ordered = set.spec.podManagementPolicy !== 'Parallel';
  const filling = fill(set, members, ordered);
  if (filling.blocked || (ordered && filling.steps.length > 0)) return filling.steps;
  const removing = condemn(members, ordered);
  if (removing.blocked || (ordered && removing.steps.length > 0)) return [...filling.steps, ...removing.steps];
  return [...filling.steps, ...removing.steps, ...replace(set, members, revisions)];
}

interface Part {
  readonly steps: readonly Step[];
  /** Nothing further may be done before something has changed. */
  readonly blocked: boolean;
}

function fill(set: StatefulSet, { replicas }: Members, ordered: boolean): Part {
  const steps: Step[] = [];
  for (const [ordinal, pod] of replicas.entries()) {
    const failed = pod?.status.phase === 'Failed' && !isTerminating(pod);
    if (failed) steps.push({ do: 'delete', pod, why: 'failed' });
    if (!pod) steps.push({ do: 'create', ordinal, revision: isCurrentNeeded(set, ordinal) ? 'current' : 'update' });
    if (ordered && (!pod || failed)) return { steps, blocked: true };
    if (ordered && pod && !isHealthy(pod)) return { steps, blocked: true };
  }
  return { steps, blocked: false };
}

/** Below the partition of a rolling update, pods are made as they were. */
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
    if (!pod) return [];
    if (revisionOf(pod) !== update && !isTerminating(pod)) return [{ do: 'delete', pod, why: 'outdated' }];
    if (!isHealthy(pod)) return [];
  }
  return [];
}

/** The status after the steps have been done. */
export function statusAfter(
  set: StatefulSet,
  pods: readonly Pod[],
  steps: readonly Step[],
  revisions: Revisions,
  collisionCount = 0,
): StatefulSetStatus {
  const gone = new Set(steps.flatMap((step) => (step.do === 'delete' ? [step.pod.metadata.name] : [])));
  const made = steps.flatMap((step) => (step.do === 'create' ? [revisions[step.revision]] : []));
  const counted = pods.filter((pod) => !(gone.has(pod.metadata.name) && pod.status.phase === 'Failed'));
  const lasting = counted.filter((pod) => !isTerminating(pod) && !gone.has(pod.metadata.name)).map(revisionOf);
  const of = (revision: string): number => [...lasting, ...made].filter((name) => name === revision).length;
  const status: StatefulSetStatus = {
    ...set.status,
    observedGeneration: set.metadata.generation ?? 0,
    replicas: counted.length + made.length,
    readyReplicas: counted.filter(isRunningAndReady).length,
    currentReplicas: of(revisions.current),
    updatedReplicas: of(revisions.update),
    currentRevision: revisions.current,
    updateRevision: revisions.update,
    collisionCount,
  };
  return completed(set, status);
}

/** When all pods are of the new revision and ready, it is the current one. */
function completed(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas = 0, replicas } = status;
  const done =
    set.spec.updateStrategy?.type === 'RollingUpdate' && updatedReplicas === replicas && readyReplicas === replicas;
  if (!done) return status;
  const { updateRevision = '' } = status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}

export function describe(step: Step, set: StatefulSet): unknown {
  return step.do === 'create'
    ? { create: podName(set, step.ordinal), revision: step.revision }
    : { delete: step.pod.metadata.name, why: step.why };
}
