/** Services: what the server fills in and clears before it checks one. */
import type { RuleContext } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { clearStatus, sameValue } from '../meta/checks.ts';
import type { Service, ServiceSpec } from './service.ts';

/** Without an address of its own: clients get the pods' addresses. */
export const isHeadless = ({ clusterIPs = [] }: ServiceSpec): boolean =>
  clusterIPs.length === 1 && clusterIPs[0] === 'None';

export const needsClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';
export const needsNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';
export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

export function prepareService(service: Service, context: RuleContext): void {
  clearStatus(service);
  const { spec } = service;
  if (spec.clusterIP && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP];
  dropDisabledFields(spec, undefined, context);
}

/** Allocated addresses and ports are removed, so that they are allocated again; `exact` keeps them. */
export function prepareServiceExport(service: Service, exact: boolean): void {
  clearStatus(service);
  const { spec } = service;
  if (exact) return;
  if (spec.clusterIPs?.[0] !== 'None') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (spec.type === 'NodePort') for (const port of spec.ports ?? []) delete port.nodePort;
}

export function prepareServiceUpdate(service: Service, old: Service, context: RuleContext): void {
  normalizeClusterIPs(service.spec, old.spec);
  dropDisabledFields(service.spec, old.spec, context);
  clearUnneeded(service, old);
  if (context.gate('IPv6DualStack')) keepFirstFamily(service.spec, old.spec);
}

/** Conditions and ports of load balancers are taken whatever the gates say, as in the reference. */
export function prepareServiceStatusUpdate(service: Service, old: Service): void {
  keepSpec(service, old);
}

/** Lets clients that know only the older of the two address fields go on with it. */
function normalizeClusterIPs(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.clusterIP === old.clusterIP) {
    if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
    return;
  }
  if (!sameValue(spec.clusterIPs, old.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

function dropDisabledFields(spec: ServiceSpec, old: ServiceSpec | undefined, { gate }: RuleContext): void {
  const dualStackUsed =
    old !== undefined &&
    (old.ipFamilies !== undefined || old.ipFamilyPolicy !== undefined || (old.clusterIPs ?? []).length > 1);
  if (!gate('IPv6DualStack') && !dualStackUsed) {
    delete spec.ipFamilies;
    delete spec.ipFamilyPolicy;
    if ((spec.clusterIPs ?? []).length > 1) spec.clusterIPs = (spec.clusterIPs ?? []).slice(0, 1);
  }
  if (!gate('ServiceTopology') && old?.topologyKeys === undefined) delete spec.topologyKeys;
  if (!gate('ServiceLBNodePortControl') && old?.allocateLoadBalancerNodePorts === undefined)
    delete spec.allocateLoadBalancerNodePorts;
}

/**
 * Removes values that the server set for the old type and the new type does not use; addresses and ports only if the
 * client did not change them.
 */
function clearUnneeded({ spec, status }: Service, { spec: old }: Service): void {
  if (needsClusterIP(old) && !needsClusterIP(spec) && sameValue(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (needsClusterIP(old) && !needsClusterIP(spec)) {
    if (sameValue(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (needsNodePorts(old) && !needsNodePorts(spec)) {
    if (addsNoNodePort(spec, old)) for (const port of spec.ports ?? []) delete port.nodePort;
    delete spec.externalTrafficPolicy;
  }
  if (needsHealthCheckPort(old) && !needsHealthCheckPort(spec) && (spec.healthCheckNodePort ?? 0) >= 0)
    delete spec.healthCheckNodePort;
  if (spec.type !== 'LoadBalancer') status.loadBalancer = {};
}

/** Requesting a single IP family releases the second one and its address. */
function keepFirstFamily(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.ipFamilyPolicy !== 'SingleStack') return;
  if (old.ipFamilyPolicy !== 'RequireDualStack' && old.ipFamilyPolicy !== 'PreferDualStack') return;
  if (spec.clusterIPs) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

function addsNoNodePort(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map(({ nodePort }) => nodePort));
  return (spec.ports ?? []).every(({ nodePort }) => !nodePort || before.has(nodePort));
}
