/** ResourceQuota: adds new usage to the namespace's quotas, and refuses requests that exceed them. Runs last. */
import { evaluatorOf, isUncounted } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { Charging } from './quota/charging.ts';
import { readLimitedResources } from './quota/limitedResources.ts';
import { quotasIn } from './quota/quotas.ts';

export const resourceQuota: PluginDeclaration = {
  name: 'ResourceQuota',
  on: true,
  create: (deps) => {
    const limited = readLimitedResources(deps);
    const charging = new Charging(deps, limited);
    return {
      name: 'ResourceQuota',
      handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
      validate: (attributes) => {
        if (!isCounted(attributes, deps)) return;
        // Most namespaces have no quotas.
        if (limited.length === 0 && quotasIn(attributes.namespace, deps).length === 0) return;
        return charging.charge(attributes);
      },
    };
  },
};

function isCounted(
  { namespace, subresource, resource, kind, operation }: AdmissionAttributes,
  deps: PluginDeps,
): boolean {
  if (subresource !== '' || namespace === '' || isUncounted(resource)) return false;
  if (operation === 'CREATE') return !(kind.group === '' && kind.kind === 'Namespace');
  return evaluatorOf(resource, deps.names).onUpdate;
}
