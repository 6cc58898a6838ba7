/**
 * Deletes finished jobs after their time to live.
 *
 * Watches jobs.
 */
import { jobs as jobsRef, type Job } from '../../client/index.ts';
import { timeOf } from '../../schema/index.ts';
import { deleteIfPresent, wakeOn, type ControllerContext } from '../runtime/index.ts';
import { isOver } from './plan.ts';

/** When a job is to be deleted, in milliseconds since the epoch; undefined if it is kept. */
export function expiryOf(job: Job): number | undefined {
  const seconds = job.spec.ttlSecondsAfterFinished;
  if (seconds === undefined || !isOver(job) || job.metadata.deletionTimestamp !== undefined) return undefined;
  const end = (job.status.conditions ?? []).find(
    (c) => (c.type === 'Complete' || c.type === 'Failed') && c.status === 'True',
  );
  const finished = timeOf(end?.lastTransitionTime);
  return finished === undefined ? undefined : finished + seconds * 1000;
}

export function startTtlAfterFinished(context: ControllerContext): void {
  const jobs = context.informers.of(jobsRef);
  const workers = context.flags.number('concurrent-ttl-after-finished-syncs');
  const loop = context.loop({
    workers,
    reconcile: async (key) => {
      const job = jobs.get(key);
      const expiry = job && expiryOf(job);
      if (!job || expiry === undefined) return;
      const left = expiry - context.clock.now();
      if (left > 0) return left;
      const { uid } = job.metadata;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await deleteIfPresent(context.client, jobsRef, job, { propagationPolicy: 'Foreground', ...preconditions });
    },
  });
  wakeOn(loop, jobs);
}
