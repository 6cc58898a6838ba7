/** Services: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, each, oneOf, type Errors } from '../meta/checks.ts';
import { validateLabels } from '../meta/objectMeta.rules.ts';
import { checkAddress, isIPv6, parseAddress, parseBlock } from '../values/addresses.ts';
import { checkLabel, checkPortNumber, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import { PROTOCOLS, validatePort } from './ports.rules.ts';
import { validateNonSpecialAddress } from './endpoints.rules.ts';
import type { LoadBalancerStatus } from './loadBalancer.ts';
import type { Service, ServicePort, ServiceSpec } from './service.ts';
import {
  isHeadless,
  needsHealthCheckPort,
  prepareService,
  prepareServiceExport,
  prepareServiceStatusUpdate,
  prepareServiceUpdate,
} from './service.prepare.ts';

const SPEC = Path.of('spec');
const PORTS = SPEC.child('ports');
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const FAMILIES = ['IPv4', 'IPv6'];
const FAMILY_POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
/** The node agent's own port, which a load balancer must not open to the world. */
const AGENT_PORT = 10250;
const MAX_AFFINITY_SECONDS = 86400;
const MAX_TOPOLOGY_KEYS = 16;

function* validate(service: Service, context: RuleContext): Errors {
  const { spec } = service;
  if ((spec.ports ?? []).length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') yield field.required(PORTS);
  yield* validateByType(spec, context);
  yield* validatePorts(spec.ports ?? []);
  yield* validateLabels(spec.selector, SPEC.child('selector'));
  yield* validateAffinity(spec);
  yield* validateClusterIPs(spec);
  yield* each(spec.externalIPs, SPEC.child('externalIPs'), (address, at) => {
    const wrong = complaints(at, address, checkAddress(address));
    return wrong.length > 0 ? wrong : validateNonSpecialAddress(address, at);
  });
  if (!spec.type) yield field.required(SPEC.child('type'));
  else yield* oneOf(spec.type, TYPES, SPEC.child('type'));
  yield* validatePortsByType(spec);
  yield* validateTopologyKeys(spec);
  yield* validateSourceRanges(service, context);
  if (spec.allocateLoadBalancerNodePorts !== undefined && spec.type !== 'LoadBalancer') {
    yield field.forbidden(
      SPEC.child('allocateLoadBalancerNodePorts'),
      "may only be used when `type` is 'LoadBalancer'",
    );
  }
  yield* validateExternalTraffic(spec);
}

function* validateByType(spec: ServiceSpec, { names }: RuleContext): Errors {
  if (spec.type === 'LoadBalancer') {
    yield* each(spec.ports, PORTS, ({ port }, at) =>
      port === AGENT_PORT
        ? [field.invalid(at, port, `may not expose port ${AGENT_PORT} externally since it is used by ${names.agent}`)]
        : [],
    );
  }
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    if (isHeadless(spec))
      yield field.invalid(
        SPEC.child('clusterIPs').index(0),
        'None',
        `may not be set to 'None' for ${spec.type} services`,
      );
  } else if (spec.type === 'ExternalName') yield* validateExternalName(spec);
}

function* validateExternalName(spec: ServiceSpec): Errors {
  const unused = 'may not be set for ExternalName services';
  if ((spec.clusterIPs ?? []).length > 0) yield field.forbidden(SPEC.child('clusterIPs'), unused);
  if ((spec.ipFamilies ?? []).length > 0) yield field.forbidden(SPEC.child('ipFamilies'), unused);
  if (spec.ipFamilyPolicy !== undefined) yield field.forbidden(SPEC.child('ipFamilyPolicy'), unused);
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') yield field.required(SPEC.child('externalName'));
  else yield* complaints(SPEC.child('externalName'), name, checkSubdomain(name));
}

