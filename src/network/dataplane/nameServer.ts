import type * as programs from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { lookUp } from '../dns/lookup.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { NetworkView } from '../view.ts';

/** Seconds for which the cluster's records may be kept. */
const TTL = 30;

export interface Answer {
  /** The server that has to be reached for it; undefined where the pod knows the name by itself, or has no server. */
  readonly server: string | undefined;
  /** Undefined where there is no such name. */
  readonly records: readonly programs.DnsRecord[] | undefined;
}

/** What a resolver answers to a pod, or to a node without a pod: the records of a type, with the aliases that lead to them. */
export function resolve(
  name: string,
  type: programs.RecordType,
  pod: objects.Pod | undefined,
  view: NetworkView,
): Answer {
  const { server, questions, addresses } = lookUp(name, pod, view);
  if (questions.length === 0)
    return { server, records: addresses.length > 0 ? fromHosts(name, type, addresses) : undefined };
  const found = questions.at(-1)?.records ?? [];
  if (found.length === 0) return { server, records: undefined };
  return { server, records: withType(found, type).map((record) => toProgram(record, found.length)) };
}

const withType = (records: readonly DnsRecord[], type: programs.RecordType): DnsRecord[] =>
  records.filter((record) => record.type === type || record.type === 'CNAME');

/** The entries of `/etc/hosts` are addresses. */
function fromHosts(name: string, type: programs.RecordType, addresses: readonly string[]): programs.DnsRecord[] {
  const all = addresses.map(
    (address) => ({ type: address.includes(':') ? 'AAAA' : 'A', name, address, ttl: 0 }) as const,
  );
  return all.filter((record) => record.type === type);
}

/** Records of a service share their weight of 100, as the reference's name server has it. */
function toProgram(record: DnsRecord, count: number): programs.DnsRecord {
  const shared = { ttl: TTL, name: `${record.name}.` };
  if ('address' in record) return { ...record, ...shared };
  const target = `${record.target}.`;
  if (record.type !== 'SRV') return { type: record.type, target, ...shared };
  return { type: 'SRV', port: record.port, target, priority: 0, weight: Math.floor(100 / count), ...shared };
}
