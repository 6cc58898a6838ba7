/** What a packet met on its way, as one value. */
import type { objects } from '../../schema/index.ts';
import type { Lookup } from '../dns/lookup.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { IngressRoute } from '../ingress.ts';
import type { End, Flow, Protocol, SideVerdict } from '../policy/judge.ts';
import type { Choose, ServiceRoute } from '../service/route.ts';

/** The sender: a pod, a node, or an address outside of the cluster. */
export type Source = { readonly pod: objects.Pod } | { readonly node: objects.Node } | { readonly outside: string };

export interface PacketQuestion {
  readonly from: Source;
  /** A name or an address. */
  readonly to: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Of an HTTP request; decides which rule of an Ingress takes it. */
  readonly path?: string;
}

/** Whether something listens at a port of a pod or a node; undefined where nothing is known. */
export type Listens = (end: End, port: number, protocol: Protocol) => boolean | undefined;

/** What the name server at an end answers for a full name; undefined where none answers there. */
export type AnswersAt = (end: End, name: string) => readonly DnsRecord[] | undefined;

export interface TraceOptions {
  readonly choose?: Choose;
  readonly listens?: Listens;
  /** Where it is missing, name servers that are reached know the cluster's names. */
  readonly answersAt?: AnswersAt;
  /** Nodes that are cut off from the others, by name. */
  readonly isolatedNodes?: ReadonlySet<string>;
  /** Ends at the ingress controller, which reads a request before it opens a connection of its own. */
  readonly endsAtController?: boolean;
}

/** One step of the way. */
export type Hop =
  | {
      readonly kind: 'lookup';
      readonly lookup: Lookup;
      /** How the question itself travelled. */ readonly query?: PacketTrace;
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

/** Why a packet did not arrive. */
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

/** What the client sees. */
export type Outcome = 'delivered' | 'no such name' | 'refused' | 'timed out' | 'not found';

export interface PacketTrace {
  readonly question: PacketQuestion;
  readonly hops: readonly Hop[];
  readonly outcome: Outcome;
  /** Undefined where it was delivered. */
  readonly reason?: Reason;
  /** Where it was delivered, and the address that the receiver sees as the sender's. */
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

/** What a client sees of a reason: policies and missing addresses drop silently, the rest answers. */
export const outcomeOf = (reason: Reason): Outcome => outcomes[reason];
