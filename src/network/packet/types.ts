/** The trace of a packet as one value. */
import type { objects } from '../../schema/index.ts';
import type { Lookup } from '../dns/lookup.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { IngressRoute } from '../ingress.ts';
import type { End, Flow, Protocol, SideVerdict } from '../policy/judge.ts';
import type { Choose, ServiceRoute } from '../service/route.ts';

/** The sender: a pod, a node, or an external address. */
export type Source = { readonly pod: objects.Pod } | { readonly node: objects.Node } | { readonly outside: string };

export interface PacketQuestion {
  readonly from: Source;
  /** A name or an address. */
  readonly to: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Of an HTTP request; decides which Ingress rule matches. */
  readonly path?: string;
}

/** Whether something listens at a port of a pod or a node; undefined if unknown. */
export type Listens = (end: End, port: number, protocol: Protocol) => boolean | undefined;

/** The answer of the name server at an end for a full name; undefined if none answers. */
export type AnswersAt = (end: End, name: string) => readonly DnsRecord[] | undefined;

export interface TraceOptions {
  readonly choose?: Choose;
  readonly listens?: Listens;
  /** By default reachable name servers know the cluster's names. */
  readonly answersAt?: AnswersAt;
  /** Names of partitioned nodes. */
  readonly isolatedNodes?: ReadonlySet<string>;
  /** Stops at the ingress controller, which reads a request before it opens its own connection. */
  readonly endsAtController?: boolean;
}

/** One step of the path. */
export type Hop =
  | {
      readonly kind: 'lookup';
      readonly lookup: Lookup;
      /** The trace of the query itself. */ readonly query?: PacketTrace;
    }
  | { readonly kind: 'ingress'; readonly host: string; readonly path: string; readonly route?: IngressRoute }
  | {
      readonly kind: 'service';
      readonly route: ServiceRoute;
      /** The node whose proxy decided. */ readonly node?: string;
    }
  | {
      readonly kind: 'source ranges';
      readonly service: objects.Service;
      readonly client: string;
      readonly ranges: readonly string[];
      readonly admitted: boolean;
    }
  | { readonly kind: 'host port'; readonly node: objects.Node; readonly hostPort: number; readonly pod: objects.Pod }
  | { readonly kind: 'policy'; readonly flow: Flow; readonly verdict: SideVerdict }
  | { readonly kind: 'destination'; readonly end: End; readonly port: number; readonly listening?: boolean };

/** Why a packet was not delivered. */
export type Reason =
  | 'no such name'
  | 'name server not reached'
  | 'no such address'
  | 'port not served'
  | 'not proxied'
  | 'outside of the source ranges'
  | 'no rule of an Ingress'
  | 'no endpoints'
  | 'no endpoint on this node'
  | 'egress denied'
  | 'ingress denied'
  | 'node not reached'
  | 'nothing listens';

/** The result that the client sees. */
export type Outcome = 'delivered' | 'no such name' | 'refused' | 'timed out' | 'not found';

export interface PacketTrace {
  readonly question: PacketQuestion;
  readonly hops: readonly Hop[];
  readonly outcome: Outcome;
  /** Undefined if it was delivered. */
  readonly reason?: Reason;
  /** Where it was delivered, and the sender address that the receiver sees. */
  readonly delivered?: { readonly to: End; readonly port: number; readonly from: End };
}

const outcomes: Readonly<Record<Reason, Outcome>> = {
  'no such name': 'no such name',
  'name server not reached': 'timed out',
  'no such address': 'timed out',
  'port not served': 'timed out',
  'not proxied': 'timed out',
  'outside of the source ranges': 'timed out',
  'no rule of an Ingress': 'not found',
  'no endpoints': 'refused',
  'no endpoint on this node': 'timed out',
  'egress denied': 'timed out',
  'ingress denied': 'timed out',
  'node not reached': 'timed out',
  'nothing listens': 'refused',
};

/** The result for a reason: policies and unknown addresses drop silently, the rest answers. */
export const outcomeOf = (reason: Reason): Outcome => outcomes[reason];
