/** Evaluates network policies for a packet, and finds the rule that decided. */
import { contains, parseAddress, parseBlock, type objects } from '../../schema/index.ts';
import { addressesOfNode, namespaceOf, onHostNetwork, type NetworkView } from '../view.ts';
import { compiledSelector } from './selectors.ts';

export type Policy = objects.NetworkPolicy;
type Spec = NonNullable<Policy['spec']>;
export type Peer = NonNullable<NonNullable<Spec['ingress']>[number]['from']>[number];
export type PolicyPort = NonNullable<NonNullable<Spec['ingress']>[number]['ports']>[number];
export type Direction = 'Ingress' | 'Egress';
export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** One end of a connection: an address, and the pod or node behind it, if known. */
export interface End {
  readonly address: string;
  readonly pod?: objects.Pod | undefined;
  readonly node?: objects.Node | undefined;
}

/** A packet between two ends, after service addresses were translated. */
export interface Packet {
  readonly from: End;
  readonly to: End;
  /** The destination port; 0 for an echo request. */
  readonly port: number;
  readonly protocol: Protocol | 'ICMP';
}

/** A packet of a connection or a datagram exchange. */
export interface Flow extends Packet {
  readonly protocol: Protocol;
}

/** A rule of a policy: `spec.ingress[rule]` or `spec.egress[rule]`. */
export interface RuleRef {
  readonly policy: Policy;
  readonly direction: Direction;
  readonly rule: number;
}

export type SideReason =
  'not a pod' | 'host network' | 'itself' | 'own node' | 'not isolated' | 'rule matches' | 'no rule matches';

/** The verdict of the policies of one end. */
export interface SideVerdict {
  readonly direction: Direction;
  readonly allowed: boolean;
  readonly why: SideReason;
  /** The policies that select the pod in this direction. */
  readonly isolating: readonly Policy[];
  /** The rule that allowed it. */
  readonly by?: RuleRef;
}

export interface PolicyVerdict {
  readonly allowed: boolean;
  /** The verdict of the sender's policies. */
  readonly egress: SideVerdict;
  /** The verdict of the receiver's policies. */
  readonly ingress: SideVerdict;
}

/** The peers and ports of a rule in either direction. */
export interface PolicyRule {
  readonly peers: readonly Peer[];
  readonly ports: readonly PolicyPort[];
}

/** Evaluates a packet: both ends have to allow it (specification, NetworkPolicy). */
export function judge(flow: Packet, view: NetworkView): PolicyVerdict {
  const egress = judgeSide('Egress', flow, view);
  const ingress = judgeSide('Ingress', flow, view);
  return { allowed: egress.allowed && ingress.allowed, egress, ingress };
}

/** The verdict of one end's policies: of the source for egress, of the destination for ingress. */
export function judgeSide(direction: Direction, flow: Packet, view: NetworkView): SideVerdict {
  const subject = subjectOf(direction, flow);
  const exempt = exemption(direction, flow);
  if (!subject.pod || exempt) return passes(direction, exempt ?? 'not a pod');
  const isolating = isolatingPolicies(subject.pod, direction, view);
  if (isolating.length === 0) return passes(direction, 'not isolated');
  for (const policy of isolating) {
    const rule = rulesOf(policy, direction).findIndex((candidate) =>
      matchesRule(candidate, policy, direction, flow, view),
    );
    if (rule >= 0) return { ...passes(direction, 'rule matches'), isolating, by: { policy, direction, rule } };
  }
  return { direction, allowed: false, why: 'no rule matches', isolating };
}

const passes = (direction: Direction, why: SideReason): SideVerdict => ({
  direction,
  allowed: true,
  why,
  isolating: [],
});

const subjectOf = (direction: Direction, { from, to }: Packet): End => (direction === 'Egress' ? from : to);
const otherOf = (direction: Direction, { from, to }: Packet): End => (direction === 'Egress' ? to : from);

/** Why policies do not apply to a packet. */
function exemption(direction: Direction, flow: Packet): SideReason | undefined {
  const { pod } = subjectOf(direction, flow);
  if (!pod) return 'not a pod';
  if (onHostNetwork(pod)) return 'host network';
  if (flow.from.address === flow.to.address) return 'itself';
  return direction === 'Ingress' && isOwnNode(pod, flow.from) ? 'own node' : undefined;
}

