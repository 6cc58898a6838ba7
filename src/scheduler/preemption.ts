import { keyOf, type Pod, type PodDisruptionBudget } from '../client/index.ts';
import { selectorOfObject } from '../schema/index.ts';
import { makeNodeInfo, without, type NodeInfo, type PodInfo, type Snapshot } from './framework/nodeInfo.ts';
import { moreImportantFirst, priorityOf, startOf } from './priority.ts';

/** Which pods would have to go from a node to make room for another. */
export interface Candidate {
  readonly node: string;
  readonly victims: readonly Pod[];
  /** How many of them a disruption budget protects. */
  readonly violations: number;
}

export interface Question {
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  /** Nodes on which fewer pods could help. */
  readonly nodes: readonly string[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** Whether the pod would fit on a node as it is given, all else as in the snapshot. */
  readonly fits: (node: NodeInfo) => boolean;
}

/** Whether a pod may push others away: not if it says so, nor while those that it pushed before are still leaving. */
export function mayPreempt(pod: Pod, snapshot: Snapshot): boolean {
  if (pod.spec.preemptionPolicy === 'Never') return false;
  const nominated = snapshot.get(pod.status.nominatedNodeName ?? '');
  const leaving = (info: PodInfo): boolean =>
    info.pod.metadata.deletionTimestamp !== undefined && priorityOf(info.pod) < priorityOf(pod);
  return !nominated?.pods.some(leaving);
}

/** The node on which making room does the least harm, and who has to go; undefined where nothing helps. */
export function choose(question: Question): Candidate | undefined {
  const candidates = question.nodes.flatMap((name) => {
    const node = question.snapshot.get(name);
    const candidate = node && victimsOn(node, question);
    return candidate ? [candidate] : [];
  });
  return leastHarm(candidates);
}

/** Takes all pods of lower priority away, then puts back as many as still leave room: protected ones first, then by importance. */
function victimsOn(node: NodeInfo, { pod, budgets, fits }: Question): Candidate | undefined {
  const lower = node.pods.filter((info) => priorityOf(info.pod) < priorityOf(pod));
  if (lower.length === 0) return undefined;
  let current = without(node, lower);
  if (!fits(current)) return undefined;
  const sorted = [...lower].sort((a, b) => moreImportantFirst(a.pod, b.pod));
  const guarded = guardedBy(budgets, sorted);
  const victims: Pod[] = [];
  for (const info of [...guarded, ...sorted.filter((other) => !guarded.has(other))]) {
    const back = makeNodeInfo(node.node, [...current.pods, info]);
    if (fits(back)) current = back;
    else victims.push(info.pod);
  }
  const violations = [...guarded].filter((info) => victims.includes(info.pod)).length;
  return { node: node.name, victims, violations };
}

/** Those that could not all go without leaving a budget fewer pods than it wants. */
function guardedBy(budgets: readonly PodDisruptionBudget[], pods: readonly PodInfo[]): Set<PodInfo> {
  const allowed = new Map(budgets.map((budget) => [budget, budget.status.disruptionsAllowed ?? 0]));
  const guarded = new Set<PodInfo>();
  for (const info of pods) {
    for (const budget of budgets.filter((b) => covers(b, info.pod)))
      if (takeOne(allowed, budget) < 0) guarded.add(info);
  }
  return guarded;
}

function takeOne(allowed: Map<PodDisruptionBudget, number>, budget: PodDisruptionBudget): number {
  const rest = (allowed.get(budget) ?? 0) - 1;
  allowed.set(budget, rest);
  return rest;
}

function covers(budget: PodDisruptionBudget, pod: Pod): boolean {
  if (budget.metadata.namespace !== pod.metadata.namespace) return false;
  const selector = selectorOfObject(budget.spec.selector);
  if (selector.matchesEverything || Object.keys(pod.metadata.labels ?? {}).length === 0) return false;
  // A pod that is counted as disrupted already costs the budget nothing more.
  return (
    selector.matches(pod.metadata.labels ?? {}) && budget.status.disruptedPods?.[pod.metadata.name ?? ''] === undefined
  );
}

type Measure = (candidate: Candidate) => number;

const highestPriority: Measure = ({ victims }) => Math.max(-Infinity, ...victims.map(priorityOf));
/** Offset so that each victim counts, negative priorities too. */
const sumOfPriorities: Measure = ({ victims }) => victims.reduce((sum, pod) => sum + priorityOf(pod) + 2147483648, 0);
/** When the oldest of the most important victims started; later is better. */
const earliestStart: Measure = (candidate) => {
  const important = candidate.victims.filter((pod) => priorityOf(pod) === highestPriority(candidate));
  return -Math.min(...important.map(startOf));
};

/** What counts as harm, the gravest first. */
const HARMS: readonly Measure[] = [
  (c) => c.violations,
  highestPriority,
  sumOfPriorities,
  (c) => c.victims.length,
  earliestStart,
];

function leastHarm(candidates: readonly Candidate[]): Candidate | undefined {
  let left = candidates;
  for (const harm of HARMS) {
    const least = Math.min(...left.map(harm));
    left = left.filter((candidate) => harm(candidate) === least);
  }
  return left[0];
}

export const describeVictims = (candidate: Candidate): string[] => candidate.victims.map(keyOf);
