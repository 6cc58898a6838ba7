import type { Address } from '../../programs/index.ts';
import type { Clock } from '../../std/index.ts';
import type { PacketQuestion, PacketTrace } from '../packet/types.ts';
import type { NetworkView } from '../view.ts';
import type { JudgeCertificate } from './open.ts';
import type { Acceptor, Ports } from './ports.ts';

/** What connects the hosts of a simulated network. */
export interface Fabric {
  readonly view: NetworkView;
  readonly clock: Clock;
  /** Resolves when the view knows what there is. */
  readonly ready: Promise<unknown>;
  readonly judge: JudgeCertificate;
  /** Follows a packet, and reports what became of it. */
  send(question: PacketQuestion): PacketTrace;
  /** What listens at an address. */
  portsAt(address: string): Ports;
  /** Who takes a connection at an address; undefined where nobody does. */
  acceptorAt(address: Address, protocol: string): Acceptor | undefined;
}
