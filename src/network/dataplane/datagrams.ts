import { SystemError, type Address, type Target } from '../../programs/index.ts';
import { ExpiringMap } from '../../std/index.ts';
import { askedAddress } from '../packet/trace.ts';
import type { Source } from '../packet/types.ts';
import type { Fabric } from './fabric.ts';

/** The destination of a tracked datagram, and its apparent source address. */
interface Translation {
  readonly to: Address;
  readonly from: Address;
}

/** The route of the first datagram of an exchange, and the address that its sender used. */
interface Decision extends Translation {
  readonly asked: Address;
}

/** Milliseconds for which an exchange is tracked after its last datagram, as on the reference's nodes. */
const TRACKED_MS = 180_000;
const MOST_TRACKED = 65_536;

/**
 * Carries datagrams. The first of an exchange is routed; later ones in both directions use the same route, so that
 * answers arrive regardless of policies for the reverse direction, and come from the address that was used.
 */
export class Datagrams {
  readonly #fabric: Fabric;
  readonly #tracked: ExpiringMap<Translation>;

  constructor(fabric: Fabric) {
    this.#fabric = fabric;
    this.#tracked = new ExpiringMap(fabric.clock, MOST_TRACKED);
  }

  /**
   * Sends a datagram. Throws SystemError if the sender would notice the loss: ECONNREFUSED if nothing receives at the
   * port of a reachable host, ENOTFOUND for an unknown name. Datagrams that policies stop are lost silently. `within`
   * is the target of a port on the sender's own host, to which policies do not apply.
   */
  send(data: Uint8Array, from: Address, to: Target, source: () => Source, within?: Address): void {
    const key = exchange(from, { address: to.host, port: to.port });
    const known = this.#tracked.get(key);
    if (known && this.#hasReceiver(known)) return this.#forward(data, key, known);
    const decided = within ? withinHost(from, to, within) : this.#decide(from, to, source());
    if (!decided) return;
    if (!this.#hasReceiver(decided)) throw new SystemError('ECONNREFUSED', to.host);
    const answer = { to: from, from: decided.asked };
    this.#tracked.set(exchange(decided.to, decided.from), answer, TRACKED_MS);
    this.#forward(data, key, decided);
  }

  /** Each datagram extends the lifetime of its connection-tracking entry. */
  #forward(data: Uint8Array, key: string, translation: Translation): void {
    const { to, from } = translation;
    this.#tracked.set(key, translation, TRACKED_MS);
    this.#fabric.portsAt(to.address).receiver(to.port)?.({ data, from });
  }

  #hasReceiver({ to }: Translation): boolean {
    return this.#fabric.portsAt(to.address).listens('UDP', to.port);
  }

  #decide(from: Address, { host, port }: Target, source: Source): Decision | undefined {
    const trace = this.#fabric.send({ from: source, to: host, port, protocol: 'UDP' });
    if (trace.outcome === 'refused') throw new SystemError('ECONNREFUSED', host);
    if (trace.outcome === 'no such name') throw new SystemError('ENOTFOUND', host);
    if (!trace.delivered) return undefined;
    const { to, port: targetPort, from: seen } = trace.delivered;
    return {
      to: { address: to.address, port: targetPort },
      from: { address: seen.address, port: from.port },
      asked: { address: askedAddress(trace), port },
    };
  }
}

const withinHost = (from: Address, { host, port }: Target, within: Address): Decision => ({
  to: within,
  from,
  asked: { address: host, port },
});

const exchange = (from: Address, to: Address): string => `${from.address} ${from.port} ${to.address} ${to.port}`;
