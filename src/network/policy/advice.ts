/** Warnings about common mistakes in network policies. Each is a separate rule; all are pure. */
import { parseBlock, selectorOfObject, contains, parseAddress, type objects } from '../../schema/index.ts';
import { DNS_PORT, hasNameServerPods, nameServerName } from '../dns/nameServer.ts';
import { addressesOfPod, keyOf, namespaceOf, SYSTEM_LABEL, type NetworkView } from '../view.ts';
import {
  directionsOf,
  matchesPeer,
  rulesOf,
  selectsPod,
  type Direction,
  type End,
  type Peer,
  type Policy,
  type PolicyRule,
} from './judge.ts';

export interface Advice {
  readonly mistake:
    | 'selects no pod'
    | 'egress without DNS'
    | 'or instead of and'
    | 'peer by pod address'
    | 'empty rule allows everything'
    | 'no rule allows nothing'
    | 'peer selects nothing'
    | 'no container has the port'
    | 'rules without their policy type';
  /** A note describes the policy's effect; a warning says that the effect is probably not intended. */
  readonly look: 'note' | 'warning';
  /** The path in the policy, such as `spec.egress[0].to[1]`. */
  readonly path: string;
  /** A sentence about the effect. */
  readonly text: string;
}

type Warning = Omit<Advice, 'look'>;
type Check = (policy: Policy, view: NetworkView) => Warning[];

/** The warnings for a policy, in the order of its fields. */
export function adviseOn(policy: Policy, view: NetworkView): Advice[] {
  return checks.flatMap((check) => check(policy, view)).map((advice) => ({ ...advice, look: lookOf(advice, policy) }));
}

/** A policy without any rule denies intentionally; without rules in one of two directions it may be a mistake. */
function lookOf({ mistake }: Warning, { spec }: Policy): Advice['look'] {
  const denies = (spec?.ingress ?? []).length === 0 && (spec?.egress ?? []).length === 0;
  return mistake === 'no rule allows nothing' && denies ? 'note' : 'warning';
}

const checks: readonly Check[] = [
  selectsNothing,
  rulesWithoutType,
  emptyRules,
  forgetsDns,
  splitSelectors,
  podAddresses,
  peersWithoutMatch,
  portsWithoutListener,
];

interface PlacedRule extends PolicyRule {
  readonly path: string;
  readonly peersPath: string;
}

const fieldOf = (direction: Direction): 'ingress' | 'egress' => (direction === 'Ingress' ? 'ingress' : 'egress');

function placedRules(policy: Policy, direction: Direction): PlacedRule[] {
  return rulesOf(policy, direction).map((rule, i) => {
    const path = `spec.${fieldOf(direction)}[${i}]`;
    return { ...rule, path, peersPath: `${path}.${direction === 'Ingress' ? 'from' : 'to'}` };
  });
}

const bothDirections = (policy: Policy): PlacedRule[] => [
  ...placedRules(policy, 'Ingress'),
  ...placedRules(policy, 'Egress'),
];

const selectedPods = (policy: Policy, view: NetworkView): objects.Pod[] =>
  view.podsIn(namespaceOf(policy)).filter((pod) => selectsPod(policy, pod));

function selectsNothing(policy: Policy, view: NetworkView): Warning[] {
  if (selectedPods(policy, view).length > 0) return [];
  const selector = selectorOfObject(policy.spec?.podSelector ?? {});
  const elsewhere = view.all('pods').find((pod) => selector.matches(pod.metadata?.labels ?? {}));
  const hint = elsewhere ? ` Namespace "${namespaceOf(elsewhere)}" has such pods.` : '';
  return [
    {
      mistake: 'selects no pod',
      path: 'spec.podSelector',
      text: `No pod in namespace "${namespaceOf(policy)}" matches, so the policy has no effect.${hint}`,
    },
  ];
}

