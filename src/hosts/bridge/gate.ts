/** The entry point for tabs: a WebSocket on the server that served the page. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { delay, inBackground, realClock, type Clock } from '../../std/index.ts';
import { isOwnPage, refuseUpgrade } from '../node/ownPage.ts';
import { withoutUpgrade } from '../node/upgrade.ts';
import { Address } from './address.ts';
import { TabLink } from './link.ts';
import { BRIDGE_PATH, LONGEST_MESSAGE, type Offer } from './messages.ts';

/** The maximum number of clusters with an address. */
const MOST_ADDRESSES = 16;
/** So long an address waits for a tab that is away. */
export const ABSENCE_MS = 10 * 60_000;

/** Lets tabs of the page that `server` serves offer their clusters. */
export class Gate {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  /** By the secrets of the tabs. */
  readonly #addresses = new Map<string, Address>();
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LONGEST_MESSAGE });
  /** Offers are handled sequentially. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(server: Server, clock: Clock = realClock()) {
    this.#clock = clock;
    server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      // Node listens no longer, and an error that nobody listens to ends the process.
      socket.on('error', () => socket.destroy());
      if (incoming.url?.split('?')[0] !== `/${BRIDGE_PATH}`) leaveToOthers(server, incoming, socket, head);
      else if (!isOwnPage(incoming)) refuseUpgrade(socket);
      else this.#sockets.handleUpgrade(incoming, socket, head, (webSocket) => this.#admit(webSocket));
    });
  }

  /** The ports at which clusters have an address. */
  get ports(): readonly number[] {
    return [...this.#addresses.values()].map(({ port }) => port);
  }

  /** Ends every address and every tab's connection. */
  async close(): Promise<void> {
    this.#over.abort();
    for (const socket of this.#sockets.clients) socket.terminate();
    await Promise.all([...this.#addresses.values()].map((address) => address.close()));
  }

  #admit(socket: WebSocket): void {
    let offered: Offer | undefined;
    let isClosed = false;
    const link: TabLink = new TabLink(socket, this.#clock, {
      offered: (offer) => {
        if (offered) return link.drop('a tab offers one cluster');
        offered = offer;
        this.#taking = this.#taking
          .then(() => this.#take(link, offer, () => isClosed))
          .catch((error) => link.close(String(error)));
      },
      closed: () => {
        isClosed = true;
        if (offered) this.#forget(link, offered.secret);
      },
      gone: (why) => offered && this.#disconnect(link, offered.secret, why),
    });
  }

  async #take(link: TabLink, offer: Offer, isClosed: () => boolean): Promise<void> {
    const address = await this.#addressFor(offer);
    if (!address) return link.close('as many clusters as there may be have an address already');
    // The address may have become unneeded while it was being opened.
    if (link.isOver || isClosed()) return address.isConnected ? undefined : this.#drop(offer.secret, address);
    address.connect(link, offer);
    link.tell({ type: 'listening', port: address.port });
  }

  /** The address with this secret; a new one if there is none. Undefined if there are too many. */
  async #addressFor(offer: Offer): Promise<Address | undefined> {
    const known = this.#addresses.get(offer.secret);
    if (known) return known;
    if (this.#addresses.size >= MOST_ADDRESSES) {
      const idle = [...this.#addresses].find(([, { isConnected }]) => !isConnected);
      if (!idle) return undefined;
      await this.#drop(...idle);
    }
    const made = await Address.open(offer);
    this.#addresses.set(offer.secret, made);
    return made;
  }

  #disconnect(link: TabLink, secret: string, why: string): void {
    const address = this.#addresses.get(secret);
    if (!address?.isOf(link)) return;
    address.disconnect(why);
    inBackground(this.#outlast(secret, address), () => undefined);
  }

  /** The person disallows clients. A tab that was replaced by another has no effect. */
  #forget(link: TabLink, secret: string): void {
    const address = this.#addresses.get(secret);
    if (address?.isOf(link)) inBackground(this.#drop(secret, address), () => undefined);
  }

  /** The address stays for a while, so that a tab that is reloaded finds it again. */
  async #outlast(secret: string, address: Address): Promise<void> {
    const away = address.absence;
    await delay(this.#clock, ABSENCE_MS, this.#over.signal);
    if (address.absence === away && !this.#over.signal.aborted) await this.#drop(secret, address);
  }

  async #drop(secret: string, address: Address): Promise<void> {
    if (this.#addresses.get(secret) === address) this.#addresses.delete(secret);
    await address.close();
  }
}

/** If nothing else handles upgrades, the request is answered like one without an upgrade. */
function leaveToOthers(server: Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void {
  if (server.listenerCount('upgrade') === 1) withoutUpgrade(server, incoming, socket, head);
}
