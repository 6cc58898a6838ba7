/** What answers DNS queries: pods, as usual, or the simulation itself if a cluster has no such pods. */
import { servicePort } from '../service/route.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';
import { nodeNameserver } from './resolvConf.ts';

export const DNS_PORT = 53;

/** The name of the DNS service, and the value of the label of its pods. */
export const nameServerName = ({ settings }: NetworkView): string => settings.names.fill('{prefix}-dns');

/** Whether pods resolve the cluster's names: then packets have to reach them. */
export function hasNameServerPods(view: NetworkView): boolean {
  const services = view.servicesAt(view.settings.dnsAddress);
  if (services.some((service) => servicePort(service, 'cluster address', DNS_PORT, 'UDP'))) return true;
  return view.systemPods(nameServerName(view)).length > 0;
}

/**
 * Whether the simulation itself answers at an address: as the node's name server, or as that of a cluster without such
 * pods.
 */
export function isBuiltIn(server: string, view: NetworkView): boolean {
  const address = canonicalAddress(server);
  if (address === nodeNameserver) return true;
  return address === canonicalAddress(view.settings.dnsAddress) && !hasNameServerPods(view);
}
