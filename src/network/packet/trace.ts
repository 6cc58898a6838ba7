/** Traces a packet from its sender to its receiver, hop by hop. */
import { parseAddress, type objects } from '../../schema/index.ts';
import { clusterLookup, isUnanswered, lookUp, recordsAt } from '../dns/lookup.ts';
import { DNS_PORT, isBuiltIn } from '../dns/nameServer.ts';
import type { DnsRecord } from '../dns/records.ts';
import { backendPort, routeIngress } from '../ingress.ts';
import { judgeSide, type Direction, type End, type Flow } from '../policy/judge.ts';
import { isProxied, routeToService, servicePort, type ServiceEntry, type ServiceRoute } from '../service/route.ts';
import { judgeSourceRanges } from '../service/sourceRanges.ts';
import {
  addressesOfNode,
  addressesOfPod,
  canonicalAddress,
  hostPortsOf,
  onHostNetwork,
  type NetworkView,
} from '../view.ts';
import {
  outcomeOf,
  type Hop,
  type PacketQuestion,
  type PacketTrace,
  type Reason,
  type Source,
  type TraceOptions,
} from './types.ts';

/** A service that a packet was sent to, and the node whose proxy handles it. */
interface Entered {
  readonly service: objects.Service;
  readonly entry: ServiceEntry;
  readonly address: string;
  readonly node: string | undefined;
}

/** Traces a packet. A pure function of the view and the given choice of endpoints. */
export function tracePacket(question: PacketQuestion, view: NetworkView, options: TraceOptions = {}): PacketTrace {
  return new Journey(question, view, options).run();
}

/** The destination address of a packet after name lookup. */
export function askedAddress({ question, hops }: PacketTrace): string {
  const first = hops[0];
  return first?.kind === 'lookup' ? (first.lookup.addresses[0] ?? question.to) : question.to;
}

/** What stops a packet. */
class Stop {
  readonly reason: Reason;
  constructor(reason: Reason) {
    this.reason = reason;
  }
}

/** The destination after names and services were replaced by an address. */
interface Target {
  readonly address: string;
  readonly port: number;
  /** The forwarding end: the ingress controller, if it is on the path. */
  readonly sender: End;
  /** The sender as the receiver sees it. */
  readonly from: End;
  /** Whether it is an endpoint of a service, inside the cluster or outside. */
  readonly behindService: boolean;
}

class Journey {
  readonly #question: PacketQuestion;
  readonly #view: NetworkView;
  readonly #options: TraceOptions;
  readonly #hops: Hop[] = [];

  constructor(question: PacketQuestion, view: NetworkView, options: TraceOptions) {
    this.#question = question;
    this.#view = view;
    this.#options = options;
  }