/** Traffic from a pod's own node is always allowed, because the node agent has to reach it. */
function isOwnNode(pod: objects.Pod, from: End): boolean {
  if (from.pod && !onHostNetwork(from.pod)) return false;
  const here = from.node ? addressesOfNode(from.node) : [from.address];
  return pod.status?.hostIP !== undefined && here.includes(pod.status.hostIP);
}

/** The policies that select a pod in a direction. */
export function isolatingPolicies(pod: objects.Pod, direction: Direction, view: NetworkView): Policy[] {
  const policies = view.policiesIn(namespaceOf(pod));
  return policies.filter((policy) => directionsOf(policy).includes(direction) && selectsPod(policy, pod));
}

/** The directions that a policy restricts. Without `policyTypes`: always ingress, and egress if it has egress rules. */
export function directionsOf({ spec }: Policy): readonly string[] {
  const stated = spec?.policyTypes ?? [];
  return stated.length > 0 ? stated : ['Ingress', ...((spec?.egress ?? []).length > 0 ? ['Egress'] : [])];
}

/** Whether a policy's `podSelector` selects a pod. */
export function selectsPod({ metadata, spec }: Policy, pod: objects.Pod): boolean {
  return (
    metadata?.namespace === pod.metadata?.namespace &&
    compiledSelector(spec?.podSelector).matches(pod.metadata?.labels ?? {})
  );
}

/** The rules of a policy for a direction, in order. */
export function rulesOf({ spec }: Policy, direction: Direction): PolicyRule[] {
  if (direction === 'Ingress')
    return (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from ?? [], ports: ports ?? [] }));
  return (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to ?? [], ports: ports ?? [] }));
}

/** A rule matches if one of its peers and one of its ports match; an empty list matches everything. */
function matchesRule(rule: PolicyRule, policy: Policy, direction: Direction, flow: Packet, view: NetworkView): boolean {
  return matchesPeers(rule, policy, direction, flow, view) && matchesPorts(rule, flow);
}

export function matchesPeers(
  { peers }: PolicyRule,
  policy: Policy,
  direction: Direction,
  flow: Packet,
  view: NetworkView,
): boolean {
  const other = otherOf(direction, flow);
  return peers.length === 0 || peers.some((peer) => matchesPeer(peer, policy, other, view));
}

export function matchesPeer(peer: Peer, policy: Policy, other: End, view: NetworkView): boolean {
  if (peer.ipBlock) return inBlock(peer.ipBlock, other.address);
  // A host-network pod sends from the node's address, so selectors do not match it.
  if (!other.pod || onHostNetwork(other.pod)) return false;
  const { namespace = '', labels = {} } = other.pod.metadata ?? {};
  if (peer.podSelector && !compiledSelector(peer.podSelector).matches(labels)) return false;
  if (!peer.namespaceSelector) return namespace === policy.metadata?.namespace;
  return compiledSelector(peer.namespaceSelector).matches(view.labelsOfNamespace(namespace));
}

function inBlock({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, text: string): boolean {
  const address = parseAddress(text);
  const holds = (range: string): boolean => {
    const block = parseBlock(range);
    return address !== undefined && block !== undefined && contains(block, address);
  };
  return holds(cidr) && !except.some(holds);
}

export function matchesPorts({ ports }: PolicyRule, flow: Packet): boolean {
  return ports.length === 0 || ports.some((port) => matchesPort(port, flow));
}

function matchesPort({ protocol = 'TCP', port }: PolicyPort, flow: Packet): boolean {
  return protocol === flow.protocol && (port === undefined || portNumber(port, flow) === flow.port);
}

/** The number of a policy's port: a name refers to a container port of the destination. */
function portNumber(port: number | string, { protocol, to }: Packet): number | undefined {
  if (typeof port === 'number') return port;
  const named = (to.pod?.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return named.find((found) => found.name === port && (found.protocol ?? 'TCP') === protocol)?.containerPort;
}
