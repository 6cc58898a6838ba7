/** Each hop of a packet as a sentence. */
import type { End, Hop, NetworkView, PacketTrace, ServiceRoute, SideVerdict, Source } from '../../network/index.ts';
import { isUnanswered, nearMisses, type Flow, type Lookup, type NearMiss } from '../../network/index.ts';
import { placeOf, type Evidence } from '../answer.ts';

/** A hop in words; `stopped` where the packet went no further. */
export interface HopText extends Evidence {
  readonly stopped: boolean;
  /** It led nowhere, and something else is tried next. */
  readonly passedOver?: boolean;
  /** More to know: the names that were tried, the endpoints that were passed over, the rules that came close. */
  readonly details: readonly Evidence[];
}

/** The way of a packet, a sentence for each hop. */
export function describeHops(trace: PacketTrace, view: NetworkView): HopText[] {
  const last = trace.hops.length - 1;
  return trace.hops.map((hop, i) => ({
    ...describeHop(hop, view),
    stopped: i === last && trace.outcome !== 'delivered',
  }));
}

function describeHop(hop: Hop, view: NetworkView): Omit<HopText, 'stopped'> {
  if (hop.kind === 'lookup') return describeLookup(hop, view);
  if (hop.kind === 'ingress') return describeIngress(hop, view);
  if (hop.kind === 'service') return describeService(hop.route, hop.node);
  if (hop.kind === 'source ranges') return describeSourceRanges(hop);
  if (hop.kind === 'host port') return describeHostPort(hop);
  if (hop.kind === 'policy') return describePolicy(hop.flow, hop.verdict, view);
  return { text: destinationText(hop), details: [], ...atEnd(hop.end) };
}

function describeLookup(
  { lookup, query }: Extract<Hop, { kind: 'lookup' }>,
  view: NetworkView,
): Omit<HopText, 'stopped'> {
  const { name, addresses, questions, server } = lookup;
  const details = [
    { text: resolverText(lookup) },
    ...passedServers(lookup).map((text) => ({ text })),
    ...questions.map((question) => ({ text: questionText(question) })),
  ];
  if (query && isUnanswered(lookup)) {
    const way = describeHops(query, view).map(({ text, at }) => ({ text, ...(at && { at }) }));
    return {
      text: `The name server ${server ?? ''} cannot be reached, so "${name}" cannot be looked up.`,
      details: [...passedServers(lookup).map((passed) => ({ text: passed })), ...way],
    };
  }
  if (addresses.length > 0) return { text: `"${name}" stands for ${addresses.join(', ')}.`, details };
  const text = server === undefined ? 'The pod has no name server.' : `No name server knows "${name}".`;
  return { text, details };
}

/** The name servers after which another one was asked. */
export function passedServers(lookup: Lookup): string[] {
  const passed = isUnanswered(lookup) ? lookup.silent.slice(0, -1) : lookup.silent;
  return passed.map((server) => `The name server ${server} does not answer; after 5 seconds the next one is asked.`);
}

/** What the sender's `resolv.conf` says. */
function resolverText({ config: { nameservers, searches, options } }: Lookup): string {
  const ndots = options.find(({ name }) => name === 'ndots')?.value ?? '1';
  const search =
    searches.length > 0 ? `Names with fewer than ${ndots} dots are tried with ${searches.join(', ')}.` : '';
  return nameservers.length === 0
    ? 'It has no name server.'
    : `It asks ${nameservers.join(', then ')}. ${search}`.trim();
}

function questionText({ name, records }: Lookup['questions'][number]): string {
  if (records.length === 0) return `${name} is not known.`;
  const answers = records.map((record) => `${record.type} ${'address' in record ? record.address : record.target}`);
  return `${name}: ${answers.join(', ')}.`;
}

function describeIngress(
  { host, path, route }: Extract<Hop, { kind: 'ingress' }>,
  view: NetworkView,
): Omit<HopText, 'stopped'> {
  const url = `${host}${path}`;
  if (!route) return { text: `No Ingress has a rule for ${url}.`, details: [] };
  const { metadata } = route.ingress;
  const apiVersion = view.settings.names.fill('networking.{domain}/v1');
  return {
    text: `Ingress ${metadata?.namespace ?? ''}/${metadata?.name ?? ''} sends ${url} to service ${route.backend.service?.name ?? ''}.`,
    at: placeOf(apiVersion, 'Ingress', route.ingress, route.at),
    details: [],
  };
}

function describeService(route: ServiceRoute, node: string | undefined): Omit<HopText, 'stopped'> {
  const { service, port, chosen, candidates, entry, masqueraded } = route;
  const { namespace = '', name = '' } = service.metadata ?? {};
  const via = entry === 'node port' ? `node port ${port.nodePort ?? ''} of ${node ?? 'a node'}` : `port ${port.port}`;
  const passedOver = candidates.flatMap(({ address, excluded, pod }) =>
    excluded ? [{ text: `${pod ?? address} takes no traffic: ${excluded}.` }] : [],
  );
  const at = placeOf('v1', 'Service', service);
  if (!chosen) {
    const why = candidates.length === 0 ? 'it has no endpoints' : 'none of its endpoints can take it';
    return { text: `Service ${namespace}/${name} cannot forward ${via}: ${why}.`, at, details: passedOver };
  }
  const seen = masqueraded ? ' The receiver sees the node’s address as the sender.' : '';
  const to = `${chosen.pod ?? chosen.address} at ${chosen.address}:${chosen.port}`;
  return { text: `Service ${namespace}/${name} forwards ${via} to ${to}.${seen}`, at, details: passedOver };
}

