import type { Pod, PodDisruptionBudget } from '../../client/index.ts';
import { podInfoOf, type PodInfo } from '../framework/nodeInfo.ts';
import type { Extender } from '../extender/index.ts';
import type { Cycle, Listers, Plugin } from '../framework/plugin.ts';
import type { Snapshot } from '../framework/snapshot.ts';
import type { FilterRules } from '../place.ts';
import { DEFAULT_PREEMPTION_ARGS, type PreemptionArgs } from '../preemption.ts';

/** All that decides where pods go, at one moment. Questions are answered from it, and nothing is changed. */
export interface Situation {
  readonly snapshot: Snapshot;
  readonly listers: Listers;
  readonly plugins: readonly Plugin[];
  readonly budgets?: readonly PodDisruptionBudget[];
  /** Whether a node that one filter refuses is shown to the others, too. */
  readonly asksAll?: boolean;
  /** Share of the nodes that suffices, in percent; 0 lets their number decide. */
  readonly percentage?: number;
  /** Where among the nodes the search begins. */
  readonly start?: number;
  /** Those outside that are asked, too. */
  readonly extenders?: readonly Extender[];
  /** Undefined where no pods are preempted. */
  readonly preemption?: PreemptionArgs | undefined;
  /** Pods that are nominated for a node and matter at least as much as the one that is placed. */
  readonly reservedOn?: (node: string, pod: PodInfo) => readonly PodInfo[];
}

export const cycleFor = ({ snapshot, listers }: Situation, pod: Pod): Cycle => ({
  ...{ pod, snapshot, listers },
  info: podInfoOf(pod),
});

export function rulesFor(
  { plugins, asksAll = false, percentage = 0, reservedOn }: Situation,
  info: PodInfo,
): FilterRules {
  return { plugins, asksAll, percentage, nominatedOn: (node) => reservedOn?.(node, info) ?? [] };
}

/** The situation's arguments of preemption; the default ones where it has none, but does preempt. */
export const preemptionOf = (situation: Situation): PreemptionArgs | undefined =>
  'preemption' in situation ? situation.preemption : DEFAULT_PREEMPTION_ARGS;
