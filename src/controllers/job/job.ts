/**
 * Jobs: as many pods as are asked for run to completion, so many at a time. Pods that fail are replaced ever later,
 * until the limit of retries or the deadline is reached.
 *
 * Watches jobs and pods.
 */
import { jobs as jobsRef, keyOf, pods as podsRef, type Informer, type Job, type Pod } from '../../client/index.ts';
import { isReason, selectorOfObject } from '../../schema/index.ts';
import {
  claim,
  controllerIn,
  controllerOf,
  inGrowingBatches,
  isNamespaceTerminating,
  PodControl,
  podFromTemplate,
  sameStatus,
  wakeOn,
  type ControllerContext,
  type Loop,
  type Run,
} from '../runtime/index.ts';
import {
  countPods,
  deadlineIn,
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
    this.#control = new PodControl(context.client, context.recorder, this.#pods);
    const backoff = { firstDelay: FIRST_BACKOFF, longestDelay: LONGEST_BACKOFF, keepsFailures: true };
    this.#loop = context.loop({ workers: 5, ...backoff, reconcile: (key, run) => this.#reconcile(key, run) });
    wakeOn(this.#loop, this.#jobs);
    this.#pods.on({
      added: (pod) => this.#wake(pod, 0),
      // A pod that failed is looked after later, the more often its job's pods have failed before.
      changed: (pod, old) => this.#wake(pod, pod.status.phase === 'Failed' && old.status.phase !== 'Failed' ? 1 : 0),
      deleted: (pod) => this.#wake(pod, 0),
    });
  }

  #wake(pod: Pod, failures: 0 | 1): void {
    for (const key of this.#ownersOf(pod)) {
      const before = this.#loop.failures(key);
      if (failures === 0 || before === 0) this.#loop.add(key, () => `pod ${keyOf(pod)} is ${pod.status.phase}`);
      else this.#loop.addAfter(key, Math.min(FIRST_BACKOFF * 2 ** (before - 1), LONGEST_BACKOFF));
    }
  }

  #ownersOf(pod: Pod): string[] {
    const owner = controllerIn(this.#jobs, 'Job', pod);
    if (owner || controllerOf(pod)) return owner ? [keyOf(owner)] : [];
    const candidates = this.#jobs.by('namespace', pod.metadata.namespace ?? '');
    return candidates
      .filter((job) => selectorOfObject(job.spec.selector).matches(pod.metadata.labels ?? {}))
      .map(keyOf);
  }

  async #reconcile(key: string, run: Run): Promise<number | void> {
    const job = this.#jobs.get(key);
    if (!job || isOver(job)) return this.#loop.forget(key);
    const now = this.#context.clock.now();
    const pods = await this.#claim(job);
    const counts = countPods(pods);
    const plan = planJob(job, pods, this.#loop.failures(key), now);
    run.plan([describe(plan)]);
    const { active, problem } = await this.#perform(job, plan, counts);
    const status = statusAfter(job, plan, counts, active, now);
    await this.#write(job, status);
    this.#tell(job, plan);
    if ((job.status.succeeded ?? 0) < counts.succeeded) this.#loop.forget(key);
    if (problem !== undefined && !isNamespaceTerminating(problem)) throw problem;
    if (counts.failed > (job.status.failed ?? 0) && plan.do === 'run')
      throw new Error(`failed pod(s) detected for job key ${key}`);
    const deadline = deadlineIn({ ...job, status }, now);
    return plan.do === 'run' && deadline !== Infinity ? deadline : undefined;
  }

  #claim(job: Job): Promise<Pod[]> {
    const pods = this.#pods.by('namespace', job.metadata.namespace ?? '');
    const claims = { client: this.#context.client, ref: podsRef, cache: this.#pods, owner: job, ownerRef: jobsRef };
    return claim(claims, selectorOfObject(job.spec.selector), pods);
  }

  /** Returns how many pods are active afterwards, and what went wrong. */
  async #perform(
    job: Job,
    plan: JobPlan,
    counts: Counts,
  ): Promise<{ readonly active: number; readonly problem?: unknown }> {
    let active = counts.active.length;
    try {
      if (plan.do === 'fail') await Promise.all(counts.active.map((pod) => this.#control.delete(pod, job)));
      if (plan.do !== 'run') return { active };
      await Promise.all(plan.remove.map((pod) => this.#control.delete(pod, job)));
      active -= plan.remove.length;
      const draft = podFromTemplate(job.spec.template, job, jobsRef, this.#context.client);
      await inGrowingBatches(plan.create, async () => {
        await this.#control.create(draft, job);
        active += 1;
      });
      return { active };
    } catch (problem) {
      return { active, problem };
    }
  }

  async #write(job: Job, status: JobStatus): Promise<void> {
    if (sameStatus(status, job.status)) return;
    try {
      await this.#context.client.of(jobsRef).updateStatus({ ...job, status });
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      throw problem;
    }
    await this.#jobs.until(keyOf(job), (seen) => seen?.metadata.resourceVersion !== job.metadata.resourceVersion);
  }

  #tell(job: Job, plan: JobPlan): void {
    const { recorder } = this.#context;
    if (plan.do === 'fail') recorder.record(job, 'Warning', plan.reason, plan.message);
    if (plan.do === 'complete') recorder.record(job, 'Normal', 'Completed', 'Job completed');
  }
}

function describe(plan: JobPlan): unknown {
  return plan.do === 'run' ? { ...plan, remove: plan.remove.map(keyOf) } : plan;
}

export function startJobs(context: ControllerContext): void {
  new Jobs(context);
}
