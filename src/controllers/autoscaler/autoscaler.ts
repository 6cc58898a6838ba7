/**
 * Horizontal autoscalers: the number of replicas follows what the pods use, within bounds, and no faster than allowed.
 * Nothing here measures pods; they say in an annotation what they use. Where none does, the conditions say so.
 *
 * Watches autoscalers and pods; asks each target for its scale.
 */
import {
  apiVersionOf,
  horizontalPodAutoscalers,
  keyOf,
  pods as podsRef,
  type DiscoveredResource,
  type HorizontalPodAutoscaler,
  type Informer,
  type Pod,
} from '../../client/index.ts';
import { isReason, parseLabelSelector, type ApiObject } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { conditionOf, isFinished, messageOf, sameStatus, type ControllerContext } from '../runtime/index.ts';
import { MetricError, propose, type Proposal, type WarmUp } from './metrics.ts';
import { decide, remember, type Memory } from './plan.ts';

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

/** Changes are collected here and written at the end of a run. */
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
    // Even the first look at an autoscaler is a period away, as pods are given time to say what they use.
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
      const { resources } = await this.#context.served.discovery();
      const resource = resources.find((r) => r.kind === kind && apiVersionOf(r, this.#context.names) === apiVersion);
      if (!resource)
        throw new Error(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
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

  async #scale(autoscaler: Autoscaler, { resource, scale }: Target, draft: Draft): Promise<void> {
    const current = scale.spec.replicas ?? 0;
    const { minReplicas = 1, maxReplicas } = autoscaler.spec;
    let wanted = current;
    let why = '';
    if (current === 0 && minReplicas !== 0)
      draft.say(
        'ScalingActive',
        'False',
        'ScalingDisabled',
        'scaling is disabled since the replica count of the target is zero',
      );
    else if (current > maxReplicas) [wanted, why] = [maxReplicas, 'Current number of replicas above Spec.MaxReplicas'];
    else if (current < minReplicas) [wanted, why] = [minReplicas, 'Current number of replicas below Spec.MinReplicas'];
    else [wanted, why] = this.#byMetrics(autoscaler, scale, draft);
    if (wanted !== current) await this.#resize(autoscaler, { resource, scale }, wanted, why, draft);
    draft.status = { ...draft.status, currentReplicas: scale.status.replicas, desiredReplicas: wanted };
  }

  /** The number that the metrics lead to, and what speaks for it. */
  #byMetrics(autoscaler: Autoscaler, scale: Scale, draft: Draft): [number, string] {
    const current = scale.spec.replicas ?? 0;
    const proposals = this.#proposals(autoscaler, scale, draft);
    const highest = proposals.reduce<Proposal | undefined>(
      (best, p) => (best && best.replicas >= p.replicas ? best : p),
      undefined,
    );
    if (!highest) return [current, ''];
    const now = this.#context.clock.now();
    const verdict = decide(autoscaler, current, highest.replicas, this.#memory(autoscaler), this.#window, now);
    draft.status = { ...draft.status, currentMetrics: proposals.map((proposal) => proposal.status) };
    draft.say(
      'ScalingActive',
      'True',
      'ValidMetricFound',
      `the HPA was able to successfully calculate a replica count from ${highest.name}`,
    );
    draft.say('AbleToScale', 'True', ...verdict.able);
    draft.say('ScalingLimited', ...verdict.limited);
    return [verdict.replicas, verdict.replicas > current ? `${highest.name} above target` : 'All metrics below target'];
  }

  #proposals(autoscaler: Autoscaler, scale: Scale, draft: Draft): Proposal[] {
    const selector = parseLabelSelector(scale.status.selector ?? '');
    const inNamespace = this.#pods.by('namespace', autoscaler.metadata.namespace ?? '');
    const pods = inNamespace.filter(
      (pod) =>
        selector.matches(pod.metadata.labels ?? {}) && !isFinished(pod) && pod.metadata.deletionTimestamp === undefined,
    );
    const proposals: Proposal[] = [];
    let first: unknown;
    for (const metric of autoscaler.spec.metrics ?? []) {
      try {
        proposals.push(
          propose(metric, {
            pods,
            current: scale.spec.replicas ?? 0,
            tolerance: this.#tolerance,
            now: this.#context.clock.now(),
            warmUp: this.#warmUp,
          }),
        );
      } catch (problem) {
        first ??= problem;
        this.#warn(autoscaler, reasonOf(problem), messageOf(problem));
      }
    }
    if (proposals.length === 0 && first !== undefined) {
      draft.say(
        'ScalingActive',
        'False',
        reasonOf(first),
        `the HPA was unable to compute the replica count: ${messageOf(first)}`,
      );
      const count = (autoscaler.spec.metrics ?? []).length;
      this.#warn(
        autoscaler,
        'FailedComputeMetricsReplicas',
        `invalid metrics (${count} invalid out of ${count}), first error is: ${messageOf(first)}`,
      );
    }
    return proposals;
  }

  async #resize(
    autoscaler: Autoscaler,
    { resource, scale }: Target,
    wanted: number,
    why: string,
    draft: Draft,
  ): Promise<void> {
    const { client, clock, recorder } = this.#context;
    const current = scale.spec.replicas ?? 0;
    try {
      await client
        .of(resource)
        .update({ ...scale, spec: { ...scale.spec, replicas: wanted } }, { subresource: 'scale' });
    } catch (problem) {
      this.#warn(autoscaler, 'FailedRescale', `New size: ${wanted}; reason: ${why}; error: ${messageOf(problem)}`);
      draft.say(
        'AbleToScale',
        'False',
        'FailedUpdateScale',
        `the HPA controller was unable to update the target scale: ${messageOf(problem)}`,
      );
      return;
    }
    draft.say(
      'AbleToScale',
      'True',
      'SucceededRescale',
      `the HPA controller was able to update the target scale to ${wanted}`,
    );
    draft.status = { ...draft.status, lastScaleTime: rfc3339(clock.now()) };
    remember(this.#memory(autoscaler), current, wanted, clock.now());
    recorder.record(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${wanted}; reason: ${why}`);
  }

  #memory(autoscaler: Autoscaler): Memory {
    const key = keyOf(autoscaler);
    const memory = this.#memories.get(key) ?? { recommendations: [], ups: [], downs: [] };
    this.#memories.set(key, memory);
    return memory;
  }

  async #write(autoscaler: Autoscaler, status: Status): Promise<void> {
    if (sameStatus(status, autoscaler.status)) return;
    try {
      await this.#context.client.of(horizontalPodAutoscalers).updateStatus({ ...autoscaler, status });
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      throw problem;
    }
    await this.#autoscalers.until(
      keyOf(autoscaler),
      (seen) => seen?.metadata.resourceVersion !== autoscaler.metadata.resourceVersion,
    );
  }

  #warn(autoscaler: Autoscaler, reason: string, message: string): void {
    this.#context.recorder.record(autoscaler, 'Warning', reason, message);
  }
}

function reasonOf(problem: unknown): string {
  return problem instanceof MetricError ? problem.reason : 'FailedGetMetrics';
}

export function startAutoscalers(context: ControllerContext): void {
  new Autoscalers(context);
}