function rulesWithoutType(policy: Policy): Warning[] {
  return (['Ingress', 'Egress'] as const).flatMap((direction) => {
    if (rulesOf(policy, direction).length === 0 || directionsOf(policy).includes(direction)) return [];
    const path = `spec.${fieldOf(direction)}`;
    const text = `These rules have no effect, because policyTypes does not name ${direction}.`;
    return [{ mistake: 'rules without their policy type' as const, path, text }];
  });
}

/** `ingress: [{}]` allows everything, `ingress: []` allows nothing. */
function emptyRules(policy: Policy): Warning[] {
  return (['Ingress', 'Egress'] as const).flatMap((direction): Warning[] => {
    if (!directionsOf(policy).includes(direction)) return [];
    const rules = placedRules(policy, direction);
    const what = direction === 'Ingress' ? 'incoming' : 'outgoing';
    if (rules.length === 0) {
      const text = `There is no rule, so all ${what} connections of the selected pods are refused.`;
      return [{ mistake: 'no rule allows nothing', path: `spec.${fieldOf(direction)}`, text }];
    }
    const open = rules.filter(({ peers, ports }) => peers.length === 0 && ports.length === 0);
    const text = `An empty rule allows all ${what} connections.`;
    return open.map(({ path }) => ({ mistake: 'empty rule allows everything', path, text }));
  });
}

function forgetsDns(policy: Policy, view: NetworkView): Warning[] {
  if (!directionsOf(policy).includes('Egress')) return [];
  const pods = selectedPods(policy, view);
  const egress = pods.length === 0 ? [policy] : view.policiesIn(namespaceOf(policy));
  const covers = (other: Policy): boolean => pods.every((pod) => selectsPod(other, pod));
  const rules = egress.filter(covers).flatMap((other) =>
    placedRules(other, 'Egress')
      .filter(allowsDnsPort)
      .map((rule) => ({ rule, reaches: meansNameServer(rule, other, view) })),
  );
  if (rules.some(({ reaches }) => reaches) || rulesOf(policy, 'Egress').length === 0) return [];
  const unknown = 'so the selected pods cannot look up names';
  const text =
    rules.length === 0
      ? `No egress rule allows UDP port 53, ${unknown}.`
      : `No egress rule allows UDP port 53 to the name server, ${unknown}. It is ${nameServerInWords(view)}.`;
  return [{ mistake: 'egress without DNS', path: 'spec.egress', text }];
}

/** Whether one of a rule's peers is the name server. Unknown if its pods do not exist. */
function meansNameServer({ peers }: PolicyRule, policy: Policy, view: NetworkView): boolean {
  const pods = view
    .systemPods(nameServerName(view))
    .map((pod): End => ({ address: addressesOfPod(pod)[0] ?? '', pod }));
  const ends = hasNameServerPods(view) ? pods : [{ address: view.settings.dnsAddress }];
  const means = (end: End): boolean => peers.some((peer) => matchesPeer(peer, policy, end, view));
  return peers.length === 0 || ends.length === 0 || ends.some(means);
}

const nameServerInWords = (view: NetworkView): string =>
  hasNameServerPods(view)
    ? `the pods with ${SYSTEM_LABEL}=${nameServerName(view)} in namespace "${view.settings.names.systemNamespace}"`
    : `at ${view.settings.dnsAddress} and no pod`;

const allowsDnsPort = ({ ports }: PolicyRule): boolean =>
  ports.length === 0 ||
  ports.some(
    ({ port, protocol = 'TCP' }) => protocol === 'UDP' && (port === undefined || port === DNS_PORT || port === 'dns'),
  );

/** Two list items with one selector each are alternatives; one item with both was probably intended. */
function splitSelectors(policy: Policy): Warning[] {
  return bothDirections(policy).flatMap(({ peers, peersPath }) =>
    peers.flatMap((peer, i): Warning[] => {
      const next = peers[i + 1];
      if (!next || !onlyNamespaces(peer) || !onlyPods(next)) return [];
      const text =
        'Two list items: either one is enough. Remove the second dash if a peer has to match both selectors.';
      return [{ mistake: 'or instead of and', path: `${peersPath}[${i + 1}]`, text }];
    }),
  );
}

