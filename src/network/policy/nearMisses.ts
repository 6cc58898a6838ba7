/** The rules that almost allowed a refused packet: what to change so that it is allowed. */
import { selectorOfObject } from '../../schema/index.ts';
import { onHostNetwork, type NetworkView } from '../view.ts';
import {
  isolatingPolicies,
  matchesPeer,
  matchesPeers,
  matchesPorts,
  rulesOf,
  type Direction,
  type End,
  type Flow,
  type Peer,
  type Policy,
  type RuleRef,
} from './judge.ts';

/** A part of a rule that did not match. */
export interface Mismatch {
  readonly part: 'ports' | 'peers' | 'podSelector' | 'namespaceSelector' | 'namespace' | 'ipBlock';
  /** The path in the policy, such as `spec.ingress[0].from[1].podSelector`. */
  readonly path: string;
}

export interface NearMiss extends RuleRef {
  readonly mismatches: readonly Mismatch[];
}

/** The rules of the isolating policies that did not match, those with the fewest mismatches first. */
export function nearMisses(direction: Direction, flow: Flow, view: NetworkView): NearMiss[] {
  const subject = direction === 'Egress' ? flow.from : flow.to;
  if (!subject.pod) return [];
  const misses = isolatingPolicies(subject.pod, direction, view).flatMap((policy) =>
    rulesOf(policy, direction).map((_, rule) => explainRule({ policy, direction, rule }, flow, view)),
  );
  const wrong = misses.filter(({ mismatches }) => mismatches.length > 0);
  return wrong.sort((a, b) => a.mismatches.length - b.mismatches.length);
}

function explainRule({ policy, direction, rule }: RuleRef, flow: Flow, view: NetworkView): NearMiss {
  const found = rulesOf(policy, direction)[rule];
  const path = `spec.${direction === 'Ingress' ? 'ingress' : 'egress'}[${rule}]`;
  const mismatches: Mismatch[] = [];
  if (found && !matchesPeers(found, policy, direction, flow, view)) {
    const other = direction === 'Egress' ? flow.to : flow.from;
    mismatches.push(
      ...closestPeer(found.peers, `${path}.${direction === 'Ingress' ? 'from' : 'to'}`, policy, other, view),
    );
  }
  if (found && !matchesPorts(found, flow)) mismatches.push({ part: 'ports', path: `${path}.ports` });
  return { policy, direction, rule, mismatches };
}

/** Why the best matching peer does not match. */
function closestPeer(
  peers: readonly Peer[],
  path: string,
  policy: Policy,
  other: End,
  view: NetworkView,
): readonly Mismatch[] {
  const explained = peers.map((peer, i) => explainPeer(peer, `${path}[${i}]`, policy, other, view));
  return explained.sort((a, b) => a.length - b.length)[0] ?? [{ part: 'peers', path }];
}

function explainPeer(peer: Peer, path: string, policy: Policy, other: End, view: NetworkView): Mismatch[] {
  if (matchesPeer(peer, policy, other, view)) return [];
  if (peer.ipBlock) return [{ part: 'ipBlock', path: `${path}.ipBlock` }];
  if (!other.pod || onHostNetwork(other.pod)) return [{ part: 'peers', path }];
  const { namespace = '', labels = {} } = other.pod.metadata ?? {};
  const mismatches: Mismatch[] = [];
  if (peer.podSelector && !selectorOfObject(peer.podSelector).matches(labels))
    mismatches.push({ part: 'podSelector', path: `${path}.podSelector` });
  if (!peer.namespaceSelector && namespace !== policy.metadata?.namespace) mismatches.push({ part: 'namespace', path });
  if (peer.namespaceSelector && !selectorOfObject(peer.namespaceSelector).matches(view.labelsOfNamespace(namespace)))
    mismatches.push({ part: 'namespaceSelector', path: `${path}.namespaceSelector` });
  return mismatches;
}
