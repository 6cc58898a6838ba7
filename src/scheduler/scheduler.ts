import {
  EventRecorder,
  keyOf,
  nodes as nodesRef,
  podDisruptionBudgets,
  pods as podsRef,
  type Client,
  type Informer,
  type Informers,
  type Pod,
  type PodDisruptionBudget,
} from '../client/index.ts';
import { isReason } from '../schema/index.ts';
import { must, rfc3339, type Clock, type Metrics } from '../std/index.ts';
import { SchedulerCache } from './cache.ts';
import { bindVolumes } from './bindVolumes.ts';
import { watchCluster } from './events.ts';
import { podInfoOf, type NodeInfo } from './framework/nodeInfo.ts';
import type { Cycle, Listers } from './framework/plugin.ts';
import type { Rejection } from './framework/run.ts';
import type { Profile } from './config/index.ts';
import { SchedulerMetrics, type Result } from './metrics.ts';
import { Nominations } from './nominations.ts';
import { checkAs, place, type PlacementRules } from './place.ts';
import { choose, describeVictims, mayPreempt } from './preemption.ts';
import { SchedulingQueue, type Backoff, type Queued } from './queue.ts';

export interface SchedulerOptions extends Omit<PlacementRules, 'nominations' | 'plugins'> {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: Informers;
  readonly listers: Listers;
  /** The ways of scheduling; pods that name one of them are this scheduler's own. */
  readonly profiles: readonly Profile[];
  /** Milliseconds before a pod that failed is tried again: the first time, and at the longest. */
  readonly backoff: Backoff;
  /** Where the process counts. */
  readonly metrics: Metrics;
}

