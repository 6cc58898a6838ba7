/** Why a packet arrives or does not, and which policy would let it pass. */
import {
  changesBetween,
  Matrix,
  type Direction,
  type Flow,
  type Hop,
  type NetworkView,
  type PacketTrace,
} from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';
import type { Answer, Remedy } from '../answer.ts';
import { peerFor, stableLabels } from './policies.ts';
import { describeHops, nameOfEnd, nameOfSource } from './hops.ts';

/** Explains a packet's way. */
export function explainPacket(trace: PacketTrace, view: NetworkView): Answer {
  return {
    sentence: sentenceFor(trace, view),
    evidence: describeHops(trace, view),
    remedies: remediesFor(trace, view),
  };
}

const reasons: Readonly<Record<NonNullable<PacketTrace['reason']>, string>> = {
  'no such name': 'the name does not exist.',
  'name server not reached': 'a policy stops its questions to the name server.',
  'no such address': 'nothing has this address. Packets are dropped, and the client times out.',
  'port not served': 'the service does not have this port. Packets are dropped, and the client times out.',
  'not proxied': 'a label of the service leaves it to another proxy. Packets are dropped.',
  'outside of the source ranges':
    'the service’s loadBalancerSourceRanges do not hold the sender’s address. Packets are dropped, and the client times out.',
  'no rule of an Ingress': 'no Ingress has a rule for it. The ingress controller answers 404.',
  'no endpoints': 'no ready pod stands behind the service. The connection is refused.',
  'no endpoint on this node': 'the node has no endpoint of the service, and externalTrafficPolicy is Local.',
  'egress denied': 'a network policy of the sender does not allow it. Packets are dropped, and the client times out.',
  'ingress denied':
    'a network policy of the receiver does not allow it. Packets are dropped, and the client times out.',
  'node not reached': 'the node is cut off from the network.',
  'nothing listens': 'no program listens on the port. The connection is refused.',
};

function sentenceFor({ question, reason }: PacketTrace, view: NetworkView): string {
  const { from, to, port, protocol } = question;
  const target = `${nameOfEnd({ address: to, pod: view.podAt(to), node: view.nodeAt(to) })} at ${protocol} ${port}`;
  if (reason === undefined) return `${capital(nameOfSource(from))} reaches ${target}.`;
  return `${capital(nameOfSource(from))} does not reach ${target}: ${reasons[reason]}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The policies that would allow what the last hop denied. */
function remediesFor(trace: PacketTrace, view: NetworkView): Remedy[] {
  const query = trace.hops.flatMap((hop) => (hop.kind === 'lookup' && hop.query ? [hop.query] : [])).at(-1);
  if (trace.reason === 'name server not reached' && query) return remediesFor(query, view);
  const last = trace.hops.at(-1);
  if (last?.kind !== 'policy' || last.verdict.allowed) return [];
  const object = allowing(last, view);
  return object ? [{ title: titleFor(last), alsoAllows: alsoAllowed(object, last.flow, view), object }] : [];
}

type PolicyHop = Extract<Hop, { kind: 'policy' }>;

const titleFor = ({ verdict, flow }: PolicyHop): string =>
  verdict.direction === 'Egress'
    ? `Allow these pods to connect to ${flow.protocol} ${flow.port} there`
    : `Allow ${flow.protocol} ${flow.port} from these pods`;

/** A policy that allows one flow: from pods with these labels, to pods with those, at this port. */
function allowing({ flow, verdict }: PolicyHop, view: NetworkView): objects.NetworkPolicy | undefined {
  const { direction } = verdict;
  const [subject, other] = direction === 'Egress' ? [flow.from, flow.to] : [flow.to, flow.from];
  if (!subject.pod) return undefined;
  const ports = [{ protocol: flow.protocol, port: flow.port }];
  const peer = peerFor(other, subject.pod, view);
  const namespace = subject.pod.metadata?.namespace ?? '';
  const metadata = { name: nameFor(flow, direction), namespace, creationTimestamp: null };
  const podSelector = { matchLabels: stableLabels(subject.pod) };
  const rule = direction === 'Egress' ? { egress: [{ to: [peer], ports }] } : { ingress: [{ from: [peer], ports }] };
  const apiVersion = view.settings.names.fill('networking.{domain}/v1');
  return { apiVersion, kind: 'NetworkPolicy', metadata, spec: { podSelector, policyTypes: [direction], ...rule } };
}

function nameFor({ from, port }: Flow, direction: Direction): string {
  const labels = from.pod ? stableLabels(from.pod) : {};
  const who = labels['app'] ?? Object.values(labels)[0] ?? 'outside';
  return `allow-${direction === 'Egress' ? 'to' : 'from'}-${who}-${port}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
}

/** How many other connections at this port a policy would open. */
function alsoAllowed(policy: objects.NetworkPolicy, flow: Flow, view: NetworkView): string {
  const { pod } = flow.to;
  if (!pod || !flow.from.pod) return '';
  const after = view.fork();
  after.set('networkpolicies', policy);
  const port = { port: flow.port, protocol: flow.protocol };
  const pods = view.all('pods');
  const opened = changesBetween(new Matrix(pods, port, view), new Matrix(pods, port, after)).filter(
    ({ opens }) => opens,
  );
  const others = opened.filter(({ from, to }) => from !== flow.from.pod || to !== pod).length;
  return others === 0 ? '' : `${others} other ${others === 1 ? 'connection' : 'connections'} at this port`;
}
