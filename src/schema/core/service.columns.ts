/** Columns of services and endpoints. */
import type { Column } from '../define/index.ts';
import { age, firstOf, labelsCell, name, text, wide } from '../meta/columns.ts';
import type { Endpoints } from './endpoints.ts';
import type { LoadBalancerStatus } from './loadBalancer.ts';
import type { Service, ServicePort } from './service.ts';

export const serviceColumns: readonly Column<Service>[] = [
  name,
  text('Type', 'How the service can be reached.', ({ spec }) => spec.type),
  text('Cluster-IP', 'Address inside the cluster.', ({ spec }) => spec.clusterIPs?.[0] ?? '<none>'),
  text('External-IP', 'Addresses outside the cluster.', externalAddresses),
  text(
    'Port(s)',
    'Ports, with node ports and protocols.',
    ({ spec }) => spec.ports?.map(portText).join(',') ?? '<none>',
  ),
  age,
  wide('Selector', 'Labels of the pods behind the service.', ({ spec }) => labelsCell(spec.selector)),
];

function externalAddresses({ spec, status }: Service): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer':
      return [balancerText(status.loadBalancer), ...own].filter(Boolean).join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Addresses or names of a load balancer, sorted. */
export function balancerText({ ingress }: LoadBalancerStatus): string {
  return [...new Set((ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '').filter(Boolean))].sort().join(',');
}

function portText({ port, nodePort, protocol = '' }: ServicePort): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

const SHOWN = 3;

export const endpointsColumns: readonly Column<Endpoints>[] = [
  name,
  text('Endpoints', 'Addresses and ports that are ready.', ({ subsets }) =>
    subsets?.length ? firstOf(pairs(subsets), SHOWN) : '<none>',
  ),
  age,
];

function pairs(subsets: NonNullable<Endpoints['subsets']>): string[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
  });
}

/** Addresses with colons of their own stand in brackets. */
const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
