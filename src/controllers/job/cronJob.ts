/**
 * Cron jobs: creates a job from a template at each scheduled time, unless the policy says to skip it or to replace a
 * job that is still running.
 *
 * Watches cron jobs and jobs.
 */
import {
  apiVersionOf,
  cronJobs as cronJobsRef,
  jobs as jobsRef,
  keyOf,
  namespaceOf,
  type CronJob,
  type Draft,
  type Informer,
  type Job,
} from '../../client/index.ts';
import { controllerOf } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import {
  controllerIn,
  controllerReference,
  deleteIfPresent,
  isNamespaceTerminating,
  messageOf,
  wakeOn,
  writeStatus,
  type ControllerContext,
  type Run,
} from '../runtime/index.ts';
import { dueOf, finishedJobs, planCleanup } from './cronPlan.ts';
import { isOver } from './plan.ts';

type Active = NonNullable<CronJob['status']['active']>;

/** Milliseconds until a run that could not be started is retried: the reference checks every ten seconds. */
const RETRY_AFTER = 10_000;

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
      .by('namespace', namespaceOf(found))
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
    const retry = due.is === 'now' ? await this.#startOne(cronJob, due.time, run) : undefined;
    const wait = Math.min(due.next - now, retry ?? Infinity);
    return wait === Infinity ? undefined : wait;
  }

  /** The list of active jobs, without finished and deleted ones. */
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

  /** Starts the job of a scheduled time. Returns the milliseconds until the next attempt if it failed. */
  async #startOne(cronJob: CronJob, time: number, run: Run): Promise<number | void> {
    const { concurrencyPolicy } = cronJob.spec;
    const running = cronJob.status.active ?? [];
    // The reference records no event for a skipped run.
    if (concurrencyPolicy === 'Forbid' && running.length > 0) return;
    if (concurrencyPolicy === 'Replace' && !(await this.#replace(cronJob, running))) return RETRY_AFTER;
    run.plan([{ create: nameAt(cronJob, time) }]);
    const job = await this.#create(cronJob, time);
    if (!job) return RETRY_AFTER;
    const others = concurrencyPolicy === 'Replace' ? [] : running;
    const active: Active = [...others, this.#referenceTo(job)];
    await this.#write(cronJob, { ...cronJob.status, active, lastScheduleTime: rfc3339(time) });
  }

  /** Deletes running jobs; returns whether all are deleted. */
  async #replace(cronJob: CronJob, running: Active): Promise<boolean> {
    for (const { namespace = '', name = '' } of running) {
      try {
        const job = await this.#context.client.of(jobsRef).get(name, namespace);
        await this.#delete(cronJob, job);
      } catch (problem) {
        this.#warn(cronJob, 'FailedGet', `Get job: ${messageOf(problem)}`);
        return false;
      }
    }
    return true;
  }

  /** An existing job of the same name that belongs to somebody else is an error. */
  async #create(cronJob: CronJob, time: number): Promise<Job | undefined> {
    const { metadata, spec } = cronJob.spec.jobTemplate;
    const draft: Draft<Job> = {
      metadata: {
        name: nameAt(cronJob, time),
        namespace: namespaceOf(cronJob),
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
      if (!isNamespaceTerminating(problem))
        this.#warn(cronJob, 'FailedCreate', `Error creating job: ${messageOf(problem)}`);
      return undefined;
    }
  }

  async #delete(cronJob: CronJob, job: Job): Promise<void> {
    if (await deleteIfPresent(this.#context.client, jobsRef, job, { propagationPolicy: 'Background' }))
      this.#event(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }

  async #write(cronJob: CronJob, status: CronJob['status']): Promise<CronJob> {
    const written = { client: this.#context.client, ref: cronJobsRef, cache: this.#cronJobs };
    return (await writeStatus(written, cronJob, status)) ?? cronJob;
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

/** A time in the format of mail headers, with a numeric offset. */
const shownTime = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000');

/** The name is derived from the time, so that a run is not created twice. */
function nameAt(cronJob: CronJob, time: number): string {
  return `${cronJob.metadata.name}-${Math.floor(time / 1000)}`;
}

export function startCronJobs(context: ControllerContext): void {
  new CronJobs(context);
}
