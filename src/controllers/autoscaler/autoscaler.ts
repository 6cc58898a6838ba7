/**
 * Horizontal autoscalers: the number of replicas follows the usage of the pods, within bounds and limited in speed.
 * Usage is read from the metrics API, or from an annotation of the pod; other metrics from the custom and external
 * metrics APIs. Conditions report missing metrics.
 *
 * Watches autoscalers and pods; requests the scale of each target.
 */
import {
  horizontalPodAutoscalers,
  keyOf,
  namespaceOf,
  pods as podsRef,
  type DiscoveredResource,
  type HorizontalPodAutoscaler,
  type Informer,
  type Pod,
  type ResourceRef,
} from '../../client/index.ts';
import {
  autoscalerAtV1,
  groupOf,
  isReason,
  parseLabelSelector,
  type ApiObject,
  type Selector,
} from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { conditionOf, messageOf, sameStatus, waitForCache, type ControllerContext } from '../runtime/index.ts';
import { MetricError, propose, type Proposal } from './metrics.ts';
import { decide, firstMemory, withChange, withRecommendation, type Memory, type Verdict } from './plan.ts';
import type { Measured, WarmUp } from './replicas.ts';
import { readMetrics } from './readings.ts';
import { servedUsage } from './usage.ts';

type Autoscaler = HorizontalPodAutoscaler;
type Status = Autoscaler['status'];
type Condition = NonNullable<Status['conditions']>[number];

interface Scale extends ApiObject {
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly selector?: string };
}

interface Target {
  readonly resource: DiscoveredResource;
  readonly scale: Scale;
}

/** The desired size of a target. */
interface DesiredSize {
  readonly replicas: number;
  readonly why: string;
  readonly metrics: NonNullable<Status['currentMetrics']>;
}

const autoscalersAtV1: ResourceRef = { ...horizontalPodAutoscalers, version: 'v1' };

const DISABLED = 'scaling is disabled since the replica count of the target is zero';

/** Collects changes, which are written at the end of a run. */
class Draft {
  readonly #now: string;
  #conditions: Condition[];
  status: Status;

  constructor(autoscaler: Autoscaler, now: number) {
    this.#now = rfc3339(now);
    this.#conditions = [...(autoscaler.status.conditions ?? [])];
    this.status = autoscaler.status;
  }

