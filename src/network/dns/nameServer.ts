/** Who answers questions for names: pods, as in the field, or the simulation itself where a cluster has no such pods. */
import { servicePort } from '../service/route.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';
import { nodeNameserver } from './resolvConf.ts';

export const DNS_PORT = 53;

/** The name of the service at which pods ask, and the value of the label by which the pods behind it are known. */
export const nameServerName = ({ settings }: NetworkView): string => settings.names.fill('{prefix}-dns');

/** Whether the cluster's names are answered by pods: then packets have to reach them. */
export function hasNameServerPods(view: NetworkView): boolean {
  const services = view.servicesAt(view.settings.dnsAddress);
  if (services.some((service) => servicePort(service, 'cluster address', DNS_PORT, 'UDP'))) return true;
  return view.systemPods(nameServerName(view)).length > 0;
}

/** Whether the simulation itself answers at an address: as the node's own name server, or as that of a cluster without such pods. */
export function isBuiltIn(server: string, view: NetworkView): boolean {
  const address = canonicalAddress(server);
  if (address === nodeNameserver) return true;
  return address === canonicalAddress(view.settings.dnsAddress) && !hasNameServerPods(view);
}
