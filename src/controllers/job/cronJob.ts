/**
 * Cron jobs: at each time of a schedule a job is made from a template, unless the policy says to skip it while an
 * earlier one runs, or to replace that.
 *
 * Watches cron jobs and jobs.
 */
import {
  apiVersionOf,
  cronJobs as cronJobsRef,
  jobs as jobsRef,
  keyOf,
  type CronJob,
  type Draft,
  type Informer,
  type Job,
} from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import {
  controllerIn,
  controllerOf,
  controllerReference,
  isNamespaceTerminating,
  messageOf,
  sameStatus,
  wakeOn,
  type ControllerContext,
  type Run,
} from '../runtime/index.ts';
import { dueOf, finishedJobs, planCleanup } from './cronPlan.ts';
import { isOver } from './plan.ts';

type Active = NonNullable<CronJob['status']['active']>;

class CronJobs {
  readonly #context: ControllerContext;
  readonly #cronJobs: Informer<CronJob>;
  readonly #jobs: Informer<Job>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#cronJobs = context.informers.of(cronJobsRef);
    this.#jobs = context.informers.of(jobsRef);
    const loop = context.loop({ reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(loop, this.#cronJobs);
    wakeOn(loop, this.#jobs, (job) => {
      const owner = controllerIn(this.#cronJobs, 'CronJob', job);
      return owner ? [keyOf(owner)] : [];
    });
  }

  /** Returns the time until the next run. */
  async #reconcile(key: string, run: Run): Promise<number | void> {
    const found = this.#cronJobs.get(key);
    if (!found) return;
    const jobs = this.#jobs
      .by('namespace', found.metadata.namespace ?? '')
      .filter((job) => controllerOf(job)?.uid === found.metadata.uid);
    const cronJob = await this.#syncActive(found, jobs);
    await this.#cleanUp(cronJob, jobs);
    if (cronJob.metadata.deletionTimestamp !== undefined || cronJob.spec.suspend) return;
    const now = this.#context.clock.now();
    const due = dueOf(cronJob, now);
    if (due.is === 'invalid')
      return this.#warn(cronJob, 'FailedNeedsStart', `Cannot determine if job needs to be started: ${due.why}`);
    if (due.is === 'missed')
      this.#warn(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${shownTime(due.time)}`);
    if (due.is === 'now') await this.#startOne(cronJob, jobs, due.time, run);
    return due.next === Infinity ? undefined : due.next - now;
  }

  /** The list of jobs that run, without those that have ended or are gone. */
  async #syncActive(cronJob: CronJob, jobs: readonly Job[]): Promise<CronJob> {
    const active = cronJob.status.active ?? [];
    const isListed = (job: Job): boolean => active.some((reference) => reference.uid === job.metadata.uid);
    for (const job of jobs) {
      if (!isListed(job) && !isOver(job))
        this.#warn(
          cronJob,
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${job.metadata.name}`,
        );
      if (isListed(job) && isOver(job)) {
        const status = finishedJobs([job], 'Complete').length > 0 ? 'Complete' : 'Failed';
        this.#event(cronJob, 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, status: ${status}`);
      }
    }
    const running = active.filter((reference) =>
      jobs.some((job) => job.metadata.uid === reference.uid && !isOver(job)),
    );
    for (const reference of active) {
      if (!jobs.some((job) => job.metadata.uid === reference.uid))
        this.#event(cronJob, 'MissingJob', `Active job went missing: ${reference.name}`);
    }
    return running.length === active.length ? cronJob : this.#write(cronJob, { ...cronJob.status, active: running });
  }

  async #cleanUp(cronJob: CronJob, jobs: readonly Job[]): Promise<void> {
    for (const job of planCleanup(cronJob, jobs)) await this.#delete(cronJob, job);
  }

  async #startOne(cronJob: CronJob, jobs: readonly Job[], time: number, run: Run): Promise<void> {
    const running = (cronJob.status.active ?? []).length > 0;
    // The reference's controller says nothing of a run that it skips.
    if (running && cronJob.spec.concurrencyPolicy === 'Forbid') return;
    let current = cronJob;
    if (running && cronJob.spec.concurrencyPolicy === 'Replace') {
      for (const job of jobs.filter((j) => !isOver(j))) await this.#delete(cronJob, job);
      current = await this.#write(cronJob, { ...cronJob.status, active: [] });
    }
    run.plan([{ create: nameAt(cronJob, time) }]);
    const job = await this.#create(current, time);
    if (!job) return;
    const active: Active = [...(current.status.active ?? []), this.#referenceTo(job)];
    await this.#write(current, { ...current.status, active, lastScheduleTime: rfc3339(time) });
  }

  async #create(cronJob: CronJob, time: number): Promise<Job | undefined> {
    const { metadata, spec } = cronJob.spec.jobTemplate;
    const draft: Draft<Job> = {
      metadata: {
        name: nameAt(cronJob, time),
        namespace: cronJob.metadata.namespace ?? '',
        ...(metadata?.labels ? { labels: metadata.labels } : {}),
        ...(metadata?.annotations ? { annotations: metadata.annotations } : {}),
        ownerReferences: [controllerReference(cronJob, cronJobsRef, this.#context.names)],
      },
      ...(spec ? { spec } : {}),
    };
    try {
      const job = await this.#context.client.of(jobsRef).create(draft);
      this.#event(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`);
      await this.#jobs.until(keyOf(job), (seen) => seen !== undefined);
      return job;
    } catch (problem) {
      // An earlier attempt made it, and was interrupted before it said so.
      if (isReason(problem, 'AlreadyExists'))
        return this.#jobs.get(`${cronJob.metadata.namespace}/${nameAt(cronJob, time)}`);
      if (isNamespaceTerminating(problem)) return undefined;
      this.#warn(cronJob, 'FailedCreate', `Error creating job: ${messageOf(problem)}`);
      throw problem;
    }
  }

  async #delete(cronJob: CronJob, job: Job): Promise<void> {
    try {
      await this.#context.client.of(jobsRef).delete(job, { propagationPolicy: 'Background' });
      this.#event(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  async #write(cronJob: CronJob, status: CronJob['status']): Promise<CronJob> {
    if (sameStatus(status, cronJob.status)) return cronJob;
    const written = await this.#context.client.of(cronJobsRef).updateStatus({ ...cronJob, status });
    await this.#cronJobs.until(
      keyOf(cronJob),
      (seen) => seen?.metadata.resourceVersion !== cronJob.metadata.resourceVersion,
    );
    return written;
  }

  #referenceTo(job: Job): Active[number] {
    const { name, namespace, uid, resourceVersion } = job.metadata;
    const apiVersion = apiVersionOf(jobsRef, this.#context.names);
    return {
      kind: 'Job',
      apiVersion,
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    };
  }

  #event(cronJob: CronJob, reason: string, message: string): void {
    this.#context.recorder.record(cronJob, 'Normal', reason, message);
  }

  #warn(cronJob: CronJob, reason: string, message: string): void {
    this.#context.recorder.record(cronJob, 'Warning', reason, message);
  }
}

/** A time as mail headers have it, with the offset in digits. */
const shownTime = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000');

/** Each time has one name, so that a run is not made twice. */
function nameAt(cronJob: CronJob, time: number): string {
  return `${cronJob.metadata.name}-${Math.floor(time / 1000)}`;
}

export function startCronJobs(context: ControllerContext): void {
  new CronJobs(context);
}
