/** Which pods of lower priority must be deleted so that a pod fits on a node. A pure function. */
import { keyOf, type Pod, type PodDisruptionBudget } from '../client/index.ts';
import { selectorOfObject } from '../schema/index.ts';
import type { Filters, Rejection, SupposedNode } from './framework/filters.ts';
import type { NodeInfo, PodInfo } from './framework/nodeInfo.ts';
import type { Snapshot } from './framework/snapshot.ts';
import { moreImportantFirst, priorityOf, startOf } from './priority.ts';

/** The victims on one node. */
export interface Candidate {
  readonly node: string;
  /** Those that a budget protects first, then the others, each by descending importance. */
  readonly victims: readonly Pod[];
  /** The number of victims that a disruption budget protects. */
  readonly violations: number;
}

/** The number of candidates to find. */
export interface PreemptionArgs {
  /** In percent of the nodes on which preemption might help. */
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

export const DEFAULT_PREEMPTION_ARGS: PreemptionArgs = {
  minCandidateNodesPercentage: 10,
  minCandidateNodesAbsolute: 100,
};

export interface PreemptionQuestion {
  readonly pod: Pod;
  readonly snapshot: Snapshot;
  readonly filters: Filters;
  readonly rejections: readonly Rejection[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** Pods nominated for a node with at least the pod's priority. */
  readonly nominatedOn: (node: string) => readonly PodInfo[];
  readonly args: PreemptionArgs;
  /** Returns an integer from 0 to below its argument: the node at which the search starts. */
  readonly offset: (nodes: number) => number;
}

/**
 * Whether a pod may preempt others: not with the policy `Never`, nor while victims on its nominated node are still
 * terminating.
 */
export function mayPreempt(pod: Pod, snapshot: Snapshot, rejections: readonly Rejection[]): boolean {
  if (pod.spec.preemptionPolicy === 'Never') return false;
  const nominated = pod.status.nominatedNodeName ?? '';
  if (rejections.some(({ node, refusal }) => node === nominated && !refusal.resolvable)) return true;
  const isLeaving = ({ isTerminating, priority }: PodInfo): boolean => isTerminating && priority < priorityOf(pod);
  return snapshot.get(nominated)?.pods.some(isLeaving) !== true;
}

/** The nodes on which fewer pods could help: all without an unresolvable rejection. */
export function nodesWherePreemptionMightHelp(snapshot: Snapshot, rejections: readonly Rejection[]): NodeInfo[] {
  const hopeless = new Set(rejections.filter(({ refusal }) => !refusal.resolvable).map(({ node }) => node));
  return snapshot.nodes.filter(({ name }) => !hopeless.has(name));
}

/**
 * Candidates among those nodes, those without budget violations first. In large clusters the search ends when there are
 * enough.
 */
export function findCandidates(question: PreemptionQuestion): Candidate[] {
  const nodes = nodesWherePreemptionMightHelp(question.snapshot, question.rejections);
  const enough = candidatesToFind(nodes.length, question.args);
  const start = nodes.length > enough ? question.offset(nodes.length) : 0;
  const budgets = question.budgets.map(protectionBy);
  const [sparing, violating]: [Candidate[], Candidate[]] = [[], []];
  for (let i = 0; i < nodes.length; i++) {
    const candidate = victimsOn(nodes[(start + i) % nodes.length] as NodeInfo, question, budgets);
    if (candidate) (candidate.violations === 0 ? sparing : violating).push(candidate);
    if (sparing.length > 0 && sparing.length + violating.length >= enough) break;
  }
  return [...sparing, ...violating];
}

function candidatesToFind(nodes: number, args: PreemptionArgs): number {
  const share = Math.floor((nodes * args.minCandidateNodesPercentage) / 100);
  return Math.min(nodes, Math.max(share, args.minCandidateNodesAbsolute));
}

/** Removes all pods of lower priority, then adds back as many as possible: protected ones first, then by importance. */
function victimsOn(
  node: NodeInfo,
  question: PreemptionQuestion,
  budgets: readonly Protection[],
): Candidate | undefined {
  const { pod, filters, nominatedOn } = question;
  const lower = node.pods.filter(({ priority }) => priority < priorityOf(pod));
  if (lower.length === 0) return undefined;
  const supposed = filters.suppose(node);
  for (const info of lower) supposed.remove(info);
  const nominated = nominatedOn(node.name);
  const fits = (): boolean => fitsWithNominated(supposed, nominated);
  if (!fits()) return undefined;
  const sorted = byImportance(lower);
  const guarded = guardedPods(sorted, budgets);
  const isSpared = (info: PodInfo): boolean => {
    supposed.add(info);
    if (fits()) return true;
    supposed.remove(info);
    return false;
  };
  const violating = sorted.filter((info) => guarded.has(info) && !isSpared(info));
  const others = sorted.filter((info) => !guarded.has(info) && !isSpared(info));
  return { node: node.name, victims: [...violating, ...others].map((info) => info.pod), violations: violating.length };
}

/** Of pods that have not started, the one added last counts as more important, as in the reference. */
function byImportance(infos: readonly PodInfo[]): PodInfo[] {
  const hasStarted = ({ pod }: PodInfo): boolean => pod.status.startTime !== undefined;
  const started = infos.filter(hasStarted);
  const others = infos.filter((info) => !hasStarted(info)).reverse();
  return [...started, ...others].sort((a, b) => moreImportantFirst(a.pod, b.pod));
}

/** Nominated pods may or may not be scheduled, so the pod has to fit with and without them. */
function fitsWithNominated(supposed: SupposedNode, nominated: readonly PodInfo[]): boolean {
  if (nominated.length === 0) return supposed.check() === undefined;
  for (const info of nominated) supposed.add(info);
  const fits = supposed.check() === undefined;
  for (const info of nominated) supposed.remove(info);
  return fits && supposed.check() === undefined;
}

/** What a budget protects, and how many disruptions it allows. */
interface Protection {
  readonly protects: (pod: Pod) => boolean;
  readonly allowed: number;
}

function protectionBy({ metadata, spec, status }: PodDisruptionBudget): Protection {
  const selector = selectorOfObject(spec.selector);
  const protects = ({ metadata: { namespace, name = '', labels = {} } }: Pod): boolean =>
    namespace === metadata.namespace &&
    !selector.matchesEverything &&
    Object.keys(labels).length > 0 &&
    selector.matches(labels) &&
    // A pod that already counts as disrupted needs no further allowance.
    !Object.hasOwn(status.disruptedPods ?? {}, name);
  return { protects, allowed: status.disruptionsAllowed ?? 0 };
}

/** The pods whose eviction, in this order, would violate a budget. */
function guardedPods(pods: readonly PodInfo[], budgets: readonly Protection[]): ReadonlySet<PodInfo> {
  const allowed = budgets.map((budget) => budget.allowed);
  const guarded = new Set<PodInfo>();
  for (const info of pods) {
    for (const [i, { protects }] of budgets.entries()) {
      if (!protects(info.pod)) continue;
      const left = (allowed[i] ?? 0) - 1;
      allowed[i] = left;
      if (left < 0) guarded.add(info);
    }
  }
  return guarded;
}

/** Compared in order; lower is better. */
interface Criterion {
  readonly name: string;
  readonly of: (candidate: Candidate) => number;
  /** The unit of the value, if it is not a plain number. */
  readonly unit?: 'priorities' | 'time';
}

/** When the oldest of the most important victims started; later is better. */
function earliestStart({ victims }: Candidate): number {
  const most = Math.max(...victims.map(priorityOf));
  return Math.min(...victims.filter((pod) => priorityOf(pod) === most).map(startOf));
}

/** Added to each victim's priority before summing, so that every victim counts, even with a negative priority. */
export const PRIORITY_OFFSET = 2 ** 31;

const sumOfPriorities = ({ victims }: Candidate): number =>
  victims.reduce((sum, pod) => sum + priorityOf(pod) + PRIORITY_OFFSET, 0);

/** The first victim represents the most important one, as in the reference; with budgets this may not be true. */
const firstPriority = ({ victims }: Candidate): number => (victims[0] ? priorityOf(victims[0]) : -Infinity);

export const CRITERIA: readonly Criterion[] = [
  { name: 'fewest violated disruption budgets', of: ({ violations }) => violations },
  { name: 'lowest priority of the most important victim', of: firstPriority },
  { name: 'lowest sum of priorities', of: sumOfPriorities, unit: 'priorities' },
  { name: 'fewest victims', of: ({ victims }) => victims.length },
  { name: 'latest start of the most important victims', of: (candidate) => -earliestStart(candidate), unit: 'time' },
];

/** How a candidate was chosen. */
export interface Choice {
  readonly candidate: Candidate;
  /** The criterion that left only this candidate; undefined if it was the only one or the first of equals. */
  readonly decidedBy?: string;
}

export function pickCandidate(candidates: readonly Candidate[]): Choice | undefined {
  let left = candidates;
  for (const { name, of } of CRITERIA) {
    const least = left.reduce((min, candidate) => Math.min(min, of(candidate)), Infinity);
    const best = left.filter((candidate) => of(candidate) === least);
    if (best.length === 1 && left.length > 1) return { candidate: best[0] as Candidate, decidedBy: name };
    left = best;
  }
  return left[0] && { candidate: left[0] };
}

export const describeVictims = (candidate: Candidate): string[] => candidate.victims.map(keyOf);