/** Takes pods from the queue one by one, finds each a node, and tells the server. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #nominations = new Nominations();
  readonly #cache = new SchedulerCache();
  readonly #queue: SchedulingQueue;
  readonly #metrics: SchedulerMetrics;
  readonly #pods: Informer<Pod>;
  readonly #budgets: Informer<PodDisruptionBudget>;
  readonly #profiles: ReadonlyMap<string, Profile & { readonly recorder: EventRecorder }>;
  #start = 0;

  constructor(options: SchedulerOptions) {
    const { client, clock, informers, tracer, profiles, backoff } = options;
    this.#options = options;
    this.#queue = new SchedulingQueue(clock, tracer, backoff, (place, event) => this.#metrics.incoming(place, event));
    this.#metrics = new SchedulerMetrics(options.metrics, clock, () => ({
      lengths: this.#queue.lengths,
      cached: this.#cache.sizes,
    }));
    const recorder = (component: string): EventRecorder => new EventRecorder({ client, clock, source: { component } });
    this.#profiles = new Map(
      profiles.map((profile) => [profile.name, { ...profile, recorder: recorder(profile.name) }]),
    );
    this.#pods = informers.of(podsRef);
    this.#budgets = informers.of(podDisruptionBudgets);
    informers.of(nodesRef);
    const isOurs = (pod: Pod): boolean => this.#profiles.has(pod.spec.schedulerName ?? '');
    watchCluster({
      informers,
      cache: this.#cache,
      queue: this.#queue,
      isOurs,
      settled: (pod) => this.#nominations.remove(pod),
    });
  }

  /** Only pods that name a profile are taken in, and their name of it never changes. */
  #profileOf(pod: Pod): Profile & { readonly recorder: EventRecorder } {
    return must(this.#profiles.get(pod.spec.schedulerName ?? ''), 'a pod in the queue names a profile');
  }

  #rulesFor(pod: Pod): PlacementRules {
    return { ...this.#options, plugins: this.#profileOf(pod).plugins, nominations: this.#nominations };
  }

  async run(): Promise<void> {
    await this.#options.informers.synced();
    for (let queued = await this.#queue.pop(); queued; queued = await this.#queue.pop()) await this.#schedule(queued);
  }

  stop(): void {
    this.#queue.close();
    this.#metrics.stop();
  }

  async #schedule(queued: Queued): Promise<void> {
    const pod = this.#pods.get(keyOf(queued.pod));
    if (!pod || pod.spec.nodeName || pod.metadata.deletionTimestamp !== undefined || this.#cache.isAssumed(pod)) return;
    queued.pod = pod;
    queued.began = this.#options.clock.now();
    const cycle: Cycle = {
      pod,
      info: podInfoOf(pod),
      snapshot: this.#cache.snapshot(),
      listers: this.#options.listers,
    };
    try {
      const { placement, asked } = place(cycle, this.#rulesFor(pod), this.#start);
      this.#start = (this.#start + asked) % Math.max(1, cycle.snapshot.nodes.length);
      this.#metrics.chosen(queued.began);
      if (placement.node) this.#assume(queued, cycle, placement.node);
      else await this.#fail(queued, cycle, placement.why, placement.rejections);
    } catch (problem) {
      await this.#refused(queued, problem);
    }
  }

  /** Counts the pod as placed and goes on with the next one, while the server is being told. */
  #assume(queued: Queued, cycle: Cycle, node: NodeInfo): void {
    this.#cache.assume(queued.pod, node.name);
    this.#nominations.remove(queued.pod);
    void this.#bind(queued, cycle, node).catch((problem: unknown) => {
      this.#cache.forget(queued.pod);
      return this.#refused(queued, problem);
    });
  }

  async #bind(queued: Queued, cycle: Cycle, node: NodeInfo): Promise<void> {
    const { pod } = queued;
    const began = this.#options.clock.now();
    await bindVolumes(this.#options, cycle, node);
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: node.name };
    await this.#options.client
      .of(podsRef)
      .post(pod, 'binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target });
    this.#profileOf(pod).recorder.record(
      pod,
      'Normal',
      'Scheduled',
      `Successfully assigned ${keyOf(pod)} to ${node.name}`,
    );
    this.#trace(pod, { what: 'bound', node: node.name });
    this.#metrics.bound(began, queued.came, queued.attempts);
    this.#attempted(queued, 'scheduled');
  }

  async #fail(queued: Queued, cycle: Cycle, why: string, rejections: readonly Rejection[]): Promise<void> {
    const { pod } = queued;
    const nominated = await this.#preempt(cycle, rejections);
    this.#trace(pod, { what: 'failed', why });
    this.#profileOf(pod).recorder.record(pod, 'Warning', 'FailedScheduling', why);
    this.#attempted(queued, 'unschedulable');
    this.#queue.giveBack(queued);
    await this.#tell(pod, 'Unschedulable', why, nominated);
  }

  /** Neither the pod nor the nodes are to blame: the server refused, or the program went wrong. */
  async #refused(queued: Queued, problem: unknown): Promise<void> {
    const { pod } = queued;
    if (!this.#pods.get(keyOf(pod)) || isReason(problem, 'NotFound')) return;
    const why = problem instanceof Error ? problem.message : String(problem);
    this.#trace(pod, { what: 'failed', why });
    this.#profileOf(pod).recorder.record(pod, 'Warning', 'FailedScheduling', why);
    this.#attempted(queued, 'error');
    this.#queue.retry(queued);
    await this.#tell(pod, 'SchedulerError', why, undefined);
  }

  /** Makes room by deleting pods of lower priority; returns the node, '' where there is nothing to be done, undefined where nothing is to change. */
  async #preempt(cycle: Cycle, rejections: readonly Rejection[]): Promise<string | undefined> {
    const { pod, snapshot } = cycle;
    const { preempts, plugins } = this.#profileOf(pod);
    if (!preempts || !mayPreempt(pod, snapshot)) return undefined;
    const nodes = rejections.filter(({ refusal }) => refusal.resolvable).map(({ node }) => node);
    const fits = (node: NodeInfo): boolean => checkAs(cycle, plugins, node) === undefined;
    const candidate = choose({ pod, snapshot, nodes, budgets: this.#budgets.list(), fits });
    this.#metrics.preempted(candidate?.victims.length ?? 0);
    if (!candidate) return this.#unnominate(pod);
    this.#trace(pod, { what: 'preempting', node: candidate.node, victims: describeVictims(candidate) });
    for (const victim of candidate.victims) await this.#evict(victim, pod, candidate.node);
    for (const other of this.#nominations.lessImportantOn(candidate.node, pod)) await this.#withdraw(other);
    this.#nominations.set(pod, candidate.node);
    return candidate.node;
  }

  /** Room that was made for a pod goes to one that matters more: the pod's status must not promise it any longer. */
  async #withdraw(pod: Pod): Promise<void> {
    this.#unnominate(pod);
    try {
      await this.#options.client
        .of(podsRef)
        .patch(pod, 'strategic', { status: { nominatedNodeName: null } }, { subresource: 'status' });
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  #unnominate(pod: Pod): string {
    this.#nominations.remove(pod);
    return '';
  }

  async #evict(victim: Pod, by: Pod, node: string): Promise<void> {
    try {
      await this.#options.client.of(podsRef).delete(victim);
      this.#profileOf(by).recorder.record(victim, 'Normal', 'Preempted', `Preempted by ${keyOf(by)} on node ${node}`);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  /** Writes into the pod's status why it has no node, and where room is being made for it. */
  async #tell(pod: Pod, reason: string, message: string, nominated: string | undefined): Promise<void> {
    const current = pod.status.conditions?.find((condition) => condition.type === 'PodScheduled');
    const same = current?.status === 'False' && current.reason === reason && current.message === message;
    const renominated = nominated !== undefined && nominated !== (pod.status.nominatedNodeName ?? '');
    if (same && !renominated) return;
    const since =
      current?.status === 'False' && current.lastTransitionTime
        ? current.lastTransitionTime
        : rfc3339(this.#options.clock.now());
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastProbeTime: null,
      lastTransitionTime: since,
    };
    const status = {
      ...(same ? {} : { conditions: [condition] }),
      ...(renominated ? { nominatedNodeName: nominated || null } : {}),
    };
    try {
      await this.#options.client.of(podsRef).patch(pod, 'strategic', { status }, { subresource: 'status' });
    } catch {
      // The pod may be gone, or somebody wrote meanwhile; the next attempt says it again.
    }
  }

  #attempted({ pod, began }: Queued, result: Result): void {
    this.#metrics.attempted(result, this.#profileOf(pod).name, began);
  }

  #trace(
    pod: Pod,
    what:
      | { readonly what: 'bound'; readonly node: string }
      | { readonly what: 'failed'; readonly why: string }
      | { readonly what: 'preempting'; readonly node: string; readonly victims: readonly string[] },
  ): void {
    if (!this.#options.tracer.wants('scheduling')) return;
    this.#options.tracer.emit({ topic: 'scheduling', pod: keyOf(pod), uid: pod.metadata.uid ?? '', ...what });
  }
}
