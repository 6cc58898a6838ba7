/** The endpoints that a service, or manually managed Endpoints, should have in slices. */
import type { Endpoints, Node, Pod, Service } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { backendsOf, referenceTo, sortByDigest, type Backend } from '../../network/index.ts';
import { getOwn } from '../../std/index.ts';
import { groupKey, type AddressType, type Endpoint, type EndpointGroup, type SlicePort } from './slices.ts';
import { isHeadless } from './selected.ts';

type Ports = NonNullable<NonNullable<Endpoints['subsets']>[number]['ports']>;
type Address = NonNullable<NonNullable<Endpoints['subsets']>[number]['addresses']>[number];

const familyOf = (ip: string): AddressType => (ip.includes(':') ? 'IPv6' : 'IPv4');

/** A headless service without IP families may have either. */
export function addressTypesOf(service: Service): readonly AddressType[] {
  const families = (service.spec.ipFamilies ?? []).map((family) => (family === 'IPv6' ? 'IPv6' : 'IPv4'));
  if (families.length > 0) return [...new Set(families)];
  return isHeadless(service) ? ['IPv4', 'IPv6'] : [familyOf(service.spec.clusterIP ?? '')];
}

/** Endpoints by address type and ports, in order of occurrence. */
class Groups {
  readonly #groups = new Map<string, EndpointGroup & { readonly endpoints: Endpoint[] }>();

  /** The endpoints of a group; empty for a new group. */
  of(addressType: AddressType, ports: readonly SlicePort[]): Endpoint[] {
    const key = groupKey(addressType, ports);
    const group = this.#groups.get(key) ?? { addressType, ports, endpoints: [] };
    this.#groups.set(key, group);
    return group.endpoints;
  }

  list(): EndpointGroup[] {
    return [...this.#groups.values()];
  }
}

function slicePorts(ports: Ports | null | undefined): SlicePort[] {
  const all = (ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
    name,
    port,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }));
  return sortByDigest<SlicePort>(all, printed);
}

function printed({ name, protocol, port, appProtocol = '<nil>' }: SlicePort): string {
  return `(v1beta1.EndpointPort){Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} AppProtocol:(*string)${appProtocol}}`;
}

/**
 * The endpoints of a service. Throws if a pod's node is unknown, because slices contain the topology of their
 * endpoints.
 */
export function groupsOf(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  names: Names,
): EndpointGroup[] {
  const groups = new Groups();
  for (const backend of backendsOf(service, pods)) {
    const nodeName = backend.pod.spec?.nodeName ?? '';
    const node = nodeOf(nodeName);
    if (!node) throw new Error(`node ${JSON.stringify(nodeName)} not found`);
    for (const addressType of addressTypesOf(service)) {
      const endpoints = groups.of(addressType, slicePorts([...backend.ports]));
      const addresses = backend.ips.filter((ip) => familyOf(ip) === addressType);
      if (addresses.length > 0) endpoints.push(endpointOf(backend, addresses, topologyOf(nodeName, node, names)));
    }
  }
  return groups.list();
}

function endpointOf(
  { pod, ready, hostname }: Backend,
  addresses: string[],
  topology: Record<string, string>,
): Endpoint {
  return {
    addresses,
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    targetRef: referenceTo(pod),
    topology,
  };
}

function topologyOf(nodeName: string, node: Node, names: Names): Record<string, string> {
  const places = ['topology.{label}/region', 'topology.{label}/zone'].flatMap((template) => {
    const value = getOwn(node.metadata.labels, names.fill(template));
    return value ? [[names.fill(template), value] as const] : [];
  });
  return { [names.fill('{label}/hostname')]: nodeName, ...Object.fromEntries(places) };
}

export interface Mirrored {
  readonly groups: readonly EndpointGroup[];
  /** The number of addresses that were skipped because their subset has too many. */
  readonly skipped: number;
}

/**
 * The endpoints of manually managed Endpoints for slices: at most `max` for each subset. Unready addresses are mirrored
 * as ready, as in the reference.
 */
export function mirroredGroups(endpoints: Endpoints, max: number, names: Names): Mirrored {
  const groups = new Groups();
  let skipped = 0;
  for (const { addresses, notReadyAddresses, ports } of endpoints.subsets ?? []) {
    const all = [...(addresses ?? []), ...(notReadyAddresses ?? [])];
    skipped += Math.max(0, all.length - max);
    for (const address of all.slice(0, max))
      groups.of(familyOf(address.ip), slicePorts(ports)).push(mirroredEndpoint(address, names));
  }
  return { groups: groups.list().map((group) => ({ ...group, endpoints: group.endpoints.slice(0, max) })), skipped };
}

function mirroredEndpoint({ ip, hostname, nodeName, targetRef }: Address, names: Names): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready: true },
    ...(hostname ? { hostname } : {}),
    ...(targetRef ? { targetRef } : {}),
    ...(nodeName === undefined ? {} : { topology: { [names.fill('{label}/hostname')]: nodeName } }),
  };
}
