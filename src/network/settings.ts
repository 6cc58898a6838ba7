import type { Names } from '../names/index.ts';
import { addressIn, formatAddress, parseBlock } from '../schema/index.ts';
import type { NetworkSettings } from './view.ts';

/** The default service range, as in the reference. */
const DEFAULT_SERVICE_RANGE = '10.0.0.0/24';
/** By convention the name server has the tenth address of the service range. */
const DNS_OFFSET = 10n;

/** Addresses from ranges reserved for documentation. */
const OUTSIDE = { 'example.com': '203.0.113.7', 'api.example.com': '203.0.113.8', 'www.example.org': '203.0.113.20' };
const INGRESS_ADDRESS = '203.0.113.80';

/** The settings of a simulated network from the value of `--service-cluster-ip-range` (the first range). */
export function networkSettings(
  names: Names,
  serviceRange = DEFAULT_SERVICE_RANGE,
  apiServerAddress?: string,
): NetworkSettings {
  const block = parseBlock(serviceRange.split(',')[0] ?? '') ?? parseBlock(DEFAULT_SERVICE_RANGE);
  return {
    names,
    domain: 'cluster.local',
    dnsAddress: block ? formatAddress(addressIn(block, DNS_OFFSET)) : '',
    ...(apiServerAddress !== undefined && { apiServerAddress }),
    ingressController: 'vitrine.dev/ingress',
    ingressAddress: INGRESS_ADDRESS,
    outside: OUTSIDE,
  };
}
