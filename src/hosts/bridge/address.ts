/** The address of one cluster on the loopback interface. It stays while its tab is away, and says so. */
import type { Server } from 'node:https';
import { closeServer, listenAt, secureContext, tlsServerOver } from '../node/listening.ts';
import { notServed } from '../wire/index.ts';
import type { TabLink } from './link.ts';
import type { Offer } from './messages.ts';

const HOST = '127.0.0.1';

export class Address {
  readonly port: number;
  readonly #server: Server;
  #link: TabLink | undefined;
  #why = '';
  #absences = 0;
  readonly #cluster: string;

  private constructor(server: Server, port: number, cluster: string, ask: Asker) {
    this.#server = server;
    this.port = port;
    this.#cluster = cluster;
    ask.address = this;
  }

  /** Listens on the requested port, or on a free one if that is taken. */
  static async open(offer: Offer): Promise<Address> {
    const ask: Asker = {};
    const server = tlsServerOver((request, certificates) => answer(ask, request, certificates), filesOf(offer));
    const { port } = await listenAt(server, offer.port, HOST).catch((error: unknown) => {
      if (offer.port === 0) throw error;
      return listenAt(server, 0, HOST);
    });
    return new Address(server, port, offer.cluster, ask);
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  isOf(link: TabLink): boolean {
    return this.#link === link;
  }

  /** From now on this tab answers; one that did before is told so. */
  connect(link: TabLink, offer: Offer): void {
    const before = this.#link;
    this.#link = link;
    if (before && before !== link) before.close('another tab of this browser answers clients now');
    this.#server.setSecureContext(secureContext(filesOf(offer)));
  }

  /** The tab has disconnected; until one reconnects, clients get `why` as the reason. */
  disconnect(why: string): void {
    this.#link = undefined;
    this.#why = why;
    this.#absences++;
  }

  /** How often the tab had gone when it went this time; undefined while it is there. */
  get absence(): number | undefined {
    return this.#link ? undefined : this.#absences;
  }

  async fetch(request: Request, certificates: readonly Uint8Array[]): Promise<Response> {
    if (this.#link) return this.#link.fetch(request, certificates);
    return notServed(`${this.#why}: open ${this.#cluster} in the browser again and let clients in`);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }
}

/** Returns the current address: the server listens before the address is known. */
interface Asker {
  address?: Address;
}

const answer = async ({ address }: Asker, request: Request, certificates: readonly Uint8Array[]): Promise<Response> =>
  address?.fetch(request, certificates) ?? notServed('the address is being opened');

const filesOf = ({ certificate, key, clientAuthorities }: Offer) => ({
  ...{ certificate, key },
  clientAuthorities: clientAuthorities || undefined,
});
