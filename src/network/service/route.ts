/** Which endpoint of a service gets a connection, and why not the others: the decision of the node's proxy. */
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import type { Protocol } from '../policy/judge.ts';
import { canonicalAddress, type NetworkView } from '../view.ts';

type Service = objects.Service;
type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** How a packet addresses a service. */
export type ServiceEntry = 'cluster address' | 'node port' | 'external address';

/** Why an endpoint gets no traffic. */
export type Exclusion = 'not ready' | 'on another node' | 'outside of the topology';

/** An endpoint of a service port. */
export interface Candidate {
  readonly address: string;
  readonly port: number;
  readonly nodeName?: string | undefined;
  /** The pod, as `namespace/name`. */
  readonly pod?: string | undefined;
  readonly topology: Readonly<Record<string, string>>;
  readonly excluded?: Exclusion;
}

export interface ServiceRoute {
  readonly service: Service;
  readonly port: Port;
  readonly entry: ServiceEntry;
  readonly candidates: readonly Candidate[];
  /** The chosen endpoint. */
  readonly chosen?: Candidate;
  /** Whether the destination sees the node's address instead of the client's. */
  readonly masqueraded: boolean;
}

/** A connection to a service. */
export interface ServiceRequest {
  readonly service: Service;
  readonly port: Port;
  readonly entry: ServiceEntry;
  /** The client's address before any translation. */
  readonly client: string;
  /** The node whose proxy decides; undefined for a hypothetical client without a node. */
  readonly node?: string | undefined;
  /** Whether the packet came from outside of the cluster. */
  readonly fromOutside: boolean;
}

/** Chooses one of several endpoints: at random, in turn, or by affinity. */
export type Choose = (request: ServiceRequest, eligible: readonly Candidate[]) => Candidate | undefined;

/** Always chooses the first endpoint, so that a trace does not depend on earlier ones. */
export const chooseFirst: Choose = (_, eligible) => eligible[0];

/** Routes a connection to a service port (specification, Service; the reference's node proxy). */
export function routeToService(request: ServiceRequest, view: NetworkView, choose: Choose = chooseFirst): ServiceRoute {
  const { service, port, entry } = request;
  const local = onlyLocal(request);
  const inTopology = topologyFilter(request, view);
  const candidates = candidatesOf(service, port, view).map((candidate) => {
    const excluded =
      candidate.excluded ??
      (local && candidate.nodeName !== request.node ? ('on another node' as const) : undefined) ??
      (inTopology(candidate) ? undefined : ('outside of the topology' as const));
    return excluded ? { ...candidate, excluded } : candidate;
  });
  const chosen = choose(
    request,
    candidates.filter(({ excluded }) => excluded === undefined),
  );
  const hairpin = chosen?.address === request.client;
  const masqueraded = hairpin || (entry !== 'cluster address' && !keepsClient(request, view));
  return { service, port, entry, candidates, ...(chosen && { chosen }), masqueraded };
}

/** With `externalTrafficPolicy: Local` external traffic goes only to endpoints on the receiving node. */
function onlyLocal({ service, entry, fromOutside }: ServiceRequest): boolean {
  return service.spec?.externalTrafficPolicy === 'Local' && entry !== 'cluster address' && fromOutside;
}

/**
 * With `externalTrafficPolicy: Local` clients keep their addresses, both external ones and pods; traffic from a node
 * still has a node's address.
 */
function keepsClient({ service, client }: ServiceRequest, view: NetworkView): boolean {
  return service.spec?.externalTrafficPolicy === 'Local' && view.nodeAt(client) === undefined;
}

/** The endpoints of a service port, ordered by address. */
export function candidatesOf(service: Service, port: Port, view: NetworkView): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const slice of view.slicesOf(service)) {
    const target = (slice.ports ?? []).find(
      ({ name = '', protocol = 'TCP' }) => name === (port.name ?? '') && protocol === (port.protocol ?? 'TCP'),
    );
    if (target?.port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const candidate = candidateOf(endpoint, target.port, view);
      if (candidate) found.set(`${candidate.address} ${candidate.port}`, candidate);
    }
  }
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : a.port - b.port));
}

function candidateOf(
  { addresses, conditions, topology = {}, targetRef, nodeName }: objects.Endpoint,
  port: number,
  view: NetworkView,
): Candidate | undefined {
  const address = addresses?.[0];
  if (address === undefined) return undefined;
  return {
    address: canonicalAddress(address),
    port,
    topology,
    nodeName: nodeName ?? topology[view.settings.names.fill('{label}/hostname')],
    pod: targetRef?.kind === 'Pod' ? `${targetRef.namespace ?? ''}/${targetRef.name ?? ''}` : undefined,
    ...(conditions?.ready === false && { excluded: 'not ready' as const }),
  };
}

/** The first topology key for which an endpoint shares the node's value decides; a final `*` matches all. */
function topologyFilter({ service, port, node }: ServiceRequest, view: NetworkView): (candidate: Candidate) => boolean {
  const keys = service.spec?.topologyKeys ?? [];
  if (keys.length === 0) return () => true;
  const labels = (node === undefined ? undefined : view.get('nodes', node))?.metadata?.labels ?? {};
  const ready = candidatesOf(service, port, view).filter(({ excluded }) => excluded === undefined);
  const shares = (key: string, { topology }: Candidate): boolean => {
    const mine = getOwn(labels, key);
    return key === '*' || (mine !== undefined && getOwn(topology, key) === mine);
  };
  const key = keys.find((each) => ready.some((candidate) => shares(each, candidate)));
  return (candidate) => key !== undefined && shares(key, candidate);
}

/** Whether the node proxies handle a service: a label may leave it to another proxy. */
export function isProxied({ metadata }: Service, { settings: { names } }: NetworkView): boolean {
  const labels = metadata?.labels ?? {};
  return !['service.{label}/service-proxy-name', 'service.{label}/headless'].some((each) =>
    Object.hasOwn(labels, names.fill(each)),
  );
}

/** The service port that a packet is addressed to. */
export function servicePort(service: Service, entry: ServiceEntry, port: number, protocol: Protocol): Port | undefined {
  return (service.spec?.ports ?? []).find(
    (each) =>
      (each.protocol ?? 'TCP') === protocol && (entry === 'node port' ? each.nodePort === port : each.port === port),
  );
}
