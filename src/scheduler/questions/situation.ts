import type { Pod, PodDisruptionBudget } from '../../client/index.ts';
import { podInfoOf, type PodInfo } from '../framework/nodeInfo.ts';
import type { Extender } from '../extender/index.ts';
import type { Cycle, Listers, Plugin } from '../framework/plugin.ts';
import type { Snapshot } from '../framework/snapshot.ts';
import type { FilterRules } from '../place.ts';
import { DEFAULT_PREEMPTION_ARGS, type PreemptionArgs } from '../preemption.ts';

/** Everything that decides placements at one time. Questions are answered from it, and it is never modified. */
export interface Situation {
  readonly snapshot: Snapshot;
  readonly listers: Listers;
  readonly plugins: readonly Plugin[];
  readonly budgets?: readonly PodDisruptionBudget[];
  /** Whether all filters check a node that one of them has rejected. */
  readonly asksAll?: boolean;
  /** The percentage of nodes to find; 0 derives it from the number of nodes. */
  readonly percentage?: number;
  /** The index of the node where the search starts. */
  readonly start?: number;
  /** The extenders to call. */
  readonly extenders?: readonly Extender[];
  /** Undefined if preemption is disabled. */
  readonly preemption?: PreemptionArgs | undefined;
  /** Pods nominated for a node with at least the priority of the scheduled pod. */
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

/** The situation's preemption arguments, or the defaults if it preempts without any. */
export const preemptionOf = (situation: Situation): PreemptionArgs | undefined =>
  'preemption' in situation ? situation.preemption : DEFAULT_PREEMPTION_ARGS;
