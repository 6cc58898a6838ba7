import type * as programs from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { isUnanswered, lookUpBy, type Ask, type Lookup } from '../dns/lookup.ts';
import type { DnsRecord } from '../dns/records.ts';
import { resolvConfOf } from '../dns/resolvConf.ts';
import type { NetworkView } from '../view.ts';

/** The time to live of the cluster's records in seconds. */
const TTL = 30;

export interface Resolving {
  readonly name: string;
  readonly type: programs.RecordType;
  readonly pod: objects.Pod | undefined;
  /** Queries only this server. */
  readonly server?: string | undefined;
}

export interface Answer {
  /** The number of servers that did not answer before one did. */
  readonly silent: number;
  /** Undefined if the name does not exist, or no server answers. */
  readonly records: readonly programs.DnsRecord[] | undefined;
  readonly unanswered: boolean;
}

/**
 * A resolver's answer to a pod, or to a node without a pod: the records of a type, with the aliases that lead to them.
 */
export function resolve({ name, type, pod, server: other }: Resolving, view: NetworkView, ask: Ask): Answer {
  const own = resolvConfOf(pod, view.settings);
  const config = other === undefined ? own : { ...own, nameservers: [other] };
  const lookup = lookUpBy(config, name, other === undefined ? pod : undefined, ask);
  return { silent: lookup.silent.length, unanswered: isUnanswered(lookup), records: recordsIn(lookup, type) };
}

function recordsIn({ name, questions, addresses }: Lookup, type: programs.RecordType): Answer['records'] {
  if (questions.length === 0) return addresses.length > 0 ? fromHosts(name, type, addresses) : undefined;
  const found = questions.at(-1)?.records ?? [];
  return found.length === 0 ? undefined : toPrograms(withType(found, type), found.length);
}

const withType = (records: readonly DnsRecord[], type: programs.RecordType): DnsRecord[] =>
  records.filter((record) => record.type === type || record.type === 'CNAME');

/** Entries of `/etc/hosts` are addresses. */
function fromHosts(name: string, type: programs.RecordType, addresses: readonly string[]): programs.DnsRecord[] {
  const all = addresses.map(
    (address) => ({ type: address.includes(':') ? 'AAAA' : 'A', name, address, ttl: 0 }) as const,
  );
  return all.filter((record) => record.type === type);
}

/**
 * Records in the programs' format. `count` is the number of records of the name: those of a service share a weight of
 * 100.
 */
export const toPrograms = (records: readonly DnsRecord[], count = records.length): programs.DnsRecord[] =>
  records.map((record) => toProgram(record, count));

function toProgram(record: DnsRecord, count: number): programs.DnsRecord {
  const shared = { ttl: TTL, name: `${record.name}.` };
  if ('address' in record) return { ...record, ...shared };
  const target = `${record.target}.`;
  if (record.type !== 'SRV') return { type: record.type, target, ...shared };
  return { type: 'SRV', port: record.port, target, priority: 0, weight: Math.floor(100 / count), ...shared };
}

/** A program's answer in the format for routing. TXT records are ignored. */
export const fromPrograms = (records: readonly programs.DnsRecord[]): DnsRecord[] =>
  records.flatMap((record): DnsRecord[] => {
    const name = withoutDot(record.name);
    if (record.type === 'TXT') return [];
    if ('address' in record) return [{ type: record.type, name, address: record.address }];
    const target = withoutDot(record.target);
    return [
      record.type === 'SRV' ? { type: 'SRV', name, target, port: record.port } : { type: record.type, name, target },
    ];
  });

const withoutDot = (name: string): string => name.replace(/\.$/, '');
