/** What would happen, played through on copies: how many replicas fit, and where pods go when their node is drained. */
import { keyOf, type Pod, type PodDisruptionBudget } from '../../client/index.ts';
import { controllerOf, selectorOfObject } from '../../schema/index.ts';
import { podInfoOf, withNode, withoutPod, withPod, type NodeInfo, type PodInfo } from '../framework/nodeInfo.ts';
import { highest, scoreNodes } from '../framework/run.ts';
import { runFilters, whyNone } from '../place.ts';
import { cycleFor, rulesFor, type Situation } from './situation.ts';

/** Where a pod would go now: of equal nodes the first. */
export type Decision = { readonly node: string } | { readonly node: undefined; readonly why: string };

export function decide(situation: Situation, pod: Pod): Decision {
  const cycle = cycleFor(situation, pod);
  const { feasible, rejections } = runFilters(cycle, rulesFor(situation, cycle.info), situation.start ?? 0);
  const [first] = feasible;
  if (!first) return { node: undefined, why: whyNone(cycle.snapshot.nodes.length, rejections) };
  if (feasible.length === 1) return { node: first.name };
  const [best = 0] = highest(scoreNodes(situation.plugins, cycle, feasible).totals);
  return { node: (feasible[best] as NodeInfo).name };
}

/** The situation after a pod has got a node. */
export function placed(situation: Situation, pod: Pod, node: string): Situation {
  const there = situation.snapshot.get(node);
  if (!there) return situation;
  const info = podInfoOf({ ...pod, spec: { ...pod.spec, nodeName: node } });
  return { ...situation, snapshot: situation.snapshot.with(withPod(there, info)) };
}

export interface Fit {
  /** How many fit, `limit` at most. */
  readonly count: number;
  /** How many each node gets. */
  readonly byNode: Readonly<Record<string, number>>;
  /** What keeps the next one from fitting; absent where the limit was reached. */
  readonly bottleneck?: string;
}

/** How many pods like this one fit, one after the other as the scheduler would place them. */
export function howManyFit(situation: Situation, template: Pod, limit = 1000): Fit {
  const byNode = new Map<string, number>();
  let now = situation;
  for (let count = 0; count < limit; count++) {
    const pod = replica(template, count);
    const decision = decide(now, pod);
    if (decision.node === undefined) return { count, byNode: Object.fromEntries(byNode), bottleneck: decision.why };
    byNode.set(decision.node, (byNode.get(decision.node) ?? 0) + 1);
    now = placed(now, pod, decision.node);
  }
  return { count: limit, byNode: Object.fromEntries(byNode) };
}

function replica(template: Pod, i: number): Pod {
  const { name = 'pod' } = template.metadata;
  return { ...template, metadata: { ...template.metadata, name: `${name}-${i}`, uid: `what-if-${name}-${i}` } };
}

/** What becomes of one pod when its node is drained. */
export type DrainOutcome = { readonly pod: string } & (
  | { readonly what: 'moves'; readonly to: string }
  | { readonly what: 'has-no-place'; readonly why: string }
  /** A budget allows no further disruption. */
  | { readonly what: 'blocked'; readonly by: string }
  /** Pods of daemon sets stay; pods without a controller are lost. */
  | { readonly what: 'stays' | 'is-lost' }
);

/** Cordons a node and evicts its pods in their order; evicted pods are placed again, as their controllers would make them. */
export function rehearseDrain(situation: Situation, name: string): readonly DrainOutcome[] {
  const node = situation.snapshot.get(name);
  if (!node) return [];
  const cordoned = withNode(node, { ...node.node, spec: { ...node.node.spec, unschedulable: true } });
  let now: Situation = { ...situation, snapshot: situation.snapshot.with(cordoned) };
  const budgets = new Map((situation.budgets ?? []).map((budget) => [budget, budget.status.disruptionsAllowed ?? 0]));
  const outcomes: DrainOutcome[] = [];
  for (const info of node.pods) {
    const { outcome, after } = evict(now, info, name, budgets);
    outcomes.push(outcome);
    now = after;
  }
  return outcomes;
}

function evict(
  now: Situation,
  info: PodInfo,
  node: string,
  budgets: Map<PodDisruptionBudget, number>,
): { readonly outcome: DrainOutcome; readonly after: Situation } {
  const pod = keyOf(info.pod);
  const owner = controllerOf(info.pod);
  if (owner?.kind === 'DaemonSet') return { outcome: { pod, what: 'stays' }, after: now };
  const covering = [...budgets.keys()].filter((budget) => covers(budget, info));
  const blocking = covering.find((budget) => (budgets.get(budget) ?? 0) <= 0);
  if (blocking) return { outcome: { pod, what: 'blocked', by: keyOf(blocking) }, after: now };
  for (const budget of covering) budgets.set(budget, (budgets.get(budget) ?? 0) - 1);
  const there = now.snapshot.get(node) as NodeInfo;
  const without: Situation = { ...now, snapshot: now.snapshot.with(withoutPod(there, info)) };
  if (!owner) return { outcome: { pod, what: 'is-lost' }, after: without };
  const again = successorOf(info.pod);
  const decision = decide(without, again);
  return decision.node === undefined
    ? { outcome: { pod, what: 'has-no-place', why: decision.why }, after: without }
    : { outcome: { pod, what: 'moves', to: decision.node }, after: placed(without, again, decision.node) };
}

/** The pod that its controller makes in its place. */
function successorOf(pod: Pod): Pod {
  const { nodeName: _, ...spec } = pod.spec;
  const metadata = { ...pod.metadata, uid: `after-${pod.metadata.uid ?? ''}` };
  return { ...pod, metadata, spec, status: {} };
}

function covers({ metadata, spec }: PodDisruptionBudget, { namespace, labels }: PodInfo): boolean {
  const selector = selectorOfObject(spec.selector);
  return metadata.namespace === namespace && !selector.matchesEverything && selector.matches(labels);
}
