/** The score of preferred affinity terms, of the pod itself and of placed pods. */
import type { NodeInfo } from '../../framework/nodeInfo.ts';
import { selects } from '../../framework/podInfo.ts';
import type { TermKind } from '../../framework/podIndex.ts';
import { MAX_SCORE, type Cycle } from '../../framework/plugin.ts';
import { TopologyCounts } from './topology.ts';

/** `hardWeight`: the weight of a required term of a placed pod that matches the incoming one. */
export function prepareScore({ info, snapshot }: Cycle, hardWeight: number): TopologyCounts {
  const counts = new TopologyCounts();
  const { podIndex } = snapshot;
  const own = (terms: typeof info.preferredAffinity, sign: 1 | -1): void => {
    for (const { namespaces, selector, topologyKey, weight } of terms)
      for (const { nodes } of podIndex.matching(namespaces, selector))
        counts.addAll(snapshot, nodes, topologyKey, sign * weight);
  };
  const placed = (kind: TermKind, weightOf: (weight: number) => number): void => {
    for (const { term, nodes } of podIndex.terms(kind))
      if (selects(term, info)) counts.addAll(snapshot, nodes, term.topologyKey, weightOf(term.weight));
  };
  own(info.preferredAffinity, 1);
  own(info.preferredAntiAffinity, -1);
  if (hardWeight > 0) placed('requiredAffinity', () => hardWeight);
  placed('preferredAffinity', (weight) => weight);
  placed('preferredAntiAffinity', (weight) => -weight);
  return counts;
}

export const score = (_: Cycle, node: NodeInfo, counts: TopologyCounts): number =>
  counts.isEmpty ? 0 : counts.sumAt(node);

/** Scales each between the minimum (at most 0) and the maximum (at least 0). */
export function normalize(scores: readonly number[], counts: TopologyCounts): readonly number[] {
  if (counts.isEmpty) return scores;
  const least = scores.reduce((min, each) => Math.min(min, each), 0);
  const span = scores.reduce((max, each) => Math.max(max, each), 0) - least;
  return scores.map((each) => (span > 0 ? Math.trunc(MAX_SCORE * ((each - least) / span)) : 0));
}
