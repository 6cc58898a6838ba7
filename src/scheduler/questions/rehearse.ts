/** Simulations on copies: how many replicas fit, and where pods go when their node is drained. */
import { keyOf, type Pod, type PodDisruptionBudget } from '../../client/index.ts';
import { controllerOf, selectorOfObject } from '../../schema/index.ts';
import { podInfoOf, withNode, withoutPod, withPod, type NodeInfo, type PodInfo } from '../framework/nodeInfo.ts';
import { roundFor } from './round.ts';
import type { Situation } from './situation.ts';

/** The node of a pod now; the first among equals. */
export type Decision = { readonly node: string } | { readonly node: undefined; readonly why: string };

export async function decide(situation: Situation, pod: Pod): Promise<Decision> {
  const { winners, why = '' } = await roundFor(situation, pod);
  return winners[0] ? { node: winners[0].name } : { node: undefined, why };
}

/** The situation after a pod was placed on a node. */
export function placed(situation: Situation, pod: Pod, node: string): Situation {
  const there = situation.snapshot.get(node);
  if (!there) return situation;
  const info = podInfoOf({ ...pod, spec: { ...pod.spec, nodeName: node } });
  return { ...situation, snapshot: situation.snapshot.with(withPod(there, info)) };
}

export interface Fit {
  /** How many fit, at most `limit`. */
  readonly count: number;
  /** The number on each node. */
  readonly byNode: Readonly<Record<string, number>>;
  /** Why the next one does not fit; missing if the limit was reached. */
  readonly bottleneck?: string;
}

/** How many pods like this one fit, placed one after another as the scheduler would. */
export async function howManyFit(situation: Situation, template: Pod, limit = 1000): Promise<Fit> {
  const byNode = new Map<string, number>();
  let now = situation;
  for (let count = 0; count < limit; count++) {
    const pod = replica(template, count);
    const decision = await decide(now, pod);
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

/** The outcome for one pod when its node is drained. */
export type DrainOutcome = { readonly pod: string } &
  /** Possibly only after earlier evicted pods of the budget are ready elsewhere. */
  (
    | { readonly what: 'moves'; readonly to: string; readonly afterOthersOf?: string }
    | { readonly what: 'has-no-place'; readonly why: string; readonly afterOthersOf?: string }
    /** A budget allows no further disruption, and never will during the drain. */
    | { readonly what: 'blocked'; readonly by: string }
    /** Pods of daemon sets stay; pods without a controller are lost. */
    | { readonly what: 'stays' | 'is-lost' }
  );

/** The remaining disruptions of a budget. */
interface Allowance {
  left: number;
  /** Evicted pods that found another node: once they are ready there, the same number may be evicted again. */
  moved: number;
}

/** The state of a drain. */
interface Drain {
  readonly now: Situation;
  readonly node: string;
  readonly budgets: ReadonlyMap<PodDisruptionBudget, Allowance>;
}

/**
 * Cordons a node and evicts its pods in order; evicted pods are placed again, as their controllers would recreate them.
 */
export async function rehearseDrain(situation: Situation, name: string): Promise<readonly DrainOutcome[]> {
  const node = situation.snapshot.get(name);
  if (!node) return [];
  const cordoned = withNode(node, { ...node.node, spec: { ...node.node.spec, unschedulable: true } }, node.images);
  const allowed = (situation.budgets ?? []).map(
    (budget) => [budget, { left: budget.status.disruptionsAllowed ?? 0, moved: 0 }] as const,
  );
  let now: Situation = { ...situation, snapshot: situation.snapshot.with(cordoned) };
  const budgets = new Map(allowed);
  const outcomes: DrainOutcome[] = [];
  for (const info of node.pods) {
    const { outcome, after } = await evict({ now, node: name, budgets }, info);
    outcomes.push(outcome);
    now = after;
  }
  return outcomes;
}

async function evict(
  { now, node, budgets }: Drain,
  info: PodInfo,
): Promise<{ readonly outcome: DrainOutcome; readonly after: Situation }> {
  const pod = keyOf(info.pod);
  const owner = controllerOf(info.pod);
  if (owner?.kind === 'DaemonSet') return { outcome: { pod, what: 'stays' }, after: now };
  const covering = [...budgets].filter(([budget]) => covers(budget, info));
  const spent = covering.filter(([, { left }]) => left <= 0);
  const blocking = spent.find(([, { moved }]) => moved === 0);
  if (blocking) return { outcome: { pod, what: 'blocked', by: keyOf(blocking[0]) }, after: now };
  for (const [, allowance] of spent) [allowance.left, allowance.moved] = [allowance.moved, 0];
  for (const [, allowance] of covering) allowance.left -= 1;
  const there = now.snapshot.get(node) as NodeInfo;
  const without: Situation = { ...now, snapshot: now.snapshot.with(withoutPod(there, info)) };
  if (!owner) return { outcome: { pod, what: 'is-lost' }, after: without };
  const later = spent[0] && { afterOthersOf: keyOf(spent[0][0]) };
  const again = successorOf(info.pod);
  const decision = await decide(without, again);
  if (decision.node === undefined)
    return { outcome: { pod, what: 'has-no-place', why: decision.why, ...later }, after: without };
  for (const [, allowance] of covering) allowance.moved += 1;
  return { outcome: { pod, what: 'moves', to: decision.node, ...later }, after: placed(without, again, decision.node) };
}

/** The replacement that its controller creates. */
function successorOf(pod: Pod): Pod {
  const { nodeName: _, ...spec } = pod.spec;
  const metadata = { ...pod.metadata, uid: `after-${pod.metadata.uid ?? ''}` };
  return { ...pod, metadata, spec, status: {} };
}

function covers({ metadata, spec }: PodDisruptionBudget, { namespace, labels }: PodInfo): boolean {
  const selector = selectorOfObject(spec.selector);
  return metadata.namespace === namespace && !selector.matchesEverything && selector.matches(labels);
}
