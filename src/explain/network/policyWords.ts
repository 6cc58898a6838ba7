/** What a network policy does, in words. */
import type { objects } from '../../schema/index.ts';

type Policy = objects.NetworkPolicy;
type Selector = objects.LabelSelector;
type Rule = NonNullable<NonNullable<Policy['spec']>['ingress']>[number];
type Peer = NonNullable<Rule['from']>[number];
type Port = NonNullable<Rule['ports']>[number];

export interface RuleWords {
  /** Whom the rule allows: any of these. */
  readonly peers: readonly string[];
  /** At which ports: any of these. */
  readonly ports: readonly string[];
}

export interface SideWords {
  readonly direction: 'Ingress' | 'Egress';
  /** A whole sentence. */
  readonly sentence: string;
  readonly rules: readonly RuleWords[];
}

export interface PolicyWords {
  /** The pods that it restricts. */
  readonly subject: string;
  readonly sides: readonly SideWords[];
}

/** Reads a policy: whom it restricts, and what it allows in each direction. */
export function policyInWords({ metadata, spec }: Policy): PolicyWords {
  const namespace = metadata?.namespace ?? '';
  const egress = (spec?.egress ?? []).map(({ to, ports }) => wordsOf(to, ports));
  const ingress = (spec?.ingress ?? []).map(({ from, ports }) => wordsOf(from, ports));
  const stated = spec?.policyTypes ?? [];
  const types = stated.length > 0 ? stated : ['Ingress', ...(egress.length > 0 ? ['Egress'] : [])];
  return {
    subject: `${podsWith(spec?.podSelector)} in namespace ${namespace}`,
    sides: [sideOf('Ingress', types.includes('Ingress'), ingress), sideOf('Egress', types.includes('Egress'), egress)],
  };
}

function sideOf(direction: SideWords['direction'], restricted: boolean, rules: readonly RuleWords[]): SideWords {
  const what = direction === 'Ingress' ? 'incoming' : 'outgoing';
  if (!restricted) return { direction, sentence: `It leaves ${what} connections as they are.`, rules: [] };
  if (rules.length === 0) return { direction, sentence: `It allows no ${what} connection.`, rules };
  const open = rules.some(({ peers, ports }) => peers.length === 0 && ports.length === 0);
  if (open) return { direction, sentence: `It allows all ${what} connections.`, rules };
  return { direction, sentence: `It allows only these ${what} connections:`, rules };
}

const wordsOf = (peers: readonly Peer[] = [], ports: readonly Port[] = []): RuleWords => ({
  peers: peers.map(peerText),
  ports: ports.map(({ protocol = 'TCP', port }) =>
    port === undefined ? `${protocol}, all ports` : `${protocol} ${port}`,
  ),
});

function peerText({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock) {
    const except = ipBlock.except ?? [];
    return `addresses in ${ipBlock.cidr}${except.length > 0 ? ` but not in ${except.join(' or ')}` : ''}`;
  }
  const pods = podsWith(podSelector);
  if (!namespaceSelector) return `${pods} of the same namespace`;
  const where = selectorText(namespaceSelector);
  return where === '' ? `${pods} of any namespace` : `${pods} of namespaces with ${where}`;
}

function podsWith(selector: Selector | undefined): string {
  const text = selectorText(selector ?? {});
  return text === '' ? 'all pods' : `pods with ${text}`;
}

/** A selector as people write it on a command line; empty where it selects everything. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `no ${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'not in'} (${values.join(', ')})`;
  });
  return [...labels, ...expressions].join(', ');
}
