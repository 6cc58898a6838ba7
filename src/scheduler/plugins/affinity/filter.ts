/** The filter for required affinity terms, of the pod itself and of placed pods. */
import { getOwn } from '../../../std/index.ts';
import type { NodeInfo, PodInfo } from '../../framework/nodeInfo.ts';
import { selects, type AffinityTerm } from '../../framework/podInfo.ts';
import { refuse, refuseForGood, type Cycle, type Facts, type PodMove, type Refusal } from '../../framework/plugin.ts';
import { TopologyCounts } from './topology.ts';

export interface FilterState {
  /** Topologies with pods whose anti-affinity matches the incoming one. */
  readonly repelled: TopologyCounts;
  /** Topologies with pods that all affinity terms of the incoming pod match. */
  readonly wanted: TopologyCounts;
  /** Topologies with pods that the anti-affinity of the incoming pod matches. */
  readonly avoided: TopologyCounts;
}

const selectedByAll = (terms: readonly AffinityTerm[], pod: Pick<PodInfo, 'namespace' | 'labels'>): boolean =>
  terms.length > 0 && terms.every((term) => selects(term, pod));

export function prepareFilter({ info, snapshot }: Cycle): FilterState {
  const { podIndex } = snapshot;
  const state = { repelled: new TopologyCounts(), wanted: new TopologyCounts(), avoided: new TopologyCounts() };
  for (const { term, nodes } of podIndex.terms('requiredAntiAffinity'))
    if (selects(term, info)) state.repelled.addAll(snapshot, nodes, term.topologyKey);
  const [first] = info.requiredAffinity;
  for (const group of first ? podIndex.matching(first.namespaces, first.selector) : []) {
    if (!selectedByAll(info.requiredAffinity, group)) continue;
    for (const { topologyKey } of info.requiredAffinity) state.wanted.addAll(snapshot, group.nodes, topologyKey);
  }
  for (const { namespaces, selector, topologyKey } of info.requiredAntiAffinity)
    for (const { nodes } of podIndex.matching(namespaces, selector)) state.avoided.addAll(snapshot, nodes, topologyKey);
  return state;
}

export const copyState = ({ repelled, wanted, avoided }: FilterState): FilterState => ({
  repelled: repelled.copy(),
  wanted: wanted.copy(),
  avoided: avoided.copy(),
});

export function movePod(state: FilterState, { info }: Cycle, { pod, node, by }: PodMove): void {
  const change = (counts: TopologyCounts, { topologyKey }: AffinityTerm): void =>
    by > 0 ? counts.add(node, topologyKey, 1) : counts.subtract(node, topologyKey, 1);
  for (const term of pod.requiredAntiAffinity) if (selects(term, info)) change(state.repelled, term);
  if (selectedByAll(info.requiredAffinity, pod)) for (const term of info.requiredAffinity) change(state.wanted, term);
  for (const term of info.requiredAntiAffinity) if (selects(term, pod)) change(state.avoided, term);
}

function satisfiesAffinity({ info }: Cycle, node: NodeInfo, { wanted }: FilterState): boolean {
  const terms = info.requiredAffinity;
  if (terms.some((term) => getOwn(node.labels, term.topologyKey) === undefined)) return false;
  if (terms.every((term) => wanted.at(node, term.topologyKey) > 0)) return true;
  // The first pod of a group with affinity to itself has no other pod to match yet.
  return wanted.isEmpty && selectedByAll(terms, info);
}

const isCrowded = ({ info }: Cycle, node: NodeInfo, { avoided }: FilterState): boolean =>
  info.requiredAntiAffinity.some((term) => avoided.at(node, term.topologyKey) > 0);

const MISMATCH = "node(s) didn't match pod affinity/anti-affinity";

export function filter(cycle: Cycle, node: NodeInfo, state: FilterState): Refusal | undefined {
  const { requiredAffinity, requiredAntiAffinity } = cycle.info;
  if (requiredAffinity.length === 0 && requiredAntiAffinity.length === 0 && state.repelled.isEmpty) return undefined;
  if (!satisfiesAffinity(cycle, node, state)) return refuseForGood(MISMATCH, "node(s) didn't match pod affinity rules");
  if (isCrowded(cycle, node, state)) return refuse(MISMATCH, "node(s) didn't match pod anti-affinity rules");
  return state.repelled.isPositiveAt(node)
    ? refuse(MISMATCH, "node(s) didn't satisfy existing pods anti-affinity rules")
    : undefined;
}

export function facts({ info }: Cycle, node: NodeInfo, { wanted, avoided, repelled }: FilterState): Facts {
  const row = (rule: string, counts: TopologyCounts) => (term: AffinityTerm) => ({
    rule,
    selector: term.selector.toString(),
    topologyKey: term.topologyKey,
    place: getOwn(node.labels, term.topologyKey) ?? '',
    pods: counts.at(node, term.topologyKey),
  });
  return [
    ...info.requiredAffinity.map(row('affinity', wanted)),
    ...info.requiredAntiAffinity.map(row('anti-affinity', avoided)),
    { rule: 'anti-affinity of pods there', repelled: repelled.isPositiveAt(node) },
  ];
}