function* validatePorts(ports: readonly ServicePort[]): Errors {
  const names = new Set<string>();
  yield* each(ports, PORTS, function* (port, at) {
    const { name = '', protocol = '', appProtocol } = port;
    if (name === '' && ports.length > 1) yield field.required(at.child('name'));
    else if (name !== '') {
      yield* complaints(at.child('name'), name, checkLabel(name));
      if (names.has(name)) yield field.duplicate(at.child('name'), name);
      names.add(name);
    }
    yield* complaints(at.child('port'), port.port, checkPortNumber(port.port));
    if (protocol === '') yield field.required(at.child('protocol'));
    else yield* oneOf(protocol, PROTOCOLS, at.child('protocol'));
    yield* validatePort(port.targetPort, at.child('targetPort'));
    if (appProtocol !== undefined)
      yield* complaints(at.child('appProtocol'), appProtocol, checkQualifiedName(appProtocol));
  });
}

function* validateAffinity({ sessionAffinity = '', sessionAffinityConfig: config }: ServiceSpec): Errors {
  const path = SPEC.child('sessionAffinityConfig');
  if (sessionAffinity === '') yield field.required(SPEC.child('sessionAffinity'));
  else yield* oneOf(sessionAffinity, ['ClientIP', 'None'], SPEC.child('sessionAffinity'));
  if (sessionAffinity === 'None' && config)
    yield field.forbidden(path, 'must not be set when session affinity is None');
  if (sessionAffinity !== 'ClientIP') return;
  const missing = !config ? path : !config.clientIP ? path.child('clientIP') : path.child('clientIP', 'timeoutSeconds');
  const seconds = config?.clientIP?.timeoutSeconds;
  if (seconds === undefined) yield field.required(missing, 'when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS)
    yield field.invalid(missing, seconds, `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`);
}

/** The fields that say which addresses the service has, in themselves and in their agreement. */
function* validateClusterIPs(spec: ServiceSpec): Errors {
  if (spec.type === 'ExternalName') return;
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const path = SPEC.child('clusterIPs');
  if (clusterIP === '' && clusterIPs.length > 0)
    yield field.invalid(path, clusterIPs, 'must be empty when clusterIP is empty');
  else if (clusterIP !== '' && clusterIPs.length === 0) yield field.required(path);
  else if (clusterIP !== '' && clusterIPs[0] !== clusterIP)
    yield field.invalid(path, clusterIPs, 'element [0] must match clusterIP');
  yield* each(ipFamilies, SPEC.child('ipFamilies'), function* (family, at, i) {
    yield* oneOf(family, FAMILIES, at);
    if (ipFamilies.indexOf(family) < i) yield field.duplicate(at, family);
  });
  if (ipFamilyPolicy !== undefined) yield* oneOf(ipFamilyPolicy, FAMILY_POLICIES, SPEC.child('ipFamilyPolicy'));
  const malformed = [...validateEachClusterIP(clusterIPs, path)];
  yield* malformed;
  if (clusterIPs.length > 2) yield field.invalid(path, clusterIPs, 'may only hold up to 2 values');
  if (malformed.length === 0 && clusterIPs[0] !== 'None') yield* validateFamilies(clusterIPs, ipFamilies, path);
}

function* validateEachClusterIP(clusterIPs: readonly string[], path: Path): Errors {
  for (const [i, address] of clusterIPs.entries()) {
    if (i > 0 || address !== 'None') yield* complaints(path.index(i), address, checkAddress(address));
    else if (clusterIPs.length > 1) yield field.invalid(path, clusterIPs, "'None' must be the first and only value");
  }
}

const familyOf = (address: string): string => {
  const parsed = parseAddress(address);
  return parsed && isIPv6(parsed) ? 'IPv6' : 'IPv4';
};

function* validateFamilies(clusterIPs: readonly string[], families: readonly string[], path: Path): Errors {
  const actual = clusterIPs.map(familyOf);
  if (clusterIPs.length > 1 && new Set(actual).size < 2)
    yield field.invalid(path, clusterIPs, 'may specify no more than one IP for each IP family');
  for (const [i, address] of clusterIPs.entries()) {
    const family = families[i];
    if (family !== undefined && FAMILIES.includes(family) && family !== actual[i]) {
      yield field.invalid(path.index(i), address, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
    }
  }
}

function* validatePortsByType({ type, ports = [] }: ServiceSpec): Errors {
  if (type === 'ClusterIP') {
    yield* each(ports, PORTS, ({ nodePort }, at) =>
      nodePort ? [field.forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'")] : [],
    );
  }
  const nodePorts = ports.map(({ protocol, nodePort }) => (nodePort ? `${protocol}/${nodePort}` : undefined));
  yield* each(nodePorts, PORTS, (key, at, i) =>
    key !== undefined && nodePorts.indexOf(key) < i ? [field.duplicate(at.child('nodePort'), ports[i]?.nodePort)] : [],
  );
  const keys = ports.map(({ protocol, port }) => `${protocol}/${port}`);
  yield* each(keys, PORTS, (key, at, i) => (keys.indexOf(key) < i ? [field.duplicate(at, ports[i])] : []));
}

const hasMixedProtocols = ({ ports }: ServiceSpec): boolean =>
  new Set((ports ?? []).map(({ protocol }) => protocol)).size > 1;

/** A load balancer speaks one protocol, unless it already spoke several. */
function validateProtocols(spec: ServiceSpec, old: ServiceSpec | undefined, { gate }: RuleContext): FieldErrors {
  if (spec.type !== 'LoadBalancer' || gate('MixedProtocolLBService')) return [];
  if (!hasMixedProtocols(spec) || (old && hasMixedProtocols(old))) return [];
  return [field.invalid(PORTS, spec.ports, "may not contain a mix of protocols when 'type' is 'LoadBalancer'")];
}

function* validateTopologyKeys({ topologyKeys = [], externalTrafficPolicy }: ServiceSpec): Errors {
  const path = SPEC.child('topologyKeys');
  if (topologyKeys.length > 0 && externalTrafficPolicy === 'Local')
    yield field.forbidden(path, 'may not be specified when `externalTrafficPolicy=Local`');
  if (topologyKeys.length > MAX_TOPOLOGY_KEYS) yield field.tooMany(path, topologyKeys.length, MAX_TOPOLOGY_KEYS);
  yield* each(topologyKeys, path, function* (key, at, i) {
    if (topologyKeys.indexOf(key) < i) yield field.duplicate(at, key);
    if (key === '*' && i < topologyKeys.length - 1)
      yield field.invalid(at, key, '"*" must be the last value specified');
    if (key !== '*') yield* complaints(at, topologyKeys, checkQualifiedName(key));
  });
}

function* validateSourceRanges({ metadata, spec }: Service, { names }: RuleContext): Errors {
  const key = names.fill('service.beta.{label}/load-balancer-source-ranges');
  const annotation = metadata.annotations?.[key];
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length === 0 && annotation === undefined) return;
  // The field's capital letter is the reference's own.
  const path = ranges.length > 0 ? SPEC.child('LoadBalancerSourceRanges') : Path.of('metadata', 'annotations').key(key);
  if (spec.type !== 'LoadBalancer') yield field.forbidden(path, "may only be used when `type` is 'LoadBalancer'");
  const texts = ranges.length > 0 ? ranges : (annotation ?? '').trim() === '' ? [] : (annotation ?? '').split(',');
  if (texts.every((text) => parseBlock(text.trim()))) return;
  yield field.invalid(path, texts, 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ');
}

function* validateExternalTraffic({ externalTrafficPolicy = '', healthCheckNodePort = 0 }: ServiceSpec): Errors {
  if (!['', 'Cluster', 'Local'].includes(externalTrafficPolicy)) {
    yield field.invalid(
      SPEC.child('externalTrafficPolicy'),
      externalTrafficPolicy,
      'ExternalTrafficPolicy must be empty, Cluster or Local',
    );
  }
  if (healthCheckNodePort < 0)
    yield field.invalid(
      SPEC.child('healthCheckNodePort'),
      healthCheckNodePort,
      'HealthCheckNodePort must be not less than 0',
    );
}

/** What only makes sense together. */
function* validateExternalTrafficTogether(spec: ServiceSpec): Errors {
  const { type, externalTrafficPolicy = '', healthCheckNodePort = 0 } = spec;
  if (type !== 'LoadBalancer' && type !== 'NodePort' && externalTrafficPolicy !== '') {
    yield field.invalid(
      SPEC.child('externalTrafficPolicy'),
      externalTrafficPolicy,
      'ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
    );
  }
  if (healthCheckNodePort !== 0 && !needsHealthCheckPort(spec)) {
    yield field.invalid(
      SPEC.child('healthCheckNodePort'),
      healthCheckNodePort,
      'HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
    );
  }
}

/** The first address can't change; a second one may be added, and removed if the policy says so. */
function* validateClusterIPsUpdate(spec: ServiceSpec, old: ServiceSpec): Errors {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName' || (isHeadless(spec) && isHeadless(old))) return;
  const [now, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const path = SPEC.child('clusterIPs');
  if (now.length === before.length) {
    for (const [i, address] of before.entries())
      if (address !== now[i]) yield field.invalid(path.index(i), now, 'may not change once set');
    return;
  }
  if (now.length === 0) return yield field.invalid(path.index(0), now, 'primary clusterIP can not be unset');
  if (before.length > 0 && now[0] !== before[0]) yield field.invalid(path.index(0), now, 'may not change once set');
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== 'SingleStack') {
    yield field.invalid(
      path.index(0),
      now,
      "`ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary clusterIP",
    );
  }
}

/** The first IP family can't change either. */
function* validateFamiliesUpdate(spec: ServiceSpec, old: ServiceSpec): Errors {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName' || isHeadless(spec) || isHeadless(old)) return;
  const [now, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const at = SPEC.child('ipFamilies').index(0);
  if (now.length === before.length) {
    for (const [i, family] of before.entries())
      if (family !== now[i]) yield field.invalid(at, now, 'may not change once set');
    return;
  }
  const fewer = now.length < before.length;
  if (fewer && (spec.clusterIPs ?? []).length === 0) yield field.invalid(at, now, 'primary ipFamily can not be unset');
  if (now.length > 0 && before.length > 0 && now[0] !== before[0])
    yield field.invalid(at, now, 'may not change once set');
  if (fewer && now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack')
    yield field.invalid(at, now, "`ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary ipFamily");
}

/** The addresses under which a load balancer is reached; ingresses have the same. */
export function* validateLoadBalancerStatus(status: LoadBalancerStatus | undefined, path: Path): Errors {
  yield* each(status?.ingress, path.child('ingress'), function* ({ ip = '', hostname = '' }, at) {
    if (ip !== '' && !parseAddress(ip)) yield field.invalid(at.child('ip'), ip, 'must be a valid IP address');
    if (hostname === '') return;
    yield* complaints(at.child('hostname'), hostname, checkSubdomain(hostname));
    if (parseAddress(hostname))
      yield field.invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address');
  });
}

export const serviceRules: Rules<Service> = {
  name: 'serviceLabel',
  // As the reference does: by its status a service comes to be that has no address.
  createOnUpdate: 'status',
  needsVersion: true,
  prepareCreate: prepareService,
  prepareExport: prepareServiceExport,
  prepareUpdate: prepareServiceUpdate,
  prepareStatusUpdate: prepareServiceStatusUpdate,
  validate: (service, context) => [...validate(service, context)],
  validateClaimed: ({ spec }) => [...validateExternalTrafficTogether(spec)],
  validateCreate: ({ spec }, context) => validateProtocols(spec, undefined, context),
  updateChecks: ['metadata', 'change', 'alone'],
  validateUpdate: ({ spec }, old, context) => [
    ...validateClusterIPsUpdate(spec, old.spec),
    ...validateFamiliesUpdate(spec, old.spec),
    ...validateProtocols(spec, old.spec, context),
  ],
  validateStatusUpdate: ({ status }) => [
    ...validateLoadBalancerStatus(status.loadBalancer, Path.of('status', 'loadBalancer')),
  ],
};
