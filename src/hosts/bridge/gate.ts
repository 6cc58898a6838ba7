/** Where tabs come in: a WebSocket at the server that the page itself came from. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { inBackground, realClock, type Clock } from '../../std/index.ts';
import { envelopeOf } from '../node/adapter.ts';
import { refusalOf } from '../node/target.ts';
import { Address } from './address.ts';
import { TabLink } from './link.ts';
import { BRIDGE_PATH, LONGEST_MESSAGE, type Offer } from './messages.ts';

/** So many clusters have an address at once. */
const MOST_ADDRESSES = 16;

/** Lets tabs of the page that `server` serves offer their clusters. */
export class Gate {
  readonly #clock: Clock;
  /** By the secrets of the tabs. */
  readonly #addresses = new Map<string, Address>();
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LONGEST_MESSAGE });
  /** Offers are taken one after the other. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(server: Server, clock: Clock = realClock()) {
    this.#clock = clock;
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (incoming.url?.split('?')[0] !== `/${BRIDGE_PATH}`) leaveToOthers(server, socket);
      else if (!isOwnPage(incoming)) refuse(socket);
      else this.#sockets.handleUpgrade(incoming, socket, head, (webSocket) => this.#admit(webSocket));
    });
  }

  /** Ends every address and every tab's connection. */
  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    await Promise.all([...this.#addresses.values()].map((address) => address.close()));
  }

  #admit(socket: WebSocket): void {
    let offered: Offer | undefined;
    const link: TabLink = new TabLink(socket, this.#clock, {
      offered: (offer) => {
        if (offered) return link.drop('a tab offers one cluster');
        offered = offer;
        this.#taking = this.#taking.then(() => this.#take(link, offer)).catch((error) => link.close(String(error)));
      },
      closed: () => offered && this.#forget(link, offered.secret),
      gone: (why) => offered && this.#addresses.get(offered.secret)?.disconnect(link, why),
    });
  }

  async #take(link: TabLink, offer: Offer): Promise<void> {
    const address = await this.#addressFor(offer);
    if (!address) return link.close('as many clusters as there may be have an address already');
    if (link.isOver) return;
    address.connect(link, offer);
    link.tell({ type: 'listening', port: address.port });
  }

  /** The address of whoever has this secret; a new one where there is none yet. Undefined where there are too many. */
  async #addressFor(offer: Offer): Promise<Address | undefined> {
    const known = this.#addresses.get(offer.secret);
    if (known) return known;
    if (this.#addresses.size >= MOST_ADDRESSES) {
      const idle = [...this.#addresses].find(([, { isConnected }]) => !isConnected);
      if (!idle) return undefined;
      this.#addresses.delete(idle[0]);
      await idle[1].close();
    }
    const made = await Address.open(offer);
    this.#addresses.set(offer.secret, made);
    return made;
  }

  /** The person lets nobody in any more. A tab that another has taken the place of has no say. */
  #forget(link: TabLink, secret: string): void {
    const address = this.#addresses.get(secret);
    if (!address?.isOf(link)) return;
    this.#addresses.delete(secret);
    inBackground(address.close(), () => undefined);
  }
}

/** Of those that listen for upgrades one has to answer, or the client waits for ever. */
function leaveToOthers(server: Server, socket: Duplex): void {
  if (server.listenerCount('upgrade') === 1) socket.destroy();
}

/** Whether a request comes from this machine, for a name of this machine, from the page that this very server serves. */
function isOwnPage(incoming: IncomingMessage): boolean {
  const { origin, host } = incoming.headers;
  const isNear = /^(::ffff:)?127\.|^::1$/.test(incoming.socket.remoteAddress ?? '');
  return isNear && origin === `http://${host}` && refusalOf(envelopeOf(incoming), []) === undefined;
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}