  say(type: string, status: 'True' | 'False', reason: string, message: string): void {
    const known = conditionOf(this.#conditions, type);
    const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? this.#now) : this.#now;
    const condition: Condition = { type, status, reason, message, lastTransitionTime };
    this.#conditions = known
      ? this.#conditions.map((c) => (c === known ? condition : c))
      : [...this.#conditions, condition];
  }

  get result(): Status {
    return { ...this.status, conditions: this.#conditions };
  }
}

class Autoscalers {
  readonly #context: ControllerContext;
  readonly #autoscalers: Informer<Autoscaler>;
  readonly #pods: Informer<Pod>;
  readonly #memories = new Map<string, Memory>();
  readonly #period: number;
  readonly #tolerance: number;
  readonly #window: number;
  readonly #warmUp: WarmUp;

  constructor(context: ControllerContext) {
    const { flags, informers } = context;
    this.#context = context;
    this.#autoscalers = informers.of(horizontalPodAutoscalers);
    this.#pods = informers.of(podsRef);
    this.#period = flags.duration('horizontal-pod-autoscaler-sync-period');
    this.#tolerance = flags.number('horizontal-pod-autoscaler-tolerance');
    this.#window = flags.duration('horizontal-pod-autoscaler-downscale-stabilization');
    this.#warmUp = {
      initialization: flags.duration('horizontal-pod-autoscaler-cpu-initialization-period'),
      readinessDelay: flags.duration('horizontal-pod-autoscaler-initial-readiness-delay'),
    };
    const loop = context.loop({ reconcile: (key) => this.#reconcile(key) });
    // Even the first run is a period away, so that pods have time to report usage.
    const due = (autoscaler: Autoscaler): void => loop.addAfter(keyOf(autoscaler), this.#period);
    this.#autoscalers.on({ added: due, changed: due });
    this.#autoscalers.on({ deleted: (gone) => this.#memories.delete(keyOf(gone)) });
  }

  async #reconcile(key: string): Promise<number | void> {
    const autoscaler = this.#autoscalers.get(key);
    if (!autoscaler) return;
    const draft = new Draft(autoscaler, this.#context.clock.now());
    const target = await this.#findTarget(autoscaler, draft);
    if (target) await this.#scale(autoscaler, target, draft);
    await this.#write(autoscaler, draft.result);
    return this.#period;
  }

  async #findTarget(autoscaler: Autoscaler, draft: Draft): Promise<Target | undefined> {
    const { kind, name, apiVersion = 'v1' } = autoscaler.spec.scaleTargetRef;
    try {
      // Any version of the group works.
      const resource = await this.#context.served.resourceInGroup(targetGroup(apiVersion), kind);
      const scale = (await this.#context.client
        .of(resource)
        .get(name, autoscaler.metadata.namespace, 'scale')) as Scale;
      draft.say(
        'AbleToScale',
        'True',
        'SucceededGetScale',
        "the HPA controller was able to get the target's current scale",
      );
      return { resource, scale };
    } catch (problem) {
      this.#warn(autoscaler, 'FailedGetScale', messageOf(problem));
      draft.say(
        'AbleToScale',
        'False',
        'FailedGetScale',
        `the HPA controller was unable to get the target's current scale: ${messageOf(problem)}`,
      );
      return undefined;
    }
  }

  /** Sets the target to the number of replicas that bounds and metrics require. */
  async #scale(autoscaler: Autoscaler, target: Target, draft: Draft): Promise<void> {
    const current = target.scale.spec.replicas ?? 0;
    const memory = this.#memories.get(keyOf(autoscaler)) ?? firstMemory(current, this.#context.clock.now());
    this.#memories.set(keyOf(autoscaler), memory);
    const wanted = await this.#wanted(autoscaler, target.scale, draft);
    const isDone = wanted && (wanted.replicas === current || (await this.#resize(autoscaler, target, wanted, draft)));
    // If something can't be computed or done, the desired number and the metrics stay unchanged.
    const { lastScaleTime, desiredReplicas, currentMetrics } = draft.status;
    const metrics = isDone ? wanted.metrics : currentMetrics;
    draft.status = {
      currentReplicas: current,
      desiredReplicas: isDone ? wanted.replicas : desiredReplicas,
      ...(metrics && metrics.length > 0 ? { currentMetrics: metrics } : {}),
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    } as Status;
  }

  /** The desired number of replicas; undefined if the metrics are unavailable. */
  async #wanted(autoscaler: Autoscaler, scale: Scale, draft: Draft): Promise<DesiredSize | undefined> {
    const current = scale.spec.replicas ?? 0;
    const { minReplicas = 1, maxReplicas } = autoscaler.spec;
    if (current === 0 && minReplicas !== 0) {
      draft.say('ScalingActive', 'False', 'ScalingDisabled', DISABLED);
      return { replicas: 0, why: '', metrics: [] };
    }
    if (current > maxReplicas)
      return { replicas: maxReplicas, why: 'Current number of replicas above Spec.MaxReplicas', metrics: [] };
    if (current < minReplicas)
      return { replicas: minReplicas, why: 'Current number of replicas below Spec.MinReplicas', metrics: [] };
    return this.#byMetrics(autoscaler, scale, draft);
  }

  async #byMetrics(autoscaler: Autoscaler, scale: Scale, draft: Draft): Promise<DesiredSize | undefined> {
    const current = scale.spec.replicas ?? 0;
    const metrics = await this.#proposals(autoscaler, scale, draft);
    const proposals = metrics.filter((metric) => metric !== undefined);
    const highest = proposals.reduce<Proposal | undefined>(
      (best, proposal) => (best && best.replicas >= proposal.replicas ? best : proposal),
      undefined,
    );
    if (!highest) return undefined;
    const message = `the HPA was able to successfully calculate a replica count from ${highest.name}`;
    draft.say('ScalingActive', 'True', 'ValidMetricFound', message);
    const verdict = this.#decide(autoscaler, current, highest.replicas);
    draft.say('AbleToScale', 'True', ...verdict.able);
    draft.say('ScalingLimited', ...verdict.limited);
    return {
      replicas: verdict.replicas,
      why: reasonFor(highest, current),
      metrics: metrics.map((metric) => metric?.status ?? { type: '' }),
    };
  }

  #decide(autoscaler: Autoscaler, current: number, proposed: number): Verdict {
    const key = keyOf(autoscaler);
    const now = this.#context.clock.now();
    const memory = this.#memories.get(key) ?? firstMemory(current, now);
    const verdict = decide(autoscaler, { current, proposed, memory, window: this.#window, now });
    this.#memories.set(key, withRecommendation(memory, autoscaler, proposed, this.#window, now));
    return verdict;
  }

  /** The proposal of each metric, undefined for unavailable ones; undefined altogether if none is available. */
  async #proposals(autoscaler: Autoscaler, scale: Scale, draft: Draft): Promise<(Proposal | undefined)[]> {
    const measured = await this.#measured(autoscaler, scale, draft);
    if (!measured) return [];
    const problems: unknown[] = [];
    const proposals = (autoscaler.spec.metrics ?? []).map((metric) => {
      try {
        return propose(metric, measured);
      } catch (problem) {
        problems.push(problem);
        this.#warn(autoscaler, reasonOf(problem), messageOf(problem));
        return undefined;
      }
    });
    const [first] = problems;
    if (first === undefined || problems.length < proposals.length) return proposals;
    const message = `the HPA was unable to compute the replica count: ${messageOf(first)}`;
    draft.say('ScalingActive', 'False', reasonOf(first), message);
    const counts = `${problems.length} invalid out of ${proposals.length}`;
    const summary = `invalid metrics (${counts}), first error is: ${first instanceof MetricError ? first.summary : messageOf(first)}`;
    this.#warn(autoscaler, 'FailedComputeMetricsReplicas', summary);
    return [];
  }

  /** The pods that the target selects, and their metrics; undefined if the selector is invalid. */
  async #measured(autoscaler: Autoscaler, scale: Scale, draft: Draft): Promise<Measured | undefined> {
    const text = scale.status.selector ?? '';
    const selector = readSelector(text);
    if (selector instanceof UnreadableSelector) {
      this.#warn(autoscaler, selector.reason, selector.message);
      draft.say('ScalingActive', 'False', 'InvalidSelector', selector.condition);
      this.#warn(autoscaler, 'FailedComputeMetricsReplicas', selector.message);
      return undefined;
    }
    const { client, served } = this.#context;
    const namespace = namespaceOf(autoscaler);
    const usage = await servedUsage(client, namespace, text);
    const reader = { client, served, namespace, podSelector: text };
    const readings = await readMetrics(reader, autoscaler.spec.metrics ?? []);
    return {
      pods: this.#pods.by('namespace', namespace).filter((pod) => selector.matches(pod.metadata.labels ?? {})),
      served: usage,
      readings,
      namespace,
      current: scale.spec.replicas ?? 0,
      present: scale.status.replicas,
      tolerance: this.#tolerance,
      now: this.#context.clock.now(),
      warmUp: this.#warmUp,
    };
  }

  /** Returns whether the target was resized. */
  async #resize(
    autoscaler: Autoscaler,
    { resource, scale }: Target,
    { replicas, why }: DesiredSize,
    draft: Draft,
  ): Promise<boolean> {
    const { client, clock, recorder } = this.#context;
    const resized = { ...scale, spec: { ...scale.spec, replicas } };
    try {
      await client.of(resource).update(resized, { subresource: 'scale' });
    } catch (problem) {
      const reason = `New size: ${replicas}; reason: ${why}; error: ${messageOf(problem)}`;
      this.#warn(autoscaler, 'FailedRescale', reason);
      const message = `the HPA controller was unable to update the target scale: ${messageOf(problem)}`;
      draft.say('AbleToScale', 'False', 'FailedUpdateScale', message);
      return false;
    }
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    draft.say('AbleToScale', 'True', 'SucceededRescale', message);
    const now = clock.now();
    draft.status = { ...draft.status, lastScaleTime: rfc3339(now) };
    const current = scale.spec.replicas ?? 0;
    const memory = this.#memories.get(keyOf(autoscaler)) ?? firstMemory(current, now);
    this.#memories.set(keyOf(autoscaler), withChange(memory, current, replicas, now));
    recorder.record(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${why}`);
    return true;
  }

  /**
   * The status is written in v1, where conditions and metrics are annotations, as in the reference, so that field
   * ownership has that version.
   */
  async #write(autoscaler: Autoscaler, status: Status): Promise<void> {
    if (sameStatus(status, autoscaler.status)) return;
    const { client, names } = this.#context;
    const next = autoscalerAtV1({ ...autoscaler, status }, { names });
    try {
      const written = await client.of(autoscalersAtV1).updateStatus({ ...next, apiVersion: 'autoscaling/v1' });
      await waitForCache(this.#autoscalers, written, autoscaler);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }

  #warn(autoscaler: Autoscaler, reason: string, message: string): void {
    this.#context.recorder.record(autoscaler, 'Warning', reason, message);
  }
}

/** The reason of a resize, for the event. */
function reasonFor({ replicas, name }: Proposal, current: number): string {
  if (replicas === current) return '';
  return replicas > current ? `${name} above target` : 'All metrics below target';
}

/** The group in the `apiVersion` of a target. */
function targetGroup(apiVersion: string): string {
  if (apiVersion.split('/').length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return groupOf(apiVersion);
}

/** Why a target's selector is invalid; the condition may have a different text than the event. */
class UnreadableSelector {
  readonly reason: string;
  readonly message: string;
  readonly condition: string;

  constructor(reason: string, message: string, condition = message) {
    this.reason = reason;
    this.message = message;
    this.condition = condition;
  }
}

/** The selector of a target. */
function readSelector(text: string): Selector | UnreadableSelector {
  if (text === '')
    return new UnreadableSelector(
      'SelectorRequired',
      'selector is required',
      "the HPA target's scale is missing a selector",
    );
  try {
    return parseLabelSelector(text);
  } catch (problem) {
    const what = "couldn't convert selector into a corresponding internal selector object";
    return new UnreadableSelector('InvalidSelector', `${what}: ${messageOf(problem)}`);
  }
}

function reasonOf(problem: unknown): string {
  return problem instanceof MetricError ? problem.reason : 'FailedGetMetrics';
}

export function startAutoscalers(context: ControllerContext): void {
  new Autoscalers(context);
}
