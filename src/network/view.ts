import type { Names } from '../names/index.ts';
import { parseAddress, type objects } from '../schema/index.ts';

/** The kinds of object that decide where a packet goes, by the name of their resource. */
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

/** What is known of the network that no object says. */
export interface NetworkSettings {
  readonly names: Names;
  /** The domain of the cluster's DNS names, such as `cluster.local`. */
  readonly domain: string;
  /** The address that pods ask for names. */
  readonly dnsAddress: string;
  /** Where the API server listens; missing where nobody reaches it over the network. */
  readonly apiServerAddress?: string;
  /** The classes of ingress that the simulated ingress controller serves, by their `spec.controller`. */
  readonly ingressController: string;
  /** The address of the simulated ingress controller. */
  readonly ingressAddress: string;
  /** The world outside of the cluster: host names and the addresses that they stand for. */
  readonly outside: Readonly<Record<string, string>>;
}

interface Meta {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly labels?: Labels };
}
type Labels = Readonly<Record<string, string>>;

/** `namespace/name`; just the name of what has no namespace. */
export const keyOf = ({ metadata }: Meta): string =>
  metadata?.namespace ? `${metadata.namespace}/${metadata.name ?? ''}` : (metadata?.name ?? '');

/** The same spelling for every way to write an address. */
export const canonicalAddress = (text: string): string => parseAddress(text)?.toString() ?? text;

/**
 * Everything that decides where a packet goes, indexed so that no decision looks at all objects. `set` and `remove` take
 * what an informer delivers; both cost as much as the one object.
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
  readonly #index = new Map<string, Set<string>>();

  constructor(settings: NetworkSettings) {
    this.settings = settings;
  }

  /** Adds an object, or replaces its last version. */
  set<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): void {
    const key = keyOf(object);
    const before = this.#byKey[resource].get(key);
    if (before) this.#unindex(resource, before);
    this.#byKey[resource].set(key, object);
    for (const term of this.#terms(resource, object)) this.#at(term).add(key);
  }

  remove<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): void {
    const key = keyOf(object);
    const before = this.#byKey[resource].get(key);
    if (!before) return;
    this.#unindex(resource, before);
    this.#byKey[resource].delete(key);
  }

  /** A copy in which changes can be tried out: costs as much as there are objects, once. */
  fork(): NetworkView {
    const copy = new NetworkView(this.settings);
    for (const resource of Object.keys(this.#byKey) as NetworkResource[])
      for (const object of this.#byKey[resource].values()) copy.set(resource, object);
    return copy;
  }

  /** An object by its key: `namespace/name`, or `name`. */
  get<R extends NetworkResource>(resource: R, key: string): NetworkObjects[R] | undefined {
    return this.#byKey[resource].get(key);
  }

  all<R extends NetworkResource>(resource: R): NetworkObjects[R][] {
    return [...this.#byKey[resource].values()];
  }

  /** The pod that has an address and still runs. Pods on the host's network have no address of their own. */
  podAt(address: string): objects.Pod | undefined {
    return this.#find('pods', `address ${canonicalAddress(address)}`).find((pod) => !hasEnded(pod));
  }

  nodeAt(address: string): objects.Node | undefined {
    return this.#find('nodes', `address ${canonicalAddress(address)}`)[0];
  }

  /** The services that answer at an address: their own, an external one, or a load balancer's. */
  servicesAt(address: string): objects.Service[] {
    return this.#find('services', `address ${canonicalAddress(address)}`);
  }

  /** The service that a port of every node leads to. */
  serviceAtNodePort(port: number, protocol: string): objects.Service | undefined {
    return this.#find('services', `node port ${protocol} ${port}`)[0];
  }

  slicesOf(service: objects.Service): objects.EndpointSlice[] {
    return this.#find('endpointslices', `service ${keyOf(service)}`);
  }

  policiesIn(namespace: string): objects.NetworkPolicy[] {
    return this.#find('networkpolicies', `namespace ${namespace}`);
  }

  podsIn(namespace: string): objects.Pod[] {
    return this.#find('pods', `namespace ${namespace}`);
  }

  /** The pods on a node that use its own network. */
  hostPodsOn(node: string): objects.Pod[] {
    return this.#find('pods', `host network ${node}`);
  }

  labelsOfNamespace(name: string): Labels {
    return this.#byKey.namespaces.get(name)?.metadata?.labels ?? {};
  }

  #find<R extends NetworkResource>(resource: R, term: string): NetworkObjects[R][] {
    const keys = this.#index.get(`${resource} ${term}`);
    return keys ? [...keys].flatMap((key) => this.#byKey[resource].get(key) ?? []) : [];
  }

  #at(term: string): Set<string> {
    const known = this.#index.get(term);
    if (known) return known;
    const made = new Set<string>();
    this.#index.set(term, made);
    return made;
  }

  #unindex<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): void {
    const key = keyOf(object);
    for (const term of this.#terms(resource, object)) {
      const keys = this.#index.get(term);
      keys?.delete(key);
      if (keys?.size === 0) this.#index.delete(term);
    }
  }

  #terms<R extends NetworkResource>(resource: R, object: NetworkObjects[R]): string[] {
    const find: { readonly [K in NetworkResource]?: (object: NetworkObjects[K]) => string[] } = {
      pods: podTerms,
      nodes: (node) => addressesOfNode(node).map((address) => `address ${address}`),
      services: serviceTerms,
      endpointslices: (slice) => this.#sliceTerms(slice),
      networkpolicies: (policy) => [`namespace ${policy.metadata?.namespace ?? ''}`],
    };
    return (find[resource]?.(object) ?? []).map((term) => `${resource} ${term}`);
  }

  #sliceTerms({ metadata }: objects.EndpointSlice): string[] {
    const service = metadata?.labels?.[this.settings.names.fill('{label}/service-name')];
    return service ? [`service ${metadata?.namespace ?? ''}/${service}`] : [];
  }
}

/** Whether a pod has done its work: nothing of it runs any more, and its address may be another pod's. */
export const hasEnded = ({ status }: objects.Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const onHostNetwork = (pod: objects.Pod): boolean => pod.spec?.hostNetwork === true;

/** All addresses of a pod, each in its canonical form. */
export function addressesOfPod({ status }: objects.Pod): string[] {
  const stated = [status?.podIP ?? '', ...(status?.podIPs ?? []).map(({ ip }) => ip ?? '')];
  return [...new Set(stated.filter((ip) => ip !== '').map(canonicalAddress))];
}

/** The addresses of a node at which it can be reached, each in its canonical form. */
export function addressesOfNode({ status }: objects.Node): string[] {
  const usable = (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP');
  return usable.map(({ address }) => canonicalAddress(address));
}

function podTerms(pod: objects.Pod): string[] {
  const reachable = onHostNetwork(pod)
    ? [`host network ${pod.spec?.nodeName ?? ''}`]
    : addressesOfPod(pod).map((address) => `address ${address}`);
  return [`namespace ${pod.metadata?.namespace ?? ''}`, ...reachable];
}

/** The addresses at which a service answers inside the cluster. */
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
    ...nodePorts.map(({ nodePort, protocol = 'TCP' }) => `node port ${protocol} ${nodePort}`),
  ];
}
