/** Services and where they lead: endpoints and their slices. */
import {
  endpoints,
  endpointSlices,
  pathOf,
  services,
  type Client,
  type Endpoints,
  type Service,
} from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { describer } from './describer.ts';
import {
  field,
  given,
  indent,
  labels,
  labelsInLine,
  meta,
  names,
  NONE,
  section,
  table,
  UNSET,
  type Line,
} from './lines.ts';

/** The endpoints of a service; undefined where there are none to be had. */
export async function endpointsOf(client: Client, namespace: string, name: string): Promise<Endpoints> {
  return (await client.json(pathOf(endpoints, client.names, namespace, name))) as Endpoints;
}

const joinPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

const SHOWN = 3;

/** The addresses behind a port, the first few of them. */
export function endpointsText({ subsets }: Pick<Endpoints, 'subsets'>, port: string): string {
  if (!subsets?.length) return NONE;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports
          .filter(({ name = '' }) => name === port)
          .flatMap((each) => addresses.map(({ ip }) => joinPort(ip, each.port))),
  );
  const shown = all.slice(0, SHOWN).join(',');
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}

export const serviceDescriber = describer(services, async (service, { client }) => {
  const { metadata, spec } = service;
  const behind = await endpointsOf(client, metadata.namespace ?? '', metadata.name ?? '').catch(() => ({}));
  return [
    ...names(service),
    ...meta(service),
    field('Selector', labelsInLine(spec.selector)),
    field('Type', spec.type ?? ''),
    ...serviceAddresses(service),
    ...(spec.ports ?? []).flatMap((port) => portLines(port, behind)),
    field('Session Affinity', spec.sessionAffinity ?? ''),
    ...given('External Traffic Policy', spec.externalTrafficPolicy),
    ...(spec.healthCheckNodePort ? [field('HealthCheck NodePort', spec.healthCheckNodePort)] : []),
    ...given('LoadBalancer Source Ranges', spec.loadBalancerSourceRanges?.join(',')),
  ];
});

function serviceAddresses({ spec, status }: Service): readonly Line[] {
  const balancers = (status.loadBalancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip || hostname);
  return [
    ...given('IP Families', spec.ipFamilies?.join(',') || NONE),
    field('IP', spec.clusterIP ?? ''),
    field('IPs', spec.clusterIPs?.join(',') || NONE),
    ...given('External IPs', spec.externalIPs?.join(',')),
    ...given('IP', spec.loadBalancerIP),
    ...given('External Name', spec.externalName),
    ...given('LoadBalancer Ingress', balancers.join(', ')),
  ];
}

function portLines(
  { name = '', port, protocol = '', targetPort, nodePort }: objects.ServicePort,
  behind: Pick<Endpoints, 'subsets'>,
): readonly Line[] {
  const called = name || UNSET;
  return [
    field('Port', `${called}\t${port}/${protocol}`),
    field('TargetPort', `${targetPort ?? 0}/${protocol}`),
    ...(nodePort ? [field('NodePort', `${called}\t${nodePort}/${protocol}`)] : []),
    field('Endpoints', endpointsText(behind, name)),
  ];
}

export const endpointsDescriber = describer(endpoints, (object) => [
  ...names(object),
  ...meta(object),
  'Subsets:',
  ...(object.subsets ?? []).flatMap(subsetLines),
]);

function subsetLines({ addresses = [], notReadyAddresses = [], ports = [] }: objects.EndpointSubset): readonly Line[] {
  const rows = ports.map(({ name = '', port, protocol = '' }) => [name || UNSET, port, protocol]);
  return [
    ...indent(1, [
      field('Addresses', addresses.map(({ ip }) => ip).join(',') || NONE),
      field('NotReadyAddresses', notReadyAddresses.map(({ ip }) => ip).join(',') || NONE),
      ...(rows.length === 0 ? [] : section('Ports', table(['Name', 'Port', 'Protocol'], rows))),
    ]),
    '',
  ];
}

export const endpointSliceDescriber = describer(endpointSlices, (slice) => {
  const { addressType, ports, endpoints: list } = slice;
  const rows = (ports ?? []).map(({ name, port, protocol }) => [name || UNSET, port ?? UNSET, protocol ?? '']);
  return [
    ...names(slice),
    ...meta(slice),
    field('AddressType', addressType),
    ...(rows.length === 0 ? ['Ports: <unset>'] : section('Ports', table(['Name', 'Port', 'Protocol'], rows))),
    ...(list?.length ? ['Endpoints:', ...list.flatMap(sliceEndpoint)] : ['Endpoints: <none>']),
  ];
});

const sliceEndpoint = ({ addresses, conditions, hostname, targetRef, topology }: objects.Endpoint): readonly Line[] => [
  `  ${field('- Addresses', addresses?.join(',') || NONE)}`,
  ...indent(2, [
    ...section('Conditions', [field('Ready', conditions?.ready ?? UNSET)]),
    field('Hostname', hostname ?? UNSET),
    ...(targetRef ? [field('TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`)] : []),
  ]),
  ...labels('    Topology', topology),
];
