import { plugin, refuseForGood } from '../framework/plugin.ts';

/** Keeps a pod that names its node to that node. */
export const nodeName = plugin({
  name: 'NodeName',
  filter({ pod }, node) {
    const wanted = pod.spec.nodeName ?? '';
    return wanted === '' || wanted === node.name
      ? undefined
      : refuseForGood("node(s) didn't match the requested hostname");
  },
});
