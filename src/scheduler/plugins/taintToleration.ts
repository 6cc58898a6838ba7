import { tolerates, type objects } from '../../schema/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import { normalized, plugin, refuseForGood } from '../framework/plugin.ts';

type Tolerations = readonly objects.Toleration[];

const isTolerated = (taint: objects.Taint, tolerations: Tolerations): boolean =>
  tolerations.some((toleration) => tolerates(toleration, taint));

const isHard = ({ effect }: objects.Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

const NO_TAINTS: readonly objects.Taint[] = [];

const taintsOf = ({ node }: NodeInfo): readonly objects.Taint[] => node.spec.taints ?? NO_TAINTS;

/** Rejects nodes with untolerated taints, and prefers nodes with fewer untolerated soft taints. */
export const taintToleration = plugin<void, Tolerations>({
  name: 'TaintToleration',
  isLocal: true,
  weight: 1,
  filter({ pod }, node) {
    const taint = node.node.spec.taints?.find((each) => isHard(each) && !isTolerated(each, pod.spec.tolerations ?? []));
    return (
      taint && refuseForGood(`node(s) had taint {${taint.key}: ${taint.value ?? ''}}, that the pod didn't tolerate`)
    );
  },
  facts: ({ pod }, node) =>
    taintsOf(node).map((taint) => ({
      taint: `${taint.key}=${taint.value ?? ''}:${taint.effect}`,
      tolerated: isTolerated(taint, pod.spec.tolerations ?? []),
    })),
  prepareScore: ({ pod }) => (pod.spec.tolerations ?? []).filter((t) => !t.effect || t.effect === 'PreferNoSchedule'),
  score(_, { node }, tolerations) {
    let count = 0;
    for (const taint of node.spec.taints ?? NO_TAINTS)
      if (taint.effect === 'PreferNoSchedule' && !isTolerated(taint, tolerations)) count++;
    return count;
  },
  normalize: (scores) => normalized(scores, true),
});
