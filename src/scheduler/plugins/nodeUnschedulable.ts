import { tolerates } from '../../schema/index.ts';
import { plugin, refuseForGood, type Cycle } from '../framework/plugin.ts';

function toleratesIt({ pod, listers }: Cycle): boolean {
  const taint = { key: listers.names.fill('node.{label}/unschedulable'), effect: 'NoSchedule' };
  return (pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
}

/** Rejects unschedulable nodes, unless the pod tolerates that. */
export const nodeUnschedulable = plugin({
  name: 'NodeUnschedulable',
  isLocal: true,
  concerns: (cycle) => !toleratesIt(cycle),
  filter: (_, { node }) => (node.spec.unschedulable ? refuseForGood('node(s) were unschedulable') : undefined),
  facts: (_, { node }) => [{ unschedulable: node.spec.unschedulable ?? false }],
});
