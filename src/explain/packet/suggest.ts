/** The smallest network policies that allow just the connections that somebody has chosen. */
import { judgeSide, type Direction, type End, type NetworkView, type Protocol } from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';
import { peerFor, stableLabels } from './policies.ts';

type Policy = objects.NetworkPolicy;

/** A connection that is to be possible. */
export interface Wanted {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol: Protocol;
}

/** A rule of a policy to be: from or to one peer, at some ports. */
interface Allowance {
  readonly subject: objects.Pod;
  readonly direction: Direction;
  readonly other: End;
  readonly ports: Map<string, { protocol: Protocol; port: number }>;
}

/**
 * Policies for the receivers of the connections, and for those senders whose outgoing traffic is restricted already or that
 * are asked for by `egress`. There is one policy for the pods with the same labels and a rule for each peer, so nothing
 * else is allowed than what was chosen, as far as labels tell pods apart.
 */
export function suggestPolicies(wanted: readonly Wanted[], view: NetworkView, egress = false): Policy[] {
  const policies = new Map<string, { readonly subject: objects.Pod; readonly allowances: Map<string, Allowance> }>();
  for (const flow of wanted) {
    for (const direction of directionsOf(flow, view, egress)) {
      const [subject, other] = direction === 'Ingress' ? [flow.to.pod, flow.from] : [flow.from.pod, flow.to];
      if (!subject) continue;
      const key = `${direction} ${subject.metadata?.namespace ?? ''} ${JSON.stringify(sorted(stableLabels(subject)))}`;
      const policy = policies.get(key) ?? { subject, allowances: new Map<string, Allowance>() };
      policies.set(key, policy);
      allow(policy.allowances, { subject, direction, other, ports: new Map() }, flow, view);
    }
  }
  return [...policies.values()].map(({ subject, allowances }) => policyOf(subject, [...allowances.values()], view));
}

/** A receiver gets a policy always: it is what closes everything else. The cluster's own pods serve everybody, so they get none. */
function directionsOf({ from, to, port, protocol }: Wanted, view: NetworkView, egress: boolean): Direction[] {
  const { why } = judgeSide('Egress', { from, to, port, protocol }, view);
  const sends = egress || why === 'no rule matches' || why === 'rule matches';
  const isSystem = to.pod?.metadata?.namespace === view.settings.names.systemNamespace;
  return [...(isSystem ? [] : (['Ingress'] as const)), ...(sends ? (['Egress'] as const) : [])];
}

function allow(
  allowances: Map<string, Allowance>,
  made: Allowance,
  { port, protocol }: Wanted,
  view: NetworkView,
): void {
  const key = JSON.stringify(peerFor(made.other, made.subject, view));
  const known = allowances.get(key) ?? made;
  allowances.set(key, known);
  known.ports.set(`${protocol} ${port}`, { protocol, port });
}

function policyOf(subject: objects.Pod, allowances: readonly Allowance[], view: NetworkView): Policy {
  const direction = allowances[0]?.direction ?? 'Ingress';
  const rules = allowances.map(({ other, ports }) => ({
    [direction === 'Ingress' ? 'from' : 'to']: [peerFor(other, subject, view)],
    ports: [...ports.values()].sort((a, b) => a.port - b.port || (a.protocol < b.protocol ? -1 : 1)),
  }));
  const labels = stableLabels(subject);
  const who = labels['app'] ?? Object.values(labels)[0] ?? subject.metadata?.name ?? 'pods';
  const name = `${who}-${direction.toLowerCase()}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
  const apiVersion = view.settings.names.fill('networking.{domain}/v1');
  const metadata = { name, namespace: subject.metadata?.namespace ?? '', creationTimestamp: null };
  const spec = { podSelector: { matchLabels: labels }, policyTypes: [direction] };
  const list = direction === 'Ingress' ? { ingress: rules } : { egress: rules };
  return { apiVersion, kind: 'NetworkPolicy', metadata, spec: { ...spec, ...list } };
}

const sorted = (labels: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
