import { plugin, refuseForGood } from '../framework/plugin.ts';

/** Requires the node that the pod names. */
export const nodeName = plugin({
  name: 'NodeName',
  concerns: ({ pod }) => Boolean(pod.spec.nodeName),
  filter: ({ pod }, node) =>
    pod.spec.nodeName === node.name ? undefined : refuseForGood("node(s) didn't match the requested hostname"),
});
