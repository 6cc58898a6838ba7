import { plugin, refuseForGood } from '../framework/plugin.ts';
import { tolerates } from './tolerations.ts';

/** Leaves out nodes that are marked unschedulable, unless the pod tolerates that. */
export const nodeUnschedulable = plugin({
  name: 'NodeUnschedulable',
  filter({ pod, listers }, { node }) {
    const taint = { key: listers.names.fill('node.{label}/unschedulable'), effect: 'NoSchedule' };
    if (!node.spec.unschedulable || tolerates(pod.spec.tolerations ?? [], taint)) return undefined;
    return refuseForGood('node(s) were unschedulable');
  },
});
