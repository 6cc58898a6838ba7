import {
  SystemError,
  type AnswerName,
  type Connection,
  type Datagram,
  type Listener,
  type ListenOptions,
  type OpenSocket,
} from '../../programs/index.ts';

/** Accepts connections at a port. */
export interface Acceptor {
  readonly accept: (connection: Connection) => void;
  readonly options: ListenOptions;
}
const NO_OPTIONS: ListenOptions = {};

/** An acceptor until it is closed. */
class Listening implements Acceptor, Listener {
  readonly #ports: Ports;
  readonly port: number;
  readonly accept: Acceptor['accept'];
  readonly options: ListenOptions;

  constructor(ports: Ports, port: number, { accept, options }: Acceptor) {
    this.#ports = ports;
    this.port = port;
    this.accept = accept;
    this.options = options;
  }

  get protocol(): OpenSocket['protocol'] {
    return this.options.protocol ?? 'TCP';
  }

  close(): void {
    this.#ports.closed(this);
  }
}

export type Receive = (datagram: Datagram) => void;

/** The range of ephemeral ports, as on the reference's nodes. */
const FIRST_FREE = 32_768;
const LAST_FREE = 60_999;

const NONE: readonly Listening[] = [];

/** The listeners at one address: of a pod, whose containers share it, of a node, or of an external server. */
export class Ports {
  /** Few, so that they are searched one by one. */
  #acceptors: readonly Listening[] = NONE;
  // Most pods only accept connections, and have none.
  #receivers: Map<number, Receive> | undefined;
  #nameServers: Map<number, AnswerName> | undefined;
  #connections: Set<OpenSocket> | undefined;
  #last = LAST_FREE;

  /** Listens on a port; 0 chooses a free one. Throws SystemError (EADDRINUSE). */
  listen(port: number, accept: Acceptor['accept'], options = NO_OPTIONS): Listener {
    const protocol = options.protocol ?? 'TCP';
    const taken = this.#take(port, (candidate) => this.acceptor(protocol, candidate) !== undefined);
    const made = new Listening(this, taken, { accept, options });
    this.#acceptors = this.#acceptors.concat([made]);
    return made;
  }

  /** Called when one doesn't accept connections any more. */
  closed(listening: Listening): void {
    this.#acceptors = this.#acceptors.filter((each) => each !== listening);
  }

  /** Binds a UDP port; 0 chooses a free one. Throws SystemError (EADDRINUSE). */
  bind(port: number, receive: Receive): Listener {
    const taken = this.#take(port, (candidate) => this.#receivers?.has(candidate) === true);
    (this.#receivers ??= new Map()).set(taken, receive);
    return { port: taken, close: () => void this.#receivers?.delete(taken) };
  }

  /** Opens a UDP port at which DNS queries are answered; other datagrams are dropped. Throws SystemError (EADDRINUSE). */
  serveNames(port: number, answer: AnswerName): Listener {
    const datagrams = this.bind(port, () => undefined);
    (this.#nameServers ??= new Map()).set(port, answer);
    const close = (): void => {
      this.#nameServers?.delete(port);
      datagrams.close();
    };
    return { port, close };
  }

  nameServer(port: number): AnswerName | undefined {
    return this.#nameServers?.get(port);
  }

  acceptor(protocol: string, port: number): Acceptor | undefined {
    return this.#acceptors.find((each) => each.port === port && each.protocol === protocol);
  }

  receiver(port: number): Receive | undefined {
    return this.#receivers?.get(port);
  }

  listens(protocol: string, port: number): boolean {
    return protocol === 'UDP' ? this.#receivers?.has(port) === true : this.acceptor(protocol, port) !== undefined;
  }

  /** Lists one side of a connection among the sockets, until the returned function is called. */
  opened(side: OpenSocket): () => void {
    (this.#connections ??= new Set()).add(side);
    return () => void this.#connections?.delete(side);
  }

  /** The listeners by protocol and port, followed by the connections in order of creation. */
  sockets(): readonly OpenSocket[] {
    const accepting = this.#acceptors.map(({ protocol, port }): OpenSocket => ({ protocol, local: { port } }));
    const receiving = [...(this.#receivers?.keys() ?? [])].map((port): OpenSocket => ({
      protocol: 'UDP',
      local: { port },
    }));
    const order = ({ protocol, local }: OpenSocket): number =>
      ['TCP', 'UDP', 'SCTP'].indexOf(protocol) * 65_536 + local.port;
    return [...[...accepting, ...receiving].sort((a, b) => order(a) - order(b)), ...(this.#connections ?? [])];
  }

  /** The source port of a connection. */
  nextFree(isTaken: (port: number) => boolean = () => false): number {
    for (let tries = FIRST_FREE; tries <= LAST_FREE; tries++) {
      this.#last = this.#last >= LAST_FREE ? FIRST_FREE : this.#last + 1;
      if (!isTaken(this.#last)) return this.#last;
    }
    throw new SystemError('EADDRINUSE');
  }

  #take(port: number, isTaken: (port: number) => boolean): number {
    if (port === 0) return this.nextFree(isTaken);
    if (isTaken(port)) throw new SystemError('EADDRINUSE');
    return port;
  }
}
