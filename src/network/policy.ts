/** Whether a network policy lets traffic pass, and which rule decided. Pure functions over objects. */
import { contains, parseAddress, parseBlock, selectorOfObject, type objects } from '../schema/index.ts';

type Policy = objects.NetworkPolicy;
type Spec = NonNullable<Policy['spec']>;
type IngressRule = NonNullable<Spec['ingress']>[number];
type EgressRule = NonNullable<Spec['egress']>[number];
type Peer = NonNullable<IngressRule['from']>[number];
type Port = NonNullable<IngressRule['ports']>[number];

/** One end of a connection: a pod, or an address outside. */
export type End = { readonly pod: objects.Pod } | { readonly address: string };

export interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
}

export interface Surroundings {
  readonly policies: readonly Policy[];
  readonly namespaces: readonly objects.Namespace[];
}

/** What one side's policies say. `policy` and `rule` (its index) name what allowed; `isolating` the policies that select the pod. */
export interface SideVerdict {
  readonly allowed: boolean;
  readonly why: 'not isolated' | 'rule' | 'no rule matches' | 'not a pod';
  readonly isolating: readonly Policy[];
  readonly policy?: Policy;
  readonly rule?: number;
}

export interface PolicyVerdict {
  readonly allowed: boolean;
  /** The source's policies for what it sends. */
  readonly egress: SideVerdict;
  /** The destination's policies for what it gets. */
  readonly ingress: SideVerdict;
}

/** Judges a connection: both ends have to allow it. Traffic from a pod's own node always passes. */
export function judgeConnection(connection: Connection, surroundings: Surroundings): PolicyVerdict {
  const egress = judgeSide('Egress', connection.from, connection.to, connection, surroundings);
  const ingress = fromOwnNode(connection)
    ? notIsolated([])
    : judgeSide('Ingress', connection.to, connection.from, connection, surroundings);
  return { allowed: egress.allowed && ingress.allowed, egress, ingress };
}

const notIsolated = (isolating: readonly Policy[]): SideVerdict => ({ allowed: true, why: 'not isolated', isolating });

function fromOwnNode({ from, to }: Connection): boolean {
  return 'address' in from && 'pod' in to && to.pod.status?.hostIP === from.address;
}

function judgeSide(
  type: 'Ingress' | 'Egress',
  subject: End,
  other: End,
  connection: Connection,
  { policies, namespaces }: Surroundings,
): SideVerdict {
  if (!('pod' in subject)) return { allowed: true, why: 'not a pod', isolating: [] };
  const isolating = policies.filter((policy) => typesOf(policy).includes(type) && selects(policy, subject.pod));
  if (isolating.length === 0) return notIsolated(isolating);
  const target = 'pod' in connection.to ? connection.to.pod : undefined;
  for (const policy of isolating) {
    const rule = rulesOf(policy, type).findIndex(
      ({ peers, ports }) => matchesPeers(peers, policy, other, namespaces) && matchesPorts(ports, connection, target),
    );
    if (rule >= 0) return { allowed: true, why: 'rule', isolating, policy, rule };
  }
  return { allowed: false, why: 'no rule matches', isolating };
}

/** The directions that a policy restricts; where it doesn't say, ingress always and egress when it has such rules. */
function typesOf({ spec }: Policy): readonly string[] {
  const stated = spec?.policyTypes ?? [];
  return stated.length > 0 ? stated : ['Ingress', ...((spec?.egress ?? []).length > 0 ? ['Egress'] : [])];
}

function selects({ metadata, spec }: Policy, pod: objects.Pod): boolean {
  return (
    metadata?.namespace === pod.metadata?.namespace &&
    selectorOfObject(spec?.podSelector ?? {}).matches(pod.metadata?.labels ?? {})
  );
}

interface Rule {
  readonly peers: readonly Peer[];
  readonly ports: readonly Port[];
}

function rulesOf({ spec }: Policy, type: 'Ingress' | 'Egress'): Rule[] {
  if (type === 'Ingress')
    return (spec?.ingress ?? []).map((rule: IngressRule) => ({ peers: rule.from ?? [], ports: rule.ports ?? [] }));
  return (spec?.egress ?? []).map((rule: EgressRule) => ({ peers: rule.to ?? [], ports: rule.ports ?? [] }));
}

/** Peers are alternatives; none at all means everybody. */
function matchesPeers(
  peers: readonly Peer[],
  policy: Policy,
  other: End,
  namespaces: readonly objects.Namespace[],
): boolean {
  return peers.length === 0 || peers.some((peer) => matchesPeer(peer, policy, other, namespaces));
}

function matchesPeer(
  { ipBlock, namespaceSelector, podSelector }: Peer,
  policy: Policy,
  other: End,
  namespaces: readonly objects.Namespace[],
): boolean {
  if (ipBlock) return inBlock(ipBlock, addressOf(other));
  if (!('pod' in other)) return false;
  const { namespace, labels } = other.pod.metadata ?? {};
  if (podSelector && !selectorOfObject(podSelector).matches(labels ?? {})) return false;
  if (!namespaceSelector) return namespace === policy.metadata?.namespace;
  const found = namespaces.find((candidate) => candidate.metadata?.name === namespace);
  return selectorOfObject(namespaceSelector).matches(found?.metadata?.labels ?? {});
}

const addressOf = (end: End): string => ('pod' in end ? (end.pod.status?.podIP ?? '') : end.address);

function inBlock(block: NonNullable<Peer['ipBlock']>, text: string): boolean {
  const address = parseAddress(text);
  const holds = (cidr: string): boolean => {
    const parsed = parseBlock(cidr);
    return address !== undefined && parsed !== undefined && contains(parsed, address);
  };
  return holds(block.cidr) && !(block.except ?? []).some(holds);
}

/** Ports are alternatives; none at all means every port. A name is the destination pod's own. */
function matchesPorts(
  ports: readonly Port[],
  { port, protocol = 'TCP' }: Connection,
  target: objects.Pod | undefined,
): boolean {
  if (ports.length === 0) return true;
  return ports.some(
    (wanted) =>
      (wanted.protocol ?? 'TCP') === protocol &&
      (wanted.port === undefined || numberOf(wanted.port, protocol, target) === port),
  );
}

function numberOf(port: number | string, protocol: string, target: objects.Pod | undefined): number | undefined {
  if (typeof port === 'number') return port;
  const named = (target?.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return named.find((p) => p.name === port && (p.protocol ?? 'TCP') === protocol)?.containerPort;
}
