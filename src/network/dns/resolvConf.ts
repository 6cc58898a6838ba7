/** A pod's `/etc/resolv.conf`: its name servers and search domains. */
import type { objects } from '../../schema/index.ts';
import { namespaceOf, onHostNetwork, type NetworkSettings } from '../view.ts';

export interface ResolvConf {
  readonly nameservers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly { readonly name: string; readonly value?: string | undefined }[];
}

/** The node's own file: a server on the nodes' network that resolves only external names. */
const ofNode: ResolvConf = { nameservers: ['192.168.49.1'], searches: [], options: [] };

/** The maximum number of name servers and search domains, as in the reference. */
const MOST_NAMESERVERS = 3;
const MOST_SEARCHES = 6;

/** The name server of the node, which does not resolve the cluster's names. */
export const nodeNameserver = ofNode.nameservers[0] ?? '';

/** The resolver configuration of a pod, from its DNS policy and configuration; or of a node without a pod. */
export function resolvConfOf(pod: objects.Pod | undefined, { domain, dnsAddress }: NetworkSettings): ResolvConf {
  if (!pod) return ofNode;
  const namespace = namespaceOf(pod);
  const ofCluster: ResolvConf = {
    nameservers: [dnsAddress],
    searches: [`${namespace}.svc.${domain}`, `svc.${domain}`, domain],
    options: [{ name: 'ndots', value: '5' }],
  };
  return withConfig({ Default: ofNode, None: empty, ClusterFirst: ofCluster }[policyOf(pod)], pod.spec?.dnsConfig);
}

const empty: ResolvConf = { nameservers: [], searches: [], options: [] };

function policyOf(pod: objects.Pod): 'ClusterFirst' | 'Default' | 'None' {
  const policy = pod.spec?.dnsPolicy ?? 'ClusterFirst';
  if (policy === 'None' || policy === 'Default') return policy;
  return policy === 'ClusterFirst' && onHostNetwork(pod) ? 'Default' : 'ClusterFirst';
}

type DNSConfig = NonNullable<NonNullable<objects.Pod['spec']>['dnsConfig']>;

/** Adds a pod's settings: lists are appended, an option replaces one of the same name. */
function withConfig(base: ResolvConf, config: DNSConfig | undefined): ResolvConf {
  if (!config) return base;
  const options = new Map(base.options.map((option) => [option.name, option]));
  for (const { name = '', value } of config.options ?? []) options.set(name, { name, value });
  return {
    nameservers: [...new Set([...base.nameservers, ...(config.nameservers ?? [])])].slice(0, MOST_NAMESERVERS),
    searches: [...new Set([...base.searches, ...(config.searches ?? [])])].slice(0, MOST_SEARCHES),
    options: [...options.values()],
  };
}

/** The file's text. */
export function resolvConfText({ nameservers, searches, options }: ResolvConf): string {
  const lines = [
    ...nameservers.map((address) => `nameserver ${address}`),
    ...(searches.length > 0 ? [`search ${searches.join(' ')}`] : []),
    ...(options.length > 0 ? [`options ${options.map(optionText).join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const optionText = ({ name, value }: ResolvConf['options'][number]): string =>
  value === undefined || value === '' ? name : `${name}:${value}`;

/** The full names to query in order: a name with fewer dots than `ndots` is tried with the search domains first. */
export function candidateNames(name: string, { searches, options }: ResolvConf): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const ndots = Number(options.find((option) => option.name === 'ndots')?.value ?? 1);
  const extended = searches.map((domain) => `${name}.${domain}`);
  return name.split('.').length - 1 >= ndots ? [name, ...extended] : [...extended, name];
}
