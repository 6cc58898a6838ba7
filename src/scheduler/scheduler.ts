import {
  keyOf,
  nodes as nodesRef,
  podDisruptionBudgets,
  pods as podsRef,
  SeriesRecorder,
  type Client,
  type Informer,
  type Informers,
  type Pod,
  type PodDisruptionBudget,
} from '../client/index.ts';
import { inBackground, must, yieldToTasks, throwToHost, type Clock, type Metrics, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { AssumedVolumes } from './assumedVolumes.ts';
import { Binder } from './binder.ts';
import { SchedulerCache } from './cache.ts';
import type { Profile } from './config/index.ts';
import { Decisions, type Decision } from './decisions.ts';
import { watchCluster } from './events.ts';
import { filterByExtenders, withScoresOfExtenders, type Extender } from './extender/index.ts';
import { podInfoOf, type NodeInfo } from './framework/nodeInfo.ts';
import type { Cycle, Listers } from './framework/plugin.ts';
import { scoreNodes } from './framework/run.ts';
import { Verdicts } from './framework/verdicts.ts';
import { SchedulerMetrics, type Result } from './metrics.ts';
import { Nominations } from './nominations.ts';
import { pick, runFilters, whyNone, type FilterOutcome, type FilterRules } from './place.ts';
import { PodStatusWriter, refusalOf } from './podStatus.ts';
import { Preemptor } from './preempt.ts';
import { describeVictims } from './preemption.ts';
import { SchedulingQueue, type Backoff, type Queued, type SchedulerView } from './queue.ts';
import { SchedulingTrace } from './schedulingTrace.ts';

/** The host part of the reporting instance in events; there is only one process. */
const HOST = 'vitrine';

/** The number of pods tried before the scheduler yields to other tasks. */
const PODS_IN_A_ROW = 4;

export interface SchedulerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: Informers;
  readonly listers: Listers;
  readonly assumedVolumes: AssumedVolumes;
  readonly random: Random;
  readonly tracer: Tracer;
  /** The profiles; pods that name one of them belong to this scheduler. */
  readonly profiles: readonly Profile[];
  readonly extenders: readonly Extender[];
  /** The percentage of nodes to find; 0 derives it from the number of nodes. */
  readonly percentage: number;
  /** The initial and the maximum back-off of failed pods, in milliseconds. */
  readonly backoff: Backoff;
  /** The metrics of the process. */
  readonly metrics: Metrics;
}

/** A snapshot of the scheduler's state, for questions about it. */
export interface SchedulerNow {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominations: Nominations;
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly listers: Listers;
  readonly budgets: readonly PodDisruptionBudget[];
  /** The extenders. */
  readonly extenders: readonly Extender[];
  readonly percentage: number;
  /** The index of the node where the next search starts. */
  readonly start: number;
  pod(key: string): Pod | undefined;
  decisionAbout(pod: Pod): Decision | undefined;
}

type RunningProfile = Profile & { readonly recorder: SeriesRecorder };

/** The selected node, or the filter results without one. */
type Found = { readonly node: NodeInfo } | { readonly node: undefined; readonly outcome: FilterOutcome };

