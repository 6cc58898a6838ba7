import type { Fields } from '../config/fields.ts';
import { MAX_SCORE, plugin, refuse, refuseForGood, type Cycle, type Plugin } from '../framework/plugin.ts';
import { selects, type AffinityTerm, type NodeInfo, type PodInfo } from '../framework/nodeInfo.ts';

/** How much existing pods with a required affinity for the incoming one draw it to them, where nobody says. */
const HARD_AFFINITY_WEIGHT = 1;

/** Counts by topology: `zone=a` → 3. */
type Counts = Map<string, number>;

interface FilterState {
  /** Where pods stand that don't want the incoming one near. */
  readonly repelled: Counts;
  /** Where pods stand that the incoming one wants to be near: those that all of its terms select. */
  readonly wanted: Counts;
  /** Where pods stand that it doesn't want to be near. */
  readonly avoided: Counts;
}

function topology(node: NodeInfo, key: string): string | undefined {
  const value = node.labels[key];
  return value === undefined ? undefined : `${key}=${value}`;
}

function count(counts: Counts, node: NodeInfo, key: string, by: number): void {
  const place = topology(node, key);
  if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + by);
}

function prepareFilter({ pod, info, snapshot }: Cycle): FilterState {
  const state: FilterState = { repelled: new Map(), wanted: new Map(), avoided: new Map() };
  for (const node of snapshot.nodes) {
    for (const other of node.pods) {
      for (const term of other.requiredAntiAffinity)
        if (selects(term, pod)) count(state.repelled, node, term.topologyKey, 1);
      if (info.requiredAffinity.length > 0 && info.requiredAffinity.every((term) => selects(term, other.pod))) {
        for (const term of info.requiredAffinity) count(state.wanted, node, term.topologyKey, 1);
      }
      for (const term of info.requiredAntiAffinity)
        if (selects(term, other.pod)) count(state.avoided, node, term.topologyKey, 1);
    }
  }
  return state;
}

function satisfiesAffinity({ pod, info }: Cycle, node: NodeInfo, { wanted }: FilterState): boolean {
  const terms = info.requiredAffinity;
  if (terms.some((term) => node.labels[term.topologyKey] === undefined)) return false;
  if (terms.every((term) => (wanted.get(topology(node, term.topologyKey) ?? '') ?? 0) > 0)) return true;
  // The first pod of a group that wants to be together has nobody to be near to yet.
  return wanted.size === 0 && terms.every((term) => selects(term, pod));
}

function isCrowded(terms: readonly AffinityTerm[], node: NodeInfo, counts: Counts): boolean {
  return terms.some((term) => (counts.get(topology(node, term.topologyKey) ?? '') ?? 0) > 0);
}

/** What one pod's terms add for the nodes around it when the other pod is the one they select. */
function attract(
  counts: Counts,
  node: NodeInfo,
  terms: readonly AffinityTerm[],
  target: PodInfo,
  sign: number,
  weight?: number,
): void {
  for (const term of terms)
    if (selects(term, target.pod)) count(counts, node, term.topologyKey, sign * (weight ?? term.weight));
}

function prepareScore({ info, snapshot }: Cycle, hardWeight: number): Counts {
  const counts: Counts = new Map();
  for (const node of snapshot.nodes) {
    for (const other of node.pods) {
      attract(counts, node, info.preferredAffinity, other, 1);
      attract(counts, node, info.preferredAntiAffinity, other, -1);
      attract(counts, node, other.requiredAffinity, info, 1, hardWeight);
      attract(counts, node, other.preferredAffinity, info, 1);
      attract(counts, node, other.preferredAntiAffinity, info, -1);
    }
  }
  return counts;
}

/** Reads `hardPodAffinityWeight`. */
export const interPodAffinityWith = (told: Fields): Plugin =>
  make(told.number('hardPodAffinityWeight', 0, 100) ?? HARD_AFFINITY_WEIGHT);

/** Keeps pods near to, or away from, other pods, as either of them asks. */
const make = (hardWeight: number): Plugin =>
  plugin<FilterState, Counts>({
    name: 'InterPodAffinity',
    weight: 1,
    prepareFilter,
    filter(cycle, node, state) {
      const { info } = cycle;
      const mismatch = "node(s) didn't match pod affinity/anti-affinity rules";
      if (info.requiredAffinity.length > 0 && !satisfiesAffinity(cycle, node, state)) {
        return refuseForGood(mismatch, "node(s) didn't match pod affinity rules");
      }
      if (isCrowded(info.requiredAntiAffinity, node, state.avoided))
        return refuse(mismatch, "node(s) didn't match pod anti-affinity rules");
      const repelled = Object.entries(node.labels).some(
        ([key, value]) => (state.repelled.get(`${key}=${value}`) ?? 0) > 0,
      );
      return repelled ? refuse(mismatch, "node(s) didn't satisfy existing pods anti-affinity rules") : undefined;
    },
    prepareScore: (cycle) => prepareScore(cycle, hardWeight),
    score(_, node, counts) {
      if (counts.size === 0) return 0;
      return Object.entries(node.labels).reduce((sum, [key, value]) => sum + (counts.get(`${key}=${value}`) ?? 0), 0);
    },
    normalize(scores, _cycle, _feasible, counts) {
      if (counts.size === 0) return scores;
      const least = Math.min(0, ...scores);
      const span = Math.max(0, ...scores) - least;
      return scores.map((score) => (span > 0 ? Math.trunc((MAX_SCORE * (score - least)) / span) : 0));
    },
  });

export const interPodAffinity = make(HARD_AFFINITY_WEIGHT);
