/** ExtendedResourceToleration: pods that request a device tolerate the taint of nodes reserved for it. */
import { isExtendedResource } from '../../schema/index.ts';
import type { PluginDeclaration } from '../types.ts';
import { containersOf, isPod, podOf } from './pods.ts';
import { withToleration } from './tolerations.ts';

export const extendedResourceToleration: PluginDeclaration = {
  name: 'ExtendedResourceToleration',
  on: false,
  create: ({ names }) => ({
    name: 'ExtendedResourceToleration',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    admit: (attributes) => {
      if (!isPod(attributes)) return;
      const { spec } = podOf(attributes);
      const asked = containersOf(spec).flatMap((c) => Object.keys(c.resources?.requests ?? {}));
      const devices = new Set(asked.filter((name) => isExtendedResource(name, names)));
      for (const key of [...devices].sort())
        spec.tolerations = withToleration(spec.tolerations ?? [], { key, operator: 'Exists', effect: 'NoSchedule' });
    },
  }),
};
