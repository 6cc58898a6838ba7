import type { Names } from '../names/index.ts';
import { parseAddress, type objects } from '../schema/index.ts';

/** The objects that affect routing, by resource name. */
export interface NetworkObjects {
  readonly pods: objects.Pod;
  readonly nodes: objects.Node;
  readonly namespaces: objects.Namespace;
  readonly services: objects.Service;
  readonly endpointslices: objects.EndpointSlice;
  readonly networkpolicies: objects.NetworkPolicy;
  readonly ingresses: objects.Ingress;
  readonly ingressclasses: objects.IngressClass;
}
export type NetworkResource = keyof NetworkObjects;

/** Network settings that are not objects. */
export interface NetworkSettings {
  readonly names: Names;
  /** The domain of the cluster's DNS names, such as `cluster.local`. */
  readonly domain: string;
  /** The address of the name server for pods. */
  readonly dnsAddress: string;
  /** The address of the API server; missing if it is not reachable over the network. */
  readonly apiServerAddress?: string;
  /** The `spec.controller` of the ingress classes that the simulated ingress controller serves. */
  readonly ingressController: string;
  /** The address of the simulated ingress controller. */
  readonly ingressAddress: string;
  /** External host names and their addresses. */
  readonly outside: Readonly<Record<string, string>>;
}

interface Meta {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly labels?: Labels };
}
type Labels = Readonly<Record<string, string>>;

/** `namespace/name`, or the name alone for a cluster-wide object. */
export const keyOf = ({ metadata }: Meta): string =>
  metadata?.namespace ? `${metadata.namespace}/${metadata.name ?? ''}` : (metadata?.name ?? '');

/** The namespace of an object; empty for a cluster-wide one. */
export const namespaceOf = ({ metadata }: Meta): string => metadata?.namespace ?? '';

/** The canonical text of an address. */
export const canonicalAddress = (text: string): string => parseAddress(text)?.toString() ?? text;

/**
 * Everything that affects routing, indexed so that no lookup scans all objects. `set` and `remove` handle informer
 * events; their cost is proportional to the one object.
 */