function describeSourceRanges({
  service,
  client,
  ranges,
  admitted,
}: Extract<Hop, { kind: 'source ranges' }>): Omit<HopText, 'stopped'> {
  const text = `The load balancer of service ${nameOf(service)} ${admitted ? 'admits' : 'does not admit'} ${client}: its source ranges are ${ranges.join(', ')}.`;
  return { text, at: placeOf('v1', 'Service', service, 'spec.loadBalancerSourceRanges'), details: [] };
}

function describeHostPort({ node, hostPort, pod }: Extract<Hop, { kind: 'host port' }>): Omit<HopText, 'stopped'> {
  const text = `Port ${hostPort} of node ${nameOf(node)} is a host port of pod ${nameOf(pod)}.`;
  return { text, at: placeOf('v1', 'Pod', pod, 'spec.containers'), details: [] };
}

function describePolicy(flow: Flow, verdict: SideVerdict, view: NetworkView): Omit<HopText, 'stopped'> {
  const { direction, isolating, by } = verdict;
  const subject = nameOfEnd(direction === 'Egress' ? flow.from : flow.to);
  const what = direction === 'Egress' ? 'outgoing' : 'incoming';
  const apiVersion = view.settings.names.fill('networking.{domain}/v1');
  if (by) {
    const field = `spec.${direction === 'Egress' ? 'egress' : 'ingress'}[${by.rule}]`;
    const text = `NetworkPolicy ${nameOf(by.policy)} allows it: ${direction.toLowerCase()} rule ${by.rule + 1}.`;
    return { text, at: placeOf(apiVersion, 'NetworkPolicy', by.policy, field), details: [] };
  }
  if (verdict.allowed) return { text: `${exemptText(verdict, subject, what)}`, details: [] };
  const names = isolating.map(nameOf).join(', ');
  const first = isolating[0];
  return {
    text: `Denied: ${subject} is isolated for ${what} traffic by ${names}, and no rule allows ${portText(flow)} ${direction === 'Egress' ? 'to' : 'from'} ${nameOfEnd(direction === 'Egress' ? flow.to : flow.from)}.`,
    ...(first && { at: placeOf(apiVersion, 'NetworkPolicy', first, 'spec.podSelector') }),
    details: nearMisses(direction, flow, view)
      .slice(0, 3)
      .map((miss) => describeMiss(miss, apiVersion)),
  };
}

function exemptText({ why }: SideVerdict, subject: string, what: string): string {
  if (why === 'own node') return `Traffic from the pod's own node is always allowed.`;
  if (why === 'itself') return `A pod can always reach itself.`;
  if (why === 'host network') return `${subject} uses the host's network, so no policy applies to it.`;
  return `No policy restricts ${what} traffic of ${subject}.`;
}

const parts = {
  ports: 'the port does not match',
  peers: 'the peer does not match',
  podSelector: 'the pod’s labels do not match',
  namespaceSelector: 'the namespace’s labels do not match',
  namespace: 'without a namespaceSelector only pods of the policy’s own namespace match',
  ipBlock: 'the address is outside of the block',
} as const;

/** A rule that came close, and what is wrong with it. */
function describeMiss({ policy, direction, rule, mismatches }: NearMiss, apiVersion: string): Evidence {
  const reasons = mismatches.map(({ part }) => parts[part]).join(', and ');
  const field = mismatches[0]?.path;
  return {
    text: `${nameOf(policy)}, ${direction.toLowerCase()} rule ${rule + 1}: ${reasons}.`,
    at: placeOf(apiVersion, 'NetworkPolicy', policy, field),
  };
}

const portText = ({ protocol, port }: Flow): string => `${protocol} ${port}`;

function destinationText({ end, port, listening }: Extract<Hop, { kind: 'destination' }>): string {
  const where = `${nameOfEnd(end)} at port ${port}`;
  return listening === false ? `Nothing listens on ${where}.` : `Arrives at ${where}.`;
}

const nameOf = ({
  metadata,
}: {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}): string => (metadata?.namespace ? `${metadata.namespace}/${metadata.name ?? ''}` : (metadata?.name ?? ''));

/** What stands at an end, in words. */
export function nameOfEnd({ pod, node, address }: End): string {
  if (pod) return `pod ${nameOf(pod)}`;
  return node ? `node ${nameOf(node)}` : address;
}

const atEnd = ({ pod, node }: End): Pick<Evidence, 'at'> => {
  if (pod) return { at: placeOf('v1', 'Pod', pod) };
  return node ? { at: placeOf('v1', 'Node', node) } : {};
};

/** Who sends, in words. */
export function nameOfSource(source: Source): string {
  if ('pod' in source) return `pod ${nameOf(source.pod)}`;
  return 'node' in source ? `node ${nameOf(source.node)}` : source.outside;
}
