import type { Job, Pod } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { deepEqual, rfc3339 } from '../../std/index.ts';
import { isActive } from '../runtime/index.ts';
import { firstToDelete } from '../replicas/deletionRank.ts';

export type JobStatus = Job['status'];
type JobCondition = NonNullable<JobStatus['conditions']>[number];

/** The counts of a job's pods. */
export interface Counts {
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
}

export type JobPlan =
  /** The job has failed: running pods are deleted. */
  | { readonly do: 'fail'; readonly reason: string; readonly message: string }
  /** The job continues; `isComplete` if enough pods have succeeded. */
  | { readonly do: 'run'; readonly create: number; readonly remove: readonly Pod[]; readonly isComplete: boolean };

export function countPods(pods: readonly Pod[]): Counts {
  const inPhase = (phase: string): number => pods.filter((pod) => pod.status.phase === phase).length;
  return { active: pods.filter(isActive), succeeded: inPhase('Succeeded'), failed: inPhase('Failed') };
}

export function isOver(job: Job): boolean {
  return (job.status.conditions ?? []).some(
    (c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True',
  );
}

/** The next action for an unfinished job. */
export function planJob(job: Job, pods: readonly Pod[], now: number): JobPlan {
  const counts = countPods(pods);
  const hasNewFailure = counts.failed > (job.status.failed ?? 0);
  const isShort = counts.active.length !== (job.spec.parallelism ?? 1);
  const limit = job.spec.backoffLimit ?? 6;
  if ((hasNewFailure && isShort && counts.failed > limit) || restartsExceed(job, pods)) {
    return { do: 'fail', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  if (deadlineIn(job, now) <= 0)
    return { do: 'fail', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  const run = job.metadata.deletionTimestamp === undefined ? planPods(job, counts) : { create: 0, remove: [] };
  const { completions } = job.spec;
  const isComplete =
    completions === undefined
      ? counts.succeeded > 0 && counts.active.length + run.create - run.remove.length === 0
      : counts.succeeded >= completions;
  return { do: 'run', ...run, isComplete };
}

/** Containers that restart in place also count as failures. */
function restartsExceed(job: Job, pods: readonly Pod[]): boolean {
  if (job.spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const running = pods.filter((pod) => pod.status.phase === 'Running' || pod.status.phase === 'Pending');
  const restarts = running.reduce((sum, { status }) => {
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    return sum + all.reduce((n, container) => n + (container.restartCount ?? 0), 0);
  }, 0);
  const limit = job.spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** Milliseconds until the deadline; Infinity without one. A job without a start time starts now. */
export function deadlineIn(job: Job, now: number): number {
  const seconds = job.spec.activeDeadlineSeconds;
  return seconds === undefined ? Infinity : (timeOf(job.status.startTime) ?? now) + seconds * 1000 - now;
}

function planPods(
  job: Job,
  { active, succeeded }: Counts,
): { readonly create: number; readonly remove: readonly Pod[] } {
  const parallelism = job.spec.parallelism ?? 1;
  const { completions } = job.spec;
  const surplus = active.length - parallelism;
  if (surplus > 0) return { create: 0, remove: firstToDelete(active, [], surplus) };
  const open =
    completions === undefined
      ? succeeded > 0
        ? active.length
        : parallelism
      : Math.min(completions - succeeded, parallelism);
  return { create: Math.max(0, open - active.length), remove: [] };
}

function ended(type: 'Complete' | 'Failed', now: number, reason = '', message = ''): JobCondition {
  const time = rfc3339(now);
  return {
    type,
    status: 'True',
    lastProbeTime: time,
    lastTransitionTime: time,
    ...(reason ? { reason, message } : {}),
  };
}

/** Whether a status has changed; a new start time alone is not written. */
export function isNews(status: JobStatus, old: JobStatus): boolean {
  const counts = ({ active = 0, succeeded = 0, failed = 0, conditions }: JobStatus): number[] => [
    active,
    succeeded,
    failed,
    conditions?.length ?? 0,
  ];
  return !deepEqual(counts(status), counts(old));
}

/** The status after a plan was performed, with `active` pods remaining or created. */
export function statusAfter(job: Job, plan: JobPlan, counts: Counts, active: number, now: number): JobStatus {
  const failed = plan.do === 'fail' ? counts.failed + counts.active.length : counts.failed;
  const conditions = job.status.conditions ?? [];
  const status: JobStatus = {
    ...job.status,
    startTime: job.status.startTime ?? rfc3339(now),
    active: plan.do === 'fail' ? 0 : active,
    succeeded: counts.succeeded,
    failed,
  };
  if (plan.do === 'fail')
    return { ...status, conditions: [...conditions, ended('Failed', now, plan.reason, plan.message)] };
  if (plan.isComplete)
    return { ...status, completionTime: rfc3339(now), conditions: [...conditions, ended('Complete', now)] };
  return status;
}
