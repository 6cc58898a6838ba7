import type { Address, NameQuestion } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import type { Clock } from '../../std/index.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { PacketQuestion, PacketTrace, Source } from '../packet/types.ts';
import type { End } from '../policy/judge.ts';
import type { NetworkView } from '../view.ts';
import type { JudgeCertificate } from './open.ts';
import type { Acceptor, Ports } from './ports.ts';

/** Who has a pod, as it is now. */
export interface PodOwner {
  readonly pod: objects.Pod;
}

/** Connects the hosts of a simulated network. */
export interface Fabric {
  readonly view: NetworkView;
  readonly clock: Clock;
  /** Resolves when the view has all objects. */
  readonly ready: Promise<unknown>;
  readonly judge: JudgeCertificate;
  /** Who has an address: a pod, if it is known, or else a node or the outside. */
  sourceAt(address: string, pod: objects.Pod | undefined): Source;
  /** Routes a packet, and reports the result. */
  send(question: PacketQuestion): PacketTrace;
  /** The listeners at an address. */
  portsAt(address: string): Ports;
  /** The answer of the name server at an end; undefined if there is none. */
  answerAt(end: End, question: NameQuestion): readonly DnsRecord[] | undefined;
  /** The acceptor at an address; undefined if nothing listens. */
  acceptorAt(address: Address, protocol: string): Acceptor | undefined;
}
