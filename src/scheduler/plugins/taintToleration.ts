import { tolerates, type objects } from '../../schema/index.ts';
import { normalized, plugin, refuseForGood } from '../framework/plugin.ts';

const isTolerated = (taint: objects.Taint, tolerations: readonly objects.Toleration[]): boolean =>
  tolerations.some((t) => tolerates(t, taint));

/** Leaves out nodes with taints that the pod doesn't tolerate; of the others prefers those with fewer soft ones. */
export const taintToleration = plugin<void, readonly objects.Toleration[]>({
  name: 'TaintToleration',
  weight: 1,
  filter({ pod }, { node }) {
    const hard = (node.spec.taints ?? []).filter(
      (taint) => taint.effect === 'NoSchedule' || taint.effect === 'NoExecute',
    );
    const taint = hard.find((t) => !isTolerated(t, pod.spec.tolerations ?? []));
    return (
      taint && refuseForGood(`node(s) had taint {${taint.key}: ${taint.value ?? ''}}, that the pod didn't tolerate`)
    );
  },
  prepareScore: ({ pod }) => (pod.spec.tolerations ?? []).filter((t) => !t.effect || t.effect === 'PreferNoSchedule'),
  score(_, { node }, tolerations) {
    const soft = (node.spec.taints ?? []).filter((taint) => taint.effect === 'PreferNoSchedule');
    return soft.filter((taint) => !isTolerated(taint, tolerations)).length;
  },
  normalize: (scores) => normalized(scores, true),
});