const onlyNamespaces = ({ namespaceSelector, podSelector }: Peer): boolean => !!namespaceSelector && !podSelector;
const onlyPods = ({ namespaceSelector, podSelector }: Peer): boolean => !!podSelector && !namespaceSelector;

function podAddresses(policy: Policy, view: NetworkView): Warning[] {
  return eachPeer(policy, ({ ipBlock }, path) => {
    const block = ipBlock && parseBlock(ipBlock.cidr);
    // Wide ranges are meant for external addresses; a narrow one with a pod's address was probably copied from that
    // pod.
    if (!block || block.length < 24) return [];
    const inside = (text: string): boolean => {
      const address = parseAddress(text);
      return address !== undefined && contains(block, address);
    };
    const pod = view.all('pods').find((each) => addressesOfPod(each).some(inside));
    if (!pod) return [];
    const text = `This range holds the address of pod ${keyOf(pod)}. Pods change their addresses: select them by label.`;
    return [{ mistake: 'peer by pod address', path: `${path}.ipBlock.cidr`, text }];
  });
}

function peersWithoutMatch(policy: Policy, view: NetworkView): Warning[] {
  return eachPeer(policy, ({ podSelector, namespaceSelector, ipBlock }, path) => {
    if (ipBlock) return [];
    const spaces = view.all('namespaces').filter(({ metadata }) => {
      if (!namespaceSelector) return metadata?.name === namespaceOf(policy);
      return selectorOfObject(namespaceSelector).matches(metadata?.labels ?? {});
    });
    if (namespaceSelector && spaces.length === 0) {
      const text = `No namespace has these labels.${laterLabel(namespaceSelector, view)}`;
      return [{ mistake: 'peer selects nothing', path: `${path}.namespaceSelector`, text }];
    }
    const selector = selectorOfObject(podSelector ?? {});
    const matches = spaces.some(({ metadata }) =>
      view.podsIn(metadata?.name ?? '').some((pod) => selector.matches(pod.metadata?.labels ?? {})),
    );
    if (matches || !podSelector) return [];
    const where = namespaceSelector ? 'those namespaces' : `namespace "${namespaceOf(policy)}"`;
    return [
      { mistake: 'peer selects nothing', path: `${path}.podSelector`, text: `No pod in ${where} has these labels.` },
    ];
  });
}

/** Manifests for newer clusters use a label that every namespace has there. */
function laterLabel({ matchLabels = {} }: NonNullable<Peer['namespaceSelector']>, { settings }: NetworkView): string {
  const label = settings.names.fill('{label}/metadata.name');
  const name = Object.hasOwn(matchLabels, label) ? matchLabels[label] : undefined;
  return name === undefined
    ? ''
    : ` Only clusters from version 1.21 on set ${label} themselves: label the namespace "${name}".`;
}

function eachPeer(policy: Policy, check: (peer: Peer, path: string) => Warning[]): Warning[] {
  return bothDirections(policy).flatMap(({ peers, peersPath }) =>
    peers.flatMap((peer, i) => check(peer, `${peersPath}[${i}]`)),
  );
}

/** Ports of ingress rules are those of the selected pods: container ports, not service ports. */
function portsWithoutListener(policy: Policy, view: NetworkView): Warning[] {
  const pods = selectedPods(policy, view);
  const declared = pods.flatMap(({ spec }) => (spec?.containers ?? []).flatMap(({ ports }) => ports ?? []));
  if (declared.length === 0) return [];
  const known = new Set(declared.flatMap(({ containerPort, name }) => [containerPort, name]));
  return placedRules(policy, 'Ingress').flatMap(({ ports, path }) =>
    ports.flatMap(({ port }, i): Warning[] => {
      if (port === undefined || known.has(port)) return [];
      const text = `No selected pod declares port ${port}. Rules name the container's port, not the service's.`;
      return [{ mistake: 'no container has the port', path: `${path}.ports[${i}].port`, text }];
    }),
  );
}