export class NetworkView {
  readonly settings: NetworkSettings;
  readonly #byKey: { readonly [R in NetworkResource]: Map<string, NetworkObjects[R]> } = {
    pods: new Map(),
    nodes: new Map(),
    namespaces: new Map(),
    services: new Map(),
    endpointslices: new Map(),
    networkpolicies: new Map(),
    ingresses: new Map(),
    ingressclasses: new Map(),
  };
  /** The keys of objects by term: most terms have one, which needs no set. */
  readonly #index = new Map<string, string | Set<string>>();
  /** The index terms of an object by kind; other kinds are only found by key. */
  readonly #termsOf: { readonly [R in NetworkResource]?: (object: NetworkObjects[R]) => string[] } = {
    pods: (pod) => [...podTerms(pod), ...systemTerms(pod, this.settings.names)],
    nodes: (node) => addressesOfNode(node).map((address) => `address ${address}`),
    services: serviceTerms,
    endpointslices: (slice) => this.#sliceTerms(slice),
    ingresses: ingressTerms,
    ingressclasses: ({ spec }) => [`controller ${spec?.controller ?? ''}`],
    networkpolicies: (policy) => [`namespace ${namespaceOf(policy)}`],
  };

  constructor(settings: NetworkSettings) {
    this.settings = settings;
  }

  /** Adds an object, or replaces its last version. */
  set<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): void {
    const key = keyOf(object);
    const before = this.#byKey[resource].get(key);
    this.#byKey[resource].set(key, object);
    this.#reindex(key, before ? this.#terms(resource, before) : [], this.#terms(resource, object));
  }

  remove<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): void {
    const key = keyOf(object);
    const before = this.#byKey[resource].get(key);
    if (!before) return;
    this.#reindex(key, this.#terms(resource, before), []);
    this.#byKey[resource].delete(key);
  }

  /** A copy for hypothetical changes; its cost is proportional to the number of objects. */
  fork(): NetworkView {
    const copy = new NetworkView(this.settings);
    for (const resource of Object.keys(this.#byKey) as NetworkResource[]) copy.#take(resource, this.#byKey[resource]);
    for (const [term, keys] of this.#index) copy.#index.set(term, typeof keys === 'string' ? keys : new Set(keys));
    return copy;
  }

  #take<R extends NetworkResource>(resource: R, from: ReadonlyMap<string, NetworkObjects[R]>): void {
    for (const [key, object] of from) this.#byKey[resource].set(key, object);
  }

  /** An object by its key: `namespace/name`, or `name`. */
  get<R extends NetworkResource>(resource: R, key: string): NetworkObjects[R] | undefined {
    return this.#byKey[resource].get(key);
  }

  all<R extends NetworkResource>(resource: R): NetworkObjects[R][] {
    return [...this.#byKey[resource].values()];
  }

  count(resource: NetworkResource): number {
    return this.#byKey[resource].size;
  }

  /** The running pod with an address. Host-network pods have no address of their own. */
  podAt(address: string): objects.Pod | undefined {
    return this.#find('pods', `address ${canonicalAddress(address)}`).find((pod) => !hasEnded(pod));
  }

  nodeAt(address: string): objects.Node | undefined {
    return this.#find('nodes', `address ${canonicalAddress(address)}`)[0];
  }

  /** The services with an address: a cluster IP, an external IP, or a load balancer's. */
  servicesAt(address: string): objects.Service[] {
    return this.#find('services', `address ${canonicalAddress(address)}`);
  }

  /** The service with a node port. */
  serviceAtNodePort(port: number, protocol: string): objects.Service | undefined {
    return this.#find('services', `node port ${protocol} ${port}`)[0];
  }

  slicesOf(service: objects.Service): objects.EndpointSlice[] {
    return this.#find('endpointslices', `service ${keyOf(service)}`);
  }

  /** The services with an endpoint at an address. */
  servicesBefore(address: string): objects.Service[] {
    const slices = this.#find('endpointslices', `address ${canonicalAddress(address)}`);
    const keys = new Set(slices.map((slice) => this.#serviceOf(slice)));
    return [...keys].flatMap((key) => this.#byKey.services.get(key ?? '') ?? []);
  }

  policiesIn(namespace: string): objects.NetworkPolicy[] {
    return this.#find('networkpolicies', `namespace ${namespace}`);
  }

  podsIn(namespace: string): objects.Pod[] {
    return this.#find('pods', `namespace ${namespace}`);
  }

  /** Pods of the system namespace by the label that names their component. */
  systemPods(part: string): objects.Pod[] {
    return this.#find('pods', `system ${part}`).filter((pod) => !hasEnded(pod));
  }

  /** The pods with a port on a node: host-network pods, or pods with a host port. */
  podsAtHostPort(node: string, port: number, protocol: string): objects.Pod[] {
    return this.#find('pods', `host port ${node} ${protocol} ${port}`).filter((pod) => !hasEnded(pod));
  }

  /** The service with a health check node port. */
  serviceAtHealthPort(port: number): objects.Service | undefined {
    return this.#find('services', `health port ${port}`)[0];
  }

  /** The Ingresses with a rule for exactly this host text; the empty host means any host. */
  ingressesFor(host: string): objects.Ingress[] {
    return this.#find('ingresses', `host ${host}`);
  }

  ingressesWithDefaultBackend(): objects.Ingress[] {
    return this.#find('ingresses', 'default backend');
  }

  /** The classes of ingress that a controller serves. */
  classesOf(controller: string): objects.IngressClass[] {
    return this.#find('ingressclasses', `controller ${controller}`);
  }

  /** The node that was added first, if any. */
  firstNode(): objects.Node | undefined {
    return this.#byKey.nodes.values().next().value;
  }

  labelsOfNamespace(name: string): Labels {
    return this.#byKey.namespaces.get(name)?.metadata?.labels ?? {};
  }

  #find<R extends NetworkResource>(resource: R, term: string): NetworkObjects[R][] {
    const keys = this.#index.get(`${resource} ${term}`);
    if (keys === undefined) return [];
    return (typeof keys === 'string' ? [keys] : [...keys]).flatMap((key) => this.#byKey[resource].get(key) ?? []);
  }

  #put(term: string, key: string): void {
    const keys = this.#index.get(term);
    if (keys === undefined) this.#index.set(term, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) this.#index.set(term, new Set([keys, key]));
  }

  #forget(term: string, key: string): void {
    const keys = this.#index.get(term);
    if (keys === key || (typeof keys === 'object' && keys.delete(key) && keys.size === 0)) this.#index.delete(term);
  }

  /** Updates an object's index terms; most changes leave all terms unchanged. */
  #reindex(key: string, before: readonly string[], after: readonly string[]): void {
    if (before.length === after.length && before.every((term, i) => term === after[i])) return;
    for (const term of before) this.#forget(term, key);
    for (const term of after) this.#put(term, key);
  }

  #terms<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): string[] {
    return (this.#termsOf[resource]?.(object) ?? []).map((term) => `${resource} ${term}`);
  }

  #sliceTerms(slice: objects.EndpointSlice): string[] {
    const service = this.#serviceOf(slice);
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []).map(canonicalAddress);
    return service === undefined ? [] : [`service ${service}`, ...addresses.map((address) => `address ${address}`)];
  }

  /** The service of a slice, as `namespace/name`. */
  #serviceOf(slice: objects.EndpointSlice): string | undefined {
    const service = slice.metadata?.labels?.[this.settings.names.fill('{label}/service-name')];
    return service ? `${namespaceOf(slice)}/${service}` : undefined;
  }
}

