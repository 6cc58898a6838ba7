/**
 * Jobs: runs a number of pods to completion with limited parallelism. Failed pods are replaced with increasing delay,
 * up to the retry limit or the deadline.
 *
 * Watches jobs and pods.
 */
import { jobs as jobsRef, keyOf, pods as podsRef, type Informer, type Job, type Pod } from '../../client/index.ts';
import { selectorOfObject } from '../../schema/index.ts';
import {
  claim,
  claimableBy,
  inGrowingBatches,
  isNamespaceTerminating,
  PodControl,
  podFromTemplate,
  indexByController,
  ownersOf,
  wakeOn,
  wakingBy,
  writeStatus,
  type ControllerContext,
  type Loop,
  type Run,
} from '../runtime/index.ts';
import {
  countPods,
  deadlineIn,
  isNews,
  isOver,
  planJob,
  statusAfter,
  type Counts,
  type JobPlan,
  type JobStatus,
} from './plan.ts';

const FIRST_BACKOFF = 10_000;
const LONGEST_BACKOFF = 360_000;

class Jobs {
  readonly #context: ControllerContext;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #control: PodControl;
  readonly #loop: Loop;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#jobs = context.informers.of(jobsRef);
    this.#pods = context.informers.of(podsRef);
    indexByController(this.#pods);
    this.#control = new PodControl(context.client, context.recorder, this.#pods);
    const backoff = { firstDelay: FIRST_BACKOFF, longestDelay: LONGEST_BACKOFF, keepsFailures: true };
    this.#loop = context.loop({ workers: 5, ...backoff, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(this.#loop, this.#jobs);
    this.#pods.on({
      added: (pod) => this.#wake(pod, 0),
      // A failed pod is handled after a delay that grows with the failures of the job's pods.
      changed: (pod) => this.#wake(pod, pod.status.phase === 'Failed' ? 1 : 0),
      deleted: (pod) => this.#wake(pod, 0),
    });
  }

  #wake(pod: Pod, failures: 0 | 1): void {
    for (const key of this.#ownersOf(pod)) {
      const before = this.#loop.failures(key);
      if (failures === 0 || before === 0) this.#loop.add(key, () => wakingBy(pod, `is ${pod.status.phase}`));
      else this.#loop.addAfter(key, Math.min(FIRST_BACKOFF * 2 ** (before - 1), LONGEST_BACKOFF));
    }
  }

  #ownersOf(pod: Pod): string[] {
    return ownersOf(this.#jobs, 'Job', pod, ({ spec }) =>
      selectorOfObject(spec.selector).matches(pod.metadata.labels ?? {}),
    );
  }

  async #reconcile(key: string, run: Run): Promise<number | void> {
    const job = this.#jobs.get(key);
    if (!job || isOver(job)) return this.#loop.forget(key);
    const now = this.#context.clock.now();
    const pods = await this.#claim(job);
    const counts = countPods(pods);
    const plan = planJob(job, pods, now);
    run.plan([describe(plan)]);
    const { active, problem } = await this.#perform(job, plan, counts);
    const status = statusAfter(job, plan, counts, active, now);
    await this.#write(job, status);
    this.#recordEnd(job, plan, counts, active);
    const isRunning = plan.do === 'run' && !plan.isComplete;
    // Thrown, so that the job is retried after its back-off.
    if (isRunning && counts.failed > (job.status.failed ?? 0))
      throw new Error(`failed pod(s) detected for job key ${key}`);
    if (problem !== undefined && !isNamespaceTerminating(problem)) throw problem;
    if (isNews(status, job.status)) this.#loop.forget(key);
    const deadline = deadlineIn({ ...job, status }, now);
    return isRunning && deadline !== Infinity ? deadline : undefined;
  }

  #claim(job: Job): Promise<Pod[]> {
    const pods = claimableBy(this.#pods, job);
    const claims = { client: this.#context.client, ref: podsRef, cache: this.#pods, owner: job, ownerRef: jobsRef };
    return claim(claims, selectorOfObject(job.spec.selector), pods);
  }

  /** Returns the number of active pods afterwards, and the error, if any. */
  async #perform(
    job: Job,
    plan: JobPlan,
    counts: Counts,
  ): Promise<{ readonly active: number; readonly problem?: unknown }> {
    let active = counts.active.length;
    try {
      if (plan.do === 'fail') {
        await Promise.all(counts.active.map((pod) => this.#control.delete(pod, job)));
        return { active: 0 };
      }
      await Promise.all(plan.remove.map((pod) => this.#control.delete(pod, job)));
      active -= plan.remove.length;
      const draft = podFromTemplate(job.spec.template, job, jobsRef, this.#context.client);
      const createPod = this.#control.creator(draft, job);
      await inGrowingBatches(plan.create, async () => {
        await createPod();
        active += 1;
      });
      return { active };
    } catch (problem) {
      return { active, problem };
    }
  }

  async #write(job: Job, status: JobStatus): Promise<void> {
    if (!isNews(status, job.status)) return;
    await writeStatus({ client: this.#context.client, ref: jobsRef, cache: this.#jobs }, job, status);
  }

  #recordEnd(job: Job, plan: JobPlan, counts: Counts, active: number): void {
    const { recorder } = this.#context;
    if (plan.do === 'fail') return recorder.record(job, 'Warning', plan.reason, plan.message);
    if (!plan.isComplete) return;
    const wanted = job.spec.completions;
    const warn = (reason: string, what: string): void =>
      recorder.record(job, 'Warning', reason, `Too many ${what} pods running after completion count reached`);
    if (wanted !== undefined && active > 0) warn('TooManyActivePods', 'active');
    if (wanted !== undefined && counts.succeeded > wanted) warn('TooManySucceededPods', 'succeeded');
    recorder.record(job, 'Normal', 'Completed', 'Job completed');
  }
}

function describe(plan: JobPlan): unknown {
  return plan.do === 'run' ? { ...plan, remove: plan.remove.map(keyOf) } : plan;
}

export function startJobs(context: ControllerContext): void {
  new Jobs(context);
}