  run(): PacketTrace {
    const question = this.#question;
    try {
      const delivered = this.#deliver();
      return { question, hops: this.#hops, outcome: 'delivered', delivered };
    } catch (stop) {
      if (!(stop instanceof Stop)) throw stop;
      return { question, hops: this.#hops, outcome: outcomeOf(stop.reason), reason: stop.reason };
    }
  }

  #deliver(): NonNullable<PacketTrace['delivered']> {
    const from = senderOf(this.#question.from, this.#view);
    const target = this.#route(this.#address(), this.#question.port, from);
    const to = this.#endAt(target);
    this.#judge('Egress', { ...this.#flow(to, target), from: target.sender });
    this.#reach(target.sender, to);
    this.#judge('Ingress', this.#flow(to, target));
    const listening = this.#options.listens?.(to, target.port, this.#question.protocol);
    this.#hops.push({ kind: 'destination', end: to, port: target.port, ...(listening !== undefined && { listening }) });
    if (listening === false) throw new Stop('nothing listens');
    return { to, port: target.port, from: target.from };
  }

  #flow(to: End, { port, from }: Target): Flow {
    return { from, to, port, protocol: this.#question.protocol };
  }

  /** The destination address; a name is looked up first. */
  #address(): string {
    const { to, from } = this.#question;
    if (parseAddress(to)) return canonicalAddress(to);
    const pod = 'pod' in from ? from.pod : undefined;
    const queries = new Map<string, PacketTrace | undefined>();
    const lookup = lookUp(to, pod, this.#view, (name, server) => {
      if (!queries.has(server)) queries.set(server, pod && this.#query(server));
      return this.#answer(name, server, queries.get(server));
    });
    const query = lookup.server === undefined ? undefined : queries.get(lookup.server);
    this.#hops.push({ kind: 'lookup', lookup, ...(query && { query }) });
    if (isUnanswered(lookup)) throw new Stop('name server not reached');
    const address = lookup.addresses[0];
    if (address === undefined) throw new Stop('no such name');
    return canonicalAddress(address);
  }

  /** A DNS query is a packet too: policies may block it. */
  #query(server: string): PacketTrace {
    const { from } = this.#question;
    return tracePacket({ from, to: server, port: DNS_PORT, protocol: 'UDP' }, this.#view, this.#options);
  }

  /** The DNS answer; undefined if there is none. Policies do not apply to a node's queries. */
  #answer(name: string, server: string, query: PacketTrace | undefined): readonly DnsRecord[] | undefined {
    if (query && !query.delivered) return undefined;
    const { answersAt } = this.#options;
    return query?.delivered && answersAt ? answersAt(query.delivered.to, name) : recordsAt(server, name, this.#view);
  }

  /** Replaces the address of a service, a node port or the ingress controller with that of an endpoint. */
  #route(address: string, port: number, from: End): Target {
    const direct = { address, port, sender: from, from, behindService: false };
    if (address === canonicalAddress(this.#view.settings.ingressAddress))
      return this.#options.endsAtController ? { ...direct, behindService: true } : this.#throughIngress(address, from);
    // The built-in name server answers regardless of the service with its address.
    if (port === DNS_PORT && isBuiltIn(address, this.#view)) return direct;
    const entered = this.#serviceAt(address, port, from);
    if (!entered) return this.#throughHostPort(direct) ?? direct;
    if (!isProxied(entered.service, this.#view)) throw new Stop('not proxied');
    return this.#throughService(entered, port, from);
  }

  /** A port of a node may lead to a pod with an address of its own. */
  #throughHostPort(direct: Target): Target | undefined {
    const node = this.#view.nodeAt(direct.address);
    const found = node && podAtHostPort(node, direct.address, direct.port, this.#question.protocol, this.#view);
    if (!node || !found || onHostNetwork(found.pod)) return undefined;
    this.#hops.push({ kind: 'host port', node, hostPort: direct.port, pod: found.pod });
    return { ...direct, address: addressesOfPod(found.pod)[0] ?? '', port: found.containerPort };
  }

  #serviceAt(address: string, port: number, from: End): Entered | undefined {
    const { protocol } = this.#question;
    const services = this.#view.servicesAt(address);
    const service = services.find((each) => servicePort(each, 'cluster address', port, protocol)) ?? services[0];
    if (service) {
      const own = [service.spec?.clusterIP ?? '', ...(service.spec?.clusterIPs ?? [])].map(canonicalAddress);
      const entry = own.includes(address) ? 'cluster address' : 'external address';
      return { service, entry, address, node: nodeNameOf(from) ?? this.#balancedNode(service) };
    }
    const node = this.#view.nodeAt(address);
    const behind = node && this.#view.serviceAtNodePort(port, protocol);
    return behind ? { service: behind, entry: 'node port', address, node: node.metadata?.name } : undefined;
  }

  #passSourceRanges({ service, address }: Entered, client: string): void {
    const fromOutside = 'outside' in this.#question.from;
    const verdict = judgeSourceRanges(service, address, { address: client, fromOutside }, this.#view);
    if (!verdict) return;
    this.#hops.push({ kind: 'source ranges', service, client, ...verdict });
    if (!verdict.admitted) throw new Stop('outside of the source ranges');
  }

  /** The node that a load balancer chooses: one with an endpoint if the policy requires it. */
  #balancedNode(service: objects.Service): string | undefined {
    const first = this.#view.firstNode()?.metadata?.name;
    if (service.spec?.externalTrafficPolicy !== 'Local') return first;
    const topology = this.#view.settings.names.fill('{label}/hostname');
    const serving = this.#view
      .slicesOf(service)
      .flatMap(({ endpoints }) => endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ nodeName, topology: labels }) => nodeName ?? labels?.[topology])
      .filter((name) => name !== undefined && this.#view.get('nodes', name) !== undefined);
    return serving.sort()[0] ?? first;
  }

  #throughService(entered: Entered, number: number, from: End): Target {
    const { service, entry, node } = entered;
    const port = servicePort(service, entry, number, this.#question.protocol);
    if (!port) throw new Stop('port not served');
    const request = { service, port, entry, client: from.address, node, fromOutside: 'outside' in this.#question.from };
    const route = routeToService(request, this.#view, this.#options.choose);
    // Without an endpoint the proxy refuses everybody, whatever the ranges are.
    if (route.chosen) this.#passSourceRanges(entered, from.address);
    this.#hops.push({ kind: 'service', route, ...(node !== undefined && { node }) });
    if (!route.chosen) throw new Stop(noEndpoint(route));
    const { address, port: target } = route.chosen;
    const seen = route.masqueraded ? this.#masquerade(from, node) : from;
    return { address, port: target, sender: from, from: seen, behindService: true };
  }

  /** The receiver sees the address of the forwarding node. */
  #masquerade(from: End, name: string | undefined): End {
    const node = name === undefined ? undefined : this.#view.get('nodes', name);
    return node ? { address: addressesOfNode(node)[0] ?? from.address, node } : from;
  }

  /** The ingress controller terminates the client's connection and opens its own to an endpoint. */
  #throughIngress(address: string, from: End): Target {
    const { to: host, path = '/', port, protocol } = this.#question;
    this.#judge('Egress', { from, to: { address }, port, protocol });
    if (port !== 80 && port !== 443) throw new Stop('nothing listens');
    const route = routeIngress({ host, path }, this.#view);
    this.#hops.push({ kind: 'ingress', host, path, ...(route && { route }) });
    const backend = route?.backend.service;
    const namespace = route?.ingress.metadata?.namespace ?? '';
    const service = backend && this.#view.get('services', `${namespace}/${backend.name}`);
    if (!service) throw new Stop(route ? 'no endpoints' : 'no rule of an Ingress');
    const found = backendPort(backend, service);
    if (found === undefined) throw new Stop('no endpoints');
    const controller: End = { address: this.#view.settings.ingressAddress };
    if (service.spec?.type === 'ExternalName') return this.#throughExternalName(service, found, controller);
    const entered = { service, entry: 'cluster address', address: '', node: undefined } as const;
    return this.#throughService(entered, found, controller);
  }

  /** The ingress controller looks the external name up with the cluster's name server. */
  #throughExternalName({ spec }: objects.Service, port: number, controller: End): Target {
    const lookup = clusterLookup(spec?.externalName ?? '', this.#view);
    this.#hops.push({ kind: 'lookup', lookup });
    const address = lookup.addresses[0];
    if (address === undefined) throw new Stop('no such name');
    return this.#route(canonicalAddress(address), port, controller);
  }

  #endAt({ address, behindService }: Target): End {
    const pod = this.#view.podAt(address);
    if (pod) return { address, pod };
    const node = this.#view.nodeAt(address);
    if (node) return this.#hostEnd(address, node);
    if (behindService || this.#isKnown(address)) return { address };
    throw new Stop('no such address');
  }

  /** The receiver at a node's address: a host-network pod that declares the port, else the node. */
  #hostEnd(address: string, node: objects.Node): End {
    const { port, protocol } = this.#question;
    const pod = podAtHostPort(node, address, port, protocol, this.#view)?.pod;
    return { address, node, ...(pod && onHostNetwork(pod) && { pod }) };
  }

  /** Other addresses that answer: the outside world, name servers that are not pods, the API server. */
  #isKnown(address: string): boolean {
    const { outside, apiServerAddress = '127.0.0.1' } = this.#view.settings;
    const listed = [...Object.values(outside), apiServerAddress, '127.0.0.1'].some(
      (each) => canonicalAddress(each) === address,
    );
    const { from } = this.#question;
    return (
      listed || isBuiltIn(address, this.#view) || ('outside' in from && canonicalAddress(from.outside) === address)
    );
  }

  #judge(direction: Direction, flow: Flow): void {
    const verdict = judgeSide(direction, flow, this.#view);
    if (verdict.why !== 'not a pod') this.#hops.push({ kind: 'policy', flow, verdict });
    if (!verdict.allowed) throw new Stop(direction === 'Egress' ? 'egress denied' : 'ingress denied');
  }

  /** A partitioned node is reachable only from itself. */
  #reach(from: End, to: End): void {
    const [here, there] = [nodeNameOf(from), nodeNameOf(to)];
    const cut = this.#options.isolatedNodes;
    if (!cut || here === there) return;
    if ((there !== undefined && cut.has(there)) || (here !== undefined && cut.has(here)))
      throw new Stop('node not reached');
  }
}

/** The pod with a port on a node, and the port of its container. */
export function podAtHostPort(
  node: objects.Node,
  address: string,
  port: number,
  protocol: string,
  view: NetworkView,
): { readonly pod: objects.Pod; readonly containerPort: number } | undefined {
  for (const pod of view.podsAtHostPort(node.metadata?.name ?? '', port, protocol))
    for (const { hostPort, hostIP, containerPort, protocol: own } of hostPortsOf(pod))
      if (hostPort === port && own === protocol && (hostIP === undefined || canonicalAddress(hostIP) === address))
        return { pod, containerPort };
  return undefined;
}

function noEndpoint({ candidates }: ServiceRoute): Reason {
  return candidates.some(({ excluded }) => excluded === 'on another node')
    ? 'no endpoint on this node'
    : 'no endpoints';
}

/** The name of an end's node; undefined outside of the cluster. */
const nodeNameOf = ({ pod, node }: End): string | undefined => pod?.spec?.nodeName ?? node?.metadata?.name;

/** The sender as the receiver sees it without address translation. */
export function senderOf(from: Source, view: NetworkView): End {
  if ('outside' in from) return { address: canonicalAddress(from.outside) };
  if ('node' in from) return { address: addressesOfNode(from.node)[0] ?? '', node: from.node };
  if (!onHostNetwork(from.pod)) return { address: addressesOfPod(from.pod)[0] ?? '', pod: from.pod };
  const node = view.get('nodes', from.pod.spec?.nodeName ?? '');
  return { address: (node && addressesOfNode(node)[0]) ?? from.pod.status?.hostIP ?? '', pod: from.pod, node };
}