/** Whether a pod has terminated: its address may belong to another pod. */
export const hasEnded = ({ status }: objects.Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const onHostNetwork = (pod: objects.Pod): boolean => pod.spec?.hostNetwork === true;

/** All addresses of a pod in canonical form. */
export function addressesOfPod({ status }: objects.Pod): string[] {
  const stated = [status?.podIP ?? '', ...(status?.podIPs ?? []).map(({ ip }) => ip ?? '')];
  return [...new Set(stated.filter((ip) => ip !== '').map(canonicalAddress))];
}

/** The reachable addresses of a node in canonical form. */
export function addressesOfNode({ status }: objects.Node): string[] {
  const usable = (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP');
  return usable.map(({ address }) => canonicalAddress(address));
}

function podTerms(pod: objects.Pod): string[] {
  const node = pod.spec?.nodeName ?? '';
  const addresses = onHostNetwork(pod) ? [] : addressesOfPod(pod).map((address) => `address ${address}`);
  const ports = hostPortsOf(pod).map(({ hostPort, protocol }) => `host port ${node} ${protocol} ${hostPort}`);
  return [`namespace ${namespaceOf(pod)}`, ...addresses, ...ports];
}

/** The usual label that names a system component. */
export const SYSTEM_LABEL = 'k8s-app';

function systemTerms({ metadata }: objects.Pod, { systemNamespace }: Names): string[] {
  const part = metadata?.namespace === systemNamespace ? metadata.labels?.[SYSTEM_LABEL] : undefined;
  return part === undefined ? [] : [`system ${part}`];
}

/** A node port that leads to a pod. */
export interface HostPort {
  readonly hostPort: number;
  readonly containerPort: number;
  readonly protocol: string;
  /** The node address of the port; undefined for all addresses. */
  readonly hostIP: string | undefined;
}

/** The ports of a pod on its node. For a host-network pod these are all its declared ports. */
export function hostPortsOf(pod: objects.Pod): HostPort[] {
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.flatMap(
    ({ containerPort, hostPort = onHostNetwork(pod) ? containerPort : 0, hostIP, protocol = 'TCP' }) => {
      const anywhere = hostIP === undefined || hostIP === '' || hostIP === '0.0.0.0' || hostIP === '::';
      return hostPort === 0 ? [] : [{ hostPort, containerPort, protocol, hostIP: anywhere ? undefined : hostIP }];
    },
  );
}

function ingressTerms({ spec }: objects.Ingress): string[] {
  const hosts = new Set((spec?.rules ?? []).map(({ host = '' }) => host.toLowerCase()));
  return [...[...hosts].map((host) => `host ${host}`), ...(spec?.defaultBackend ? ['default backend'] : [])];
}

/** The addresses of a service inside the cluster. */
export function addressesOfService({ spec, status }: objects.Service): string[] {
  const own = (spec?.clusterIPs ?? []).length > 0 ? (spec?.clusterIPs ?? []) : [spec?.clusterIP ?? ''];
  const balancers = (status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip ?? '');
  const all = [...own, ...(spec?.externalIPs ?? []), ...balancers];
  return [...new Set(all.filter((ip) => ip !== '' && ip !== 'None').map(canonicalAddress))];
}

function serviceTerms(service: objects.Service): string[] {
  const nodePorts = (service.spec?.ports ?? []).filter(({ nodePort }) => nodePort !== undefined && nodePort > 0);
  return [
    ...addressesOfService(service).map((address) => `address ${address}`),
    ...(service.spec?.healthCheckNodePort ? [`health port ${service.spec.healthCheckNodePort}`] : []),
    ...nodePorts.map(({ nodePort, protocol = 'TCP' }) => `node port ${protocol} ${nodePort}`),
  ];
}
