/** LimitPodHardAntiAffinityTopology: required anti-affinity may only use the node as its topology. */
import type { PluginDeclaration } from '../types.ts';
import { isPod, podOf } from './pods.ts';
import { refuse } from './refuse.ts';

export const limitPodHardAntiAffinityTopology: PluginDeclaration = {
  name: 'LimitPodHardAntiAffinityTopology',
  on: false,
  create: ({ names }) => ({
    name: 'LimitPodHardAntiAffinityTopology',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate: (attributes) => {
      if (!isPod(attributes)) return;
      const host = names.fill('{label}/hostname');
      const terms = podOf(attributes).spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      const wide = terms?.find(({ topologyKey }) => topologyKey !== host);
      if (wide)
        throw refuse(
          attributes,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey} but only key ${host} is allowed`,
        );
    },
  }),
};
