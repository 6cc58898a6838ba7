import { tolerates } from '../../schema/index.ts';
import { plugin, refuseForGood } from '../framework/plugin.ts';

/** Leaves out nodes that are marked unschedulable, unless the pod tolerates that. */
export const nodeUnschedulable = plugin({
  name: 'NodeUnschedulable',
  filter({ pod, listers }, { node }) {
    const taint = { key: listers.names.fill('node.{label}/unschedulable'), effect: 'NoSchedule' };
    if (!node.spec.unschedulable || (pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint)))
      return undefined;
    return refuseForGood('node(s) were unschedulable');
  },
});
