import type { Address, NameQuestion } from '../../programs/index.ts';
import type { Clock } from '../../std/index.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { PacketQuestion, PacketTrace } from '../packet/types.ts';
import type { End } from '../policy/judge.ts';
import type { NetworkView } from '../view.ts';
import type { JudgeCertificate } from './open.ts';
import type { Acceptor, Ports } from './ports.ts';

/** Connects the hosts of a simulated network. */
export interface Fabric {
  readonly view: NetworkView;
  readonly clock: Clock;
  /** Resolves when the view has all objects. */
  readonly ready: Promise<unknown>;
  readonly judge: JudgeCertificate;
  /** Routes a packet, and reports the result. */
  send(question: PacketQuestion): PacketTrace;
  /** The listeners at an address. */
  portsAt(address: string): Ports;
  /** The answer of the name server at an end; undefined if there is none. */
  answerAt(end: End, question: NameQuestion): readonly DnsRecord[] | undefined;
  /** The acceptor at an address; undefined if nothing listens. */
  acceptorAt(address: Address, protocol: string): Acceptor | undefined;
}
