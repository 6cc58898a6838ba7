/** TaintNodesByCondition: a new node has the not-ready taint until its controller removes it. */
import type { objects } from '../../schema/index.ts';
import type { PluginDeclaration } from '../types.ts';

export const taintNodesByCondition: PluginDeclaration = {
  name: 'TaintNodesByCondition',
  on: true,
  create: ({ names }) => ({
    name: 'TaintNodesByCondition',
    handles: (operation) => operation === 'CREATE',
    changesAtOnce: ({ resource }) => resource.resource === 'nodes',
    admit: ({ resource, subresource, object }) => {
      if (resource.group !== '' || resource.resource !== 'nodes' || subresource !== '') return;
      const node = object as objects.Node;
      const key = names.fill('node.{label}/not-ready');
      const taints = node.spec?.taints ?? [];
      if (taints.some((t) => t.key === key && t.effect === 'NoSchedule')) return;
      node.spec = { ...node.spec, taints: [...taints, { key, effect: 'NoSchedule' }] };
    },
  }),
};
