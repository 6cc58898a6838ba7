/** Network policies judged as slowly and plainly as they can be written down; shares no code with the product. */
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port?: number | string; readonly protocol?: string }[];
}
export interface NaivePolicy {
  readonly namespace: string;
  readonly spec: {
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}
export interface NaivePod {
  readonly name: string;
  readonly namespace: string;
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly namespaceLabels: Readonly<Record<string, string>>;
  /** Numbers of named ports, by protocol and name. */
  readonly ports: Readonly<Record<string, number>>;
}

function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labels[key] !== value) return false;
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const has = key in labels;
    const listed = has && values.includes(labels[key] ?? '');
    const holds = { In: listed, NotIn: !listed, Exists: has, DoesNotExist: !has }[operator];
    if (!holds) return false;
  }
  return true;
}

const bitsOf = (address: string): string =>
  address
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');

function inBlock(address: string, cidr: string): boolean {
  const [base = '', length = ''] = cidr.split('/');
  return bitsOf(address).slice(0, Number(length)) === bitsOf(base).slice(0, Number(length));
}

function isPeer(peer: Peer, policy: NaivePolicy, pod: NaivePod): boolean {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    return inBlock(pod.address, cidr) && !except.some((each) => inBlock(pod.address, each));
  }
  const inNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, pod.namespaceLabels)
    : pod.namespace === policy.namespace;
  return inNamespace && selects(peer.podSelector ?? {}, pod.labels);
}

function side(
  policies: readonly NaivePolicy[],
  type: 'Ingress' | 'Egress',
  subject: NaivePod,
  other: NaivePod,
  to: NaivePod,
  port: number,
  protocol: string,
): boolean {
  let isolated = false;
  for (const policy of policies) {
    const { podSelector = {}, policyTypes = [], ingress = [], egress = [] } = policy.spec;
    const types = policyTypes.length > 0 ? policyTypes : egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    if (policy.namespace !== subject.namespace || !types.includes(type) || !selects(podSelector, subject.labels))
      continue;
    isolated = true;
    for (const rule of type === 'Ingress' ? ingress : egress) {
      const peers = (type === 'Ingress' ? rule.from : rule.to) ?? [];
      const ports = rule.ports ?? [];
      const peerFits = peers.length === 0 || peers.some((peer) => isPeer(peer, policy, other));
      const portFits = ports.some((each) => {
        if ((each.protocol ?? 'TCP') !== protocol) return false;
        if (each.port === undefined) return true;
        return (typeof each.port === 'number' ? each.port : to.ports[`${protocol} ${each.port}`]) === port;
      });
      if (peerFits && (ports.length === 0 || portFits)) return true;
    }
  }
  return !isolated;
}

/** Whether a connection is allowed by the policies of both ends. */
export function naivelyAllowed(
  policies: readonly NaivePolicy[],
  from: NaivePod,
  to: NaivePod,
  port: number,
  protocol: string,
): boolean {
  if (from.address === to.address) return true;
  return (
    side(policies, 'Egress', from, to, to, port, protocol) && side(policies, 'Ingress', to, from, to, port, protocol)
  );
}
