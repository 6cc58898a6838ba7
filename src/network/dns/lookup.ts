/** Looks a name up as a pod does, step by step. */
import type { objects } from '../../schema/index.ts';
import type { NetworkView } from '../view.ts';
import { recordsOf, type DnsRecord } from './records.ts';
import { candidateNames, nodeNameserver, resolvConfOf, type ResolvConf } from './resolvConf.ts';

/** One DNS query: a full name, and its records. */
export interface Question {
  readonly name: string;
  readonly records: readonly DnsRecord[];
}

export interface Lookup {
  readonly name: string;
  readonly config: ResolvConf;
  /**
   * The name server that answered, or the last one queried; undefined if the pod has none, or the name needs no server.
   */
  readonly server?: string | undefined;
  /** Name servers that did not answer, in order. */
  readonly silent: readonly string[];
  /** The queries in order; the last one is the answered one, if any. */
  readonly questions: readonly Question[];
  /** The addresses of the name; empty if it does not exist. */
  readonly addresses: readonly string[];
}

/** Aliases may be chained, up to this limit. */
const MOST_ALIASES = 8;

/** Queries a name server for a full name; undefined if it does not answer. */
export type Ask = (name: string, server: string) => readonly DnsRecord[] | undefined;

/**
 * Looks `name` up for a pod, or for a node without a pod. A pod's host aliases come first. By default servers know the
 * cluster's names.
 */
export function lookUp(
  name: string,
  pod: objects.Pod | undefined,
  view: NetworkView,
  ask: Ask = (full, server) => recordsAt(server, full, view),
): Lookup {
  return lookUpBy(resolvConfOf(pod, view.settings), name, pod, ask);
}

/**
 * Looks a name up with the servers and search domains of `config`. If a server does not answer, the next one is
 * queried.
 */
export function lookUpBy(config: ResolvConf, name: string, pod: objects.Pod | undefined, ask: Ask): Lookup {
  const known = hostsEntry(name, pod);
  if (known) return { name, config, silent: [], questions: [], addresses: [known] };
  const silent: string[] = [];
  for (const server of config.nameservers) {
    const questions = questionsTo(server, candidateNames(name, config), ask);
    const addresses = addressesIn(questions?.at(-1)?.records ?? []);
    if (questions) return { name, config, server, silent, questions, addresses };
    silent.push(server);
  }
  return { name, config, server: silent.at(-1), silent, questions: [], addresses: [] };
}

/** Whether a name server was needed and none answered. */
export const isUnanswered = ({ server, silent }: Lookup): boolean => server !== undefined && server === silent.at(-1);

/** Queries one server for several names until one exists; undefined if it does not answer. */
function questionsTo(server: string, names: readonly string[], ask: Ask): Question[] | undefined {
  const questions: Question[] = [];
  for (const name of names) {
    const records = ask(name, server);
    if (!records) return undefined;
    questions.push({ name, records });
    if (records.length > 0) break;
  }
  return questions;
}

/** Looks a full name up with the cluster's name server, for something in the cluster that is not a pod. */
export function clusterLookup(name: string, view: NetworkView): Lookup {
  const server = view.settings.dnsAddress;
  const config = { nameservers: [server], searches: [], options: [] };
  const full = name.replace(/\.$/, '');
  const records = recordsAt(server, full, view);
  return { name, config, server, silent: [], questions: [{ name: full, records }], addresses: addressesIn(records) };
}

/** The answer of the name server at an address: the node's own does not know the cluster's names. */
export function recordsAt(server: string, name: string, view: NetworkView): DnsRecord[] {
  return server === nodeNameserver && name.endsWith(`.${view.settings.domain}`) ? [] : recordsWithAliases(name, view);
}

/** The records of a full name, and those of the names that they refer to. */
export function recordsWithAliases(name: string, view: NetworkView): DnsRecord[] {
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

/** The host name of a pod. */
export const hostnameOf = ({ metadata, spec }: objects.Pod): string =>
  spec?.hostname || (metadata?.name ?? '').slice(0, 63);
