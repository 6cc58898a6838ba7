import type { Address, NameQuestion } from '../../programs/index.ts';
import type { Clock } from '../../std/index.ts';
import type { DnsRecord } from '../dns/records.ts';
import type { PacketQuestion, PacketTrace } from '../packet/types.ts';
import type { End } from '../policy/judge.ts';
import type { NetworkView } from '../view.ts';
import type { JudgeCertificate } from './open.ts';
import type { Acceptor, Ports } from './ports.ts';

/** What connects the hosts of a simulated network. */
export interface Fabric {
  readonly view: NetworkView;
  readonly clock: Clock;
  /** Resolves when the view has all objects. */
  readonly ready: Promise<unknown>;
  readonly judge: JudgeCertificate;
  /** Follows a packet, and reports what became of it. */
  send(question: PacketQuestion): PacketTrace;
  /** What listens at an address. */
  portsAt(address: string): Ports;
  /** What the name server at an end answers; undefined where none answers there. */
  answerAt(end: End, question: NameQuestion): readonly DnsRecord[] | undefined;
  /** The acceptor at an address; undefined where nothing listens. */
  acceptorAt(address: Address, protocol: string): Acceptor | undefined;
}
