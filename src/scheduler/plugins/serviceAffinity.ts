import { getOwn } from '../../std/index.ts';
import { selectorOfLabels, type Selector } from '../../schema/index.ts';
import type { Fields } from '../config/fields.ts';
import type { NodeInfo, PodInfo } from '../framework/nodeInfo.ts';
import { MAX_SCORE, plugin, refuse, type Cycle, type Plugin, type PodMove } from '../framework/plugin.ts';

export interface ServiceAffinityArgs {
  /** Node labels that all pods of a service have to share. */
  readonly affinityLabels: readonly string[];
  /** Node labels over which pods of a service are spread. */
  readonly antiAffinityLabels: readonly string[];
}

interface FilterState {
  readonly hasServices: boolean;
  /** Placed pods of the namespace that have all of the pod's labels. */
  readonly alike: { readonly pod: PodInfo; readonly node: NodeInfo }[];
}

const servicesOf = ({ info, listers }: Cycle): readonly Selector[] =>
  listers
    .servicesFor(info)
    .map(({ spec }) => spec.selector ?? {})
    .filter((selector) => Object.keys(selector).length > 0)
    .map((selector) => selectorOfLabels(selector))
    .filter((selector) => selector.matches(info.labels));

function prepareFilter(cycle: Cycle): FilterState {
  const { info, snapshot } = cycle;
  const selector = selectorOfLabels(info.labels);
  const isAlike = (pod: PodInfo): boolean => pod.namespace === info.namespace && selector.matches(pod.labels);
  const alike = snapshot.nodes.flatMap((node) => node.pods.filter(isAlike).map((pod) => ({ pod, node })));
  return { hasServices: servicesOf(cycle).length > 0, alike };
}

/** Hypothetically added pods are appended to the matching ones. */
function movePod({ alike }: FilterState, { info }: Cycle, { pod, node, by }: PodMove): void {
  if (pod.namespace !== info.namespace || !selectorOfLabels(info.labels).matches(pod.labels)) return;
  if (by > 0) {
    alike.push({ pod, node });
    return;
  }
  const gone = alike.findIndex((other) => other.pod === pod);
  if (gone >= 0) alike.splice(gone, 1);
}

/** The required node labels: those that the pod selects, and otherwise those of the first matching pod's node. */
function wantedLabels(
  { pod }: Cycle,
  { hasServices, alike }: FilterState,
  keys: readonly string[],
): ReadonlyMap<string, string> {
  const own = pod.spec.nodeSelector ?? {};
  const wanted = new Map(keys.flatMap((key) => (Object.hasOwn(own, key) ? [[key, own[key] as string] as const] : [])));
  if (wanted.size === keys.length || !hasServices) return wanted;
  const [first] = alike;
  for (const key of keys) {
    const value = getOwn(first?.node.labels, key);
    if (value !== undefined && !wanted.has(key)) wanted.set(key, value);
  }
  return wanted;
}

/** The number of pods on each node that the first matching service selects. */
function prepareScore(cycle: Cycle): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const [first] = servicesOf(cycle);
  if (!first) return counts;
  for (const group of cycle.snapshot.podIndex.matching([cycle.info.namespace], first)) {
    if (group.isTerminating) continue;
    for (const [name, count] of group.nodes) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

/**
 * For each label: the lower the share of counted pods with the node's value, the higher the score; a node without the
 * label gets nothing.
 */
function normalize(scores: readonly number[], feasible: readonly NodeInfo[], labels: readonly string[]): number[] {
  const all = scores.reduce((sum, count) => sum + count, 0);
  const result = scores.map(() => 0);
  for (const label of labels) {
    const values = feasible.map((node) => getOwn(node.labels, label));
    const byValue = new Map<string, number>();
    for (const [i, value] of values.entries())
      if (value !== undefined) byValue.set(value, (byValue.get(value) ?? 0) + (scores[i] as number));
    for (const [i, value] of values.entries()) {
      if (value === undefined) continue;
      const share = all > 0 ? MAX_SCORE * ((all - (byValue.get(value) ?? 0)) / all) : MAX_SCORE;
      result[i] = (result[i] as number) + share / labels.length;
    }
  }
  return result.map(Math.trunc);
}

/** Requires the pods of a service to share some node labels, and spreads them over others. */
export const serviceAffinityOf = ({ affinityLabels, antiAffinityLabels }: ServiceAffinityArgs): Plugin =>
  plugin<FilterState, ReadonlyMap<string, number>>({
    name: 'ServiceAffinity',
    weight: 1,
    concerns: () => affinityLabels.length > 0,
    prepareFilter,
    copyState: ({ hasServices, alike }) => ({ hasServices, alike: [...alike] }),
    movePod,
    filter(cycle, node, state) {
      const wanted = wantedLabels(cycle, state, affinityLabels);
      const matches = [...wanted].every(([key, value]) => getOwn(node.labels, key) === value);
      return matches ? undefined : refuse("node(s) didn't match service affinity");
    },
    facts: (cycle, node, state) =>
      Array.from(wantedLabels(cycle, state, affinityLabels), ([label, wanted]) => ({
        ...{ label, wanted, found: getOwn(node.labels, label) ?? '' },
        matches: getOwn(node.labels, label) === wanted,
      })),
    prepareScore,
    score: (_, node, counts) => counts.get(node.name) ?? 0,
    normalize: (scores, _, feasible) => normalize(scores, feasible, antiAffinityLabels),
  });

export const serviceAffinity = serviceAffinityOf({ affinityLabels: [], antiAffinityLabels: [] });

export const serviceAffinityWith = (args: Fields): Plugin =>
  serviceAffinityOf({
    affinityLabels: args.texts('affinityLabels'),
    antiAffinityLabels: args.texts('antiAffinityLabelsPreference'),
  });
