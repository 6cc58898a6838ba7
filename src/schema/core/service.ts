import { always, bool, int32, intOrString, list, map, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { Condition } from '../meta/condition.ts';
import { object } from '../meta/object.ts';
import { LoadBalancerStatus } from './loadBalancer.ts';

export const ServicePort = struct(
  'api.core.v1.ServicePort',
  {
    name: opt(1, string, { doc: 'Name of the port.' }),
    protocol: opt(2, string, { default: 'TCP', doc: '`TCP`, `UDP` or `SCTP`.' }),
    appProtocol: ptr(6, string, { doc: 'Protocol that is spoken on the port.' }),
    port: always(3, int32, { doc: 'Number of the port.' }),
    targetPort: opt(4, intOrString, { doc: 'Number or name of the port of the pods.' }),
    nodePort: opt(5, int32, { doc: 'Port on every node.' }),
  },
  {
    defaults(port) {
      if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
    },
    doc: 'A port of a service.',
  },
);
export type ServicePort = Infer<typeof ServicePort>;

export const ClientIPConfig = struct('api.core.v1.ClientIPConfig', {
  timeoutSeconds: ptr(1, int32),
});
export type ClientIPConfig = Infer<typeof ClientIPConfig>;

export const SessionAffinityConfig = struct('api.core.v1.SessionAffinityConfig', {
  clientIP: ptr(1, ClientIPConfig),
});
export type SessionAffinityConfig = Infer<typeof SessionAffinityConfig>;

const THREE_HOURS = 10800;

function fillAffinity(spec: { sessionAffinity?: string; sessionAffinityConfig?: SessionAffinityConfig }): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: THREE_HOURS } };
}

/** Two addresses or families ask for two stacks, and two stacks for both families. The rest depends on the cluster. */
function fillFamilies(spec: { clusterIPs?: string[]; ipFamilies?: string[]; ipFamilyPolicy?: string }): void {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (clusterIPs.length === 2 || ipFamilies.length === 2) spec.ipFamilyPolicy ??= 'RequireDualStack';
  if (spec.ipFamilyPolicy === 'RequireDualStack' && ipFamilies.length === 1)
    spec.ipFamilies = [...ipFamilies, ipFamilies[0] === 'IPv4' ? 'IPv6' : 'IPv4'];
}

export const ServiceSpec = struct(
  'api.core.v1.ServiceSpec',
  {
    ports: opt(1, list(ServicePort), {
      list: 'map',
      keys: ['port', 'protocol'],
      mergeKey: 'port',
      strategy: 'merge',
      doc: 'Ports of the service.',
    }),
    selector: opt(2, map(string), {
      doc: 'Labels of the pods behind the service; without any, someone else looks after the endpoints.',
    }),
    clusterIP: opt(3, string, { doc: 'Address inside the cluster; `None` means that there is none.' }),
    clusterIPs: opt(18, list(string), { list: 'atomic', doc: 'Addresses inside the cluster, one for each family.' }),
    type: opt(4, string, { default: 'ClusterIP', doc: '`ClusterIP`, `NodePort`, `LoadBalancer` or `ExternalName`.' }),
    externalIPs: opt(5, list(string), { doc: 'Further addresses for which nodes take traffic.' }),
    sessionAffinity: opt(7, string, {
      default: 'None',
      doc: '`ClientIP` leads a client to the same pod again; `None` does not.',
    }),
    loadBalancerIP: opt(8, string, { doc: 'Address that the load balancer should have.' }),
    loadBalancerSourceRanges: opt(9, list(string), { doc: 'Who may reach the load balancer.' }),
    externalName: opt(10, string, { doc: 'Name that the service stands for.' }),
    externalTrafficPolicy: opt(11, string, {
      doc: 'Whether traffic from outside stays on its node: `Local`, or `Cluster`.',
    }),
    healthCheckNodePort: opt(12, int32, { doc: 'Port on which nodes say whether they have endpoints.' }),
    publishNotReadyAddresses: opt(13, bool, { doc: 'Whether addresses that are not ready are published.' }),
    sessionAffinityConfig: ptr(14, SessionAffinityConfig, { doc: 'Settings of the affinity.' }),
    topologyKeys: opt(16, list(string)),
    ipFamilies: opt(19, list(string), { list: 'atomic', doc: 'Families of the addresses.' }),
    ipFamilyPolicy: ptr(17, string, { doc: 'Whether the service has addresses of one family or two.' }),
    allocateLoadBalancerNodePorts: ptr(20, bool),
  },
  {
    defaults(spec, { gate }) {
      fillAffinity(spec);
      if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') spec.externalTrafficPolicy ??= 'Cluster';
      if (gate('IPv6DualStack') && spec.type !== 'ExternalName') fillFamilies(spec);
      if (spec.type === 'LoadBalancer' && gate('ServiceLBNodePortControl')) spec.allocateLoadBalancerNodePorts ??= true;
    },
    doc: 'What is wanted of a service.',
  },
);
export type ServiceSpec = Infer<typeof ServiceSpec>;

export const ServiceStatus = struct('api.core.v1.ServiceStatus', {
  loadBalancer: opt(1, LoadBalancerStatus),
  conditions: opt(2, list(Condition), { list: 'map', keys: ['type'], mergeKey: 'type', strategy: 'merge' }),
});
export type ServiceStatus = Infer<typeof ServiceStatus>;

export const Service = object('api.core.v1.Service', {
  spec: opt(2, ServiceSpec),
  status: opt(3, ServiceStatus),
});
export type Service = Infer<typeof Service>;
