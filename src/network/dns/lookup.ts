/** Looks a name up as a pod does, step by step. */
import type { objects } from '../../schema/index.ts';
import type { NetworkView } from '../view.ts';
import { recordsOf, type DnsRecord } from './records.ts';
import { candidateNames, nodeNameserver, resolvConfOf, type ResolvConf } from './resolvConf.ts';

/** One question to the name server: a full name, and the records that it stands for. */
export interface Question {
  readonly name: string;
  readonly records: readonly DnsRecord[];
}

export interface Lookup {
  readonly name: string;
  readonly config: ResolvConf;
  /** The name server that was asked; undefined where the pod has none, or the name needs no server. */
  readonly server?: string | undefined;
  /** What was asked, in order; the last question is the one that was answered, if any was. */
  readonly questions: readonly Question[];
  /** The addresses that the name stands for; empty where there is no such name. */
  readonly addresses: readonly string[];
}

/** An alias may lead to another alias, but not for ever. */
const MOST_ALIASES = 8;

/** Looks `name` up for a pod, or for a node without a pod. A pod's own host aliases come first. */
export function lookUp(name: string, pod: objects.Pod | undefined, view: NetworkView): Lookup {
  const config = resolvConfOf(pod, view.settings);
  const known = hostsEntry(name, pod);
  if (known) return { name, config, questions: [], addresses: [known] };
  const server = config.nameservers[0];
  if (server === undefined) return { name, config, questions: [], addresses: [] };
  const questions: Question[] = [];
  for (const candidate of candidateNames(name, config)) {
    const records = answer(candidate, server, view);
    questions.push({ name: candidate, records });
    if (records.length > 0) break;
  }
  return { name, config, server, questions, addresses: addressesIn(questions.at(-1)?.records ?? []) };
}

/** Looks a full name up by the cluster's name server, as something in the cluster that is no pod. */
export function clusterLookup(name: string, view: NetworkView): Lookup {
  const server = view.settings.dnsAddress;
  const config = { nameservers: [server], searches: [], options: [] };
  const full = name.replace(/\.$/, '');
  const records = answer(full, server, view);
  return { name, config, server, questions: [{ name: full, records }], addresses: addressesIn(records) };
}

/** What a name server answers: the node's own knows nothing of the cluster. */
function answer(name: string, server: string, view: NetworkView): DnsRecord[] {
  if (server === nodeNameserver && name.endsWith(`.${view.settings.domain}`)) return [];
  const records = recordsOf(name, view);
  for (let aliases = 0, next = aliasIn(records); next !== undefined && aliases < MOST_ALIASES; aliases++) {
    const found = recordsOf(next, view);
    records.push(...found);
    next = aliasIn(found);
  }
  return records;
}

const aliasIn = (records: readonly DnsRecord[]): string | undefined =>
  records.flatMap((record) => (record.type === 'CNAME' ? [record.target] : []))[0];

const addressesIn = (records: readonly DnsRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.address] : []));

/** `/etc/hosts`: localhost, the pod itself, its host aliases. */
function hostsEntry(name: string, pod: objects.Pod | undefined): string | undefined {
  if (name === 'localhost') return '127.0.0.1';
  if (!pod) return undefined;
  if (name === hostnameOf(pod)) return pod.status?.podIP;
  return (pod.spec?.hostAliases ?? []).find(({ hostnames }) => hostnames?.includes(name))?.ip;
}

/** The name by which a pod knows itself. */
export const hostnameOf = ({ metadata, spec }: objects.Pod): string =>
  spec?.hostname || (metadata?.name ?? '').slice(0, 63);