/** Takes pods from the queue one by one, finds a node for each, and binds it. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #nominations = new Nominations();
  readonly #decisions = new Decisions();
  readonly #cache: SchedulerCache;
  readonly #verdicts = new Verdicts();
  readonly #queue: SchedulingQueue;
  readonly #metrics: SchedulerMetrics;
  readonly #trace: SchedulingTrace;
  readonly #statuses: PodStatusWriter;
  readonly #binder: Binder;
  readonly #preemptor: Preemptor;
  readonly #pods: Informer<Pod>;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #profiles: ReadonlyMap<string, RunningProfile>;
  /** The index of the node where the next search starts, and of the last one. */
  #start = 0;
  #began = 0;

  constructor(options: SchedulerOptions) {
    const { client, clock, informers, tracer, profiles, backoff, extenders } = options;
    this.#options = options;
    this.#cache = new SchedulerCache(options.listers.names);
    this.#queue = new SchedulingQueue(clock, tracer, backoff, (lane, event) => this.#metrics.incoming(lane, event));
    this.#metrics = new SchedulerMetrics(options.metrics, clock, () => ({
      lengths: this.#queue.lengths,
      cached: this.#cache.sizes,
    }));
    this.#trace = new SchedulingTrace(tracer);
    const recorder = (controller: string): SeriesRecorder =>
      new SeriesRecorder({ client, clock, controller, instance: `${controller}-${HOST}` });
    this.#profiles = new Map(
      profiles.map((profile) => [profile.name, { ...profile, recorder: recorder(profile.name) }]),
    );
    this.#statuses = new PodStatusWriter(client, clock);
    this.#binder = new Binder(options);
    this.#pods = informers.of(podsRef);
    this.#budgets = informers.of(podDisruptionBudgets);
    this.#preemptor = new Preemptor({
      ...{ client, extenders, statuses: this.#statuses, nominations: this.#nominations },
      budgets: () => this.#budgets.list(),
      offset: (nodes) => options.random.int(nodes),
    });
    informers.of(nodesRef);
    watchCluster({
      ...{ informers, cache: this.#cache, queue: this.#queue, nominations: this.#nominations },
      decisions: this.#decisions,
      isOurs: (pod) => this.#profiles.has(pod.spec.schedulerName ?? ''),
    });
  }

  async run(): Promise<void> {
    await this.#options.informers.synced();
    for (let tried = 1; ; tried++) {
      const queued = await this.#queue.pop();
      if (!queued) return;
      try {
        await this.#schedule(queued);
      } catch (problem) {
        throwToHost(problem);
        this.#queue.addUnschedulable(queued, messageOf(problem));
      }
      if (tried % PODS_IN_A_ROW === 0) await yieldToTasks();
    }
  }

  /** Queues waiting pods according to their status, for a cluster in which no pod is scheduled any more. */
  async recall(): Promise<void> {
    await this.#options.informers.synced();
    for (const pod of this.#pods.list()) {
      const refusal = refusalOf(pod);
      if (refusal) this.#queue.recall(pod, refusal.message ?? '', Date.parse(refusal.lastTransitionTime ?? '') || 0);
    }
  }

  stop(): void {
    this.#queue.close();
    this.#metrics.stop();
    for (const { recorder } of this.#profiles.values()) recorder.stop();
  }

  view(): SchedulerView {
    const queue = this.#queue;
    return {
      ...{ waiting: queue.lengths.active, next: queue.some() },
      ...{ delayed: queue.backingOff(), paused: queue.paused },
    };
  }

  setPaused(paused: boolean): void {
    this.#queue.setPaused(paused);
  }

  step(): void {
    this.#queue.step();
  }

  /** The current state, from which questions are answered. */
  now(): SchedulerNow {
    const { clock, listers, percentage, extenders } = this.#options;
    const [cache, queue, nominations, profiles] = [this.#cache, this.#queue, this.#nominations, this.#profiles];
    return {
      ...{ at: clock.now(), cache, queue, nominations, profiles, listers, percentage },
      budgets: this.#budgets.list(),
      extenders,
      start: this.#start,
      pod: (key) => this.#pods.get(key),
      decisionAbout: (pod) => this.#decisions.of(pod.metadata.uid ?? ''),
    };
  }

  /** Only pods of a profile are queued, and their scheduler name never changes. */
  #profileOf(pod: Pod): RunningProfile {
    return must(this.#profiles.get(pod.spec.schedulerName ?? ''), 'a pod in the queue names a profile');
  }

  async #schedule(queued: Queued): Promise<void> {
    const pod = this.#pods.get(keyOf(queued.pod));
    if (!pod || pod.metadata.uid !== queued.pod.metadata.uid || pod.spec.nodeName || this.#cache.isAssumed(pod)) return;
    if (pod.metadata.deletionTimestamp !== undefined)
      return this.#recordFailure(pod, `skip schedule deleting pod: ${keyOf(pod)}`);
    queued.pod = pod;
    queued.began = this.#options.clock.now();
    const { listers } = this.#options;
    const cycle: Cycle = { pod, info: podInfoOf(pod), snapshot: this.#cache.snapshot(), listers };
    try {
      const found = await this.#findNode(cycle);
      this.#metrics.chosen(queued.began);
      if (found.node) this.#assume(queued, cycle, found.node);
      else await this.#preemptFor(queued, cycle, found.outcome);
    } catch (problem) {
      await this.#fail(queued, { why: messageOf(problem), reason: 'Unschedulable', result: 'error' });
    }
  }

  async #findNode(cycle: Cycle): Promise<Found> {
    const { extenders } = this.#options;
    const known = this.#verdicts.about(cycle, this.#profileOf(cycle.pod).plugins);
    const filtered = this.#filter(cycle, known);
    const after = extenders.length > 0 ? await filterByExtenders(extenders, cycle.pod, filtered.feasible) : undefined;
    const feasible = after?.feasible ?? filtered.feasible;
    const rejections = after ? [...filtered.rejections, ...after.rejections] : filtered.rejections;
    this.#trace.filtered(cycle.pod, feasible, rejections);
    const [first] = feasible;
    if (!first) return { node: undefined, outcome: { ...filtered, feasible, rejections } };
    return { node: feasible.length === 1 ? first : await this.#best(cycle, feasible, known) };
  }

  #filter(cycle: Cycle, known: Verdicts | undefined): FilterOutcome {
    const { plugins, asksAll } = this.#profileOf(cycle.pod);
    const rules: FilterRules = {
      ...{ plugins, asksAll, known },
      percentage: this.#options.percentage,
      nominatedOn: (node) => this.#nominations.reservedOn(node, cycle.info),
    };
    this.#began = this.#start;
    const outcome = runFilters(cycle, rules, this.#start);
    this.#start = (this.#start + outcome.asked) % Math.max(1, cycle.snapshot.list.length);
    return outcome;
  }

  /** The node with the highest score; a random one among equals. */
  async #best(cycle: Cycle, feasible: readonly NodeInfo[], known: Verdicts | undefined): Promise<NodeInfo> {
    const { extenders, random } = this.#options;
    const scored = scoreNodes(this.#profileOf(cycle.pod).plugins, cycle, feasible, known);
    const all = await withScoresOfExtenders(scored, extenders, cycle.pod, feasible);
    this.#trace.scored(cycle.pod, feasible, all);
    return feasible[pick(all.totals, random)] as NodeInfo;
  }

  #decided({ pod, snapshot: { list: nodes } }: Cycle, what: Partial<Decision>): void {
    const reserved = this.#nominations.all();
    this.#decisions.note({ ...{ pod, nodes, reserved, start: this.#began, at: this.#options.clock.now() }, ...what });
  }

  /** Assumes that the pod is on its node and continues with the next pod while it is being bound. */
  #assume(queued: Queued, cycle: Cycle, node: NodeInfo): void {
    const { pod } = queued;
    this.#decided(cycle, { node: node.name });
    const bindings = this.#binder.reserveVolumes(cycle, node);
    this.#cache.assume(pod, node.name);
    this.#nominations.remove(pod);
    const began = this.#options.clock.now();
    const bound = this.#binder
      .bind(pod, node.name, bindings)
      .then(() => this.#bound(queued, node.name, began))
      .catch((problem: unknown) => {
        this.#cache.forget(pod);
        const why = `binding rejected: ${messageOf(problem)}`;
        return this.#fail(queued, { why, reason: 'SchedulerError', result: 'error' });
      });
    inBackground(bound, throwToHost);
  }

  #bound(queued: Queued, node: string, began: number): void {
    const { pod } = queued;
    const note = `Successfully assigned ${keyOf(pod)} to ${node}`;
    this.#profileOf(pod).recorder.record(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note });
    this.#trace.bound(pod, node);
    this.#metrics.bound(began, queued.added, queued.attempts);
    this.#attempted(queued, 'scheduled');
  }

  /** The pod fits nowhere: tries preemption. */
  async #preemptFor(queued: Queued, cycle: Cycle, outcome: FilterOutcome): Promise<void> {
    const { pod, snapshot } = cycle;
    const { preemption } = this.#profileOf(pod);
    const why = whyNone(snapshot.list.length, outcome.rejections);
    const tries = preemption && snapshot.list.length > 0;
    // If preemption fails, the pod stays unschedulable with its earlier reason.
    const nominated = tries ? await this.#preempt(cycle, outcome, preemption).catch(() => '') : '';
    const refusedBy = [...new Set(outcome.rejections.map(({ plugin }) => plugin))];
    this.#decided(cycle, { why, refusedBy, ...(nominated !== '' && { nominated }) });
    await this.#fail(queued, { why, reason: 'Unschedulable', result: 'unschedulable', nominated });
  }

  /** Returns the nominated node, or an empty text. */
  async #preempt(cycle: Cycle, outcome: FilterOutcome, args: NonNullable<Profile['preemption']>): Promise<string> {
    const { pod } = cycle;
    const candidate = await this.#preemptor.choose(cycle, outcome, args);
    this.#metrics.preempted(candidate?.victims.length ?? 0);
    if (!candidate) return '';
    this.#trace.preempting(pod, candidate.node, describeVictims(candidate));
    await this.#preemptor.carryOut(cycle, candidate, this.#profileOf(pod).recorder);
    return candidate.node;
  }

  /** Returns the pod to the queue, and reports why it is not scheduled. */
  async #fail(
    queued: Queued,
    { why, reason, result, nominated = '' }: { why: string; reason: string; result: Result; nominated?: string },
  ): Promise<void> {
    // What ends with the scheduler is no failure of the pod.
    if (this.#pods.stopped) return;
    this.#attempted(queued, result);
    const pod = this.#pods.get(keyOf(queued.pod));
    if (!pod || pod.metadata.uid !== queued.pod.metadata.uid || pod.spec.nodeName) return;
    queued.pod = pod;
    this.#queue.addUnschedulable(queued, why);
    if (nominated === '') this.#nominations.follow(pod);
    else this.#nominations.set(pod, nominated);
    this.#recordFailure(pod, why);
    await this.#statuses.sayUnscheduled(pod, reason, why, nominated);
  }

  #recordFailure(pod: Pod, note: string): void {
    this.#trace.failed(pod, note);
    const report = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note } as const;
    this.#profileOf(pod).recorder.record(pod, report);
  }

  #attempted({ pod, began }: Queued, result: Result): void {
    this.#metrics.attempted(result, this.#profileOf(pod).name, began);
  }
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
