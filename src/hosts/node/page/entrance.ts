/** Where pages come in to the cluster that their server serves: a WebSocket, whose page has to prove the server's key. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { delay, encodeText, inBackground, realClock, type Clock } from '../../../std/index.ts';
import { decodeFromPage } from '../../served/frames.ts';
import {
  LONGEST_QUESTION,
  SERVED_PATH,
  type FromPage,
  type ServedCluster,
  type ToPage,
} from '../../served/messages.ts';
import { newNonce, proofOf, type Meeting } from '../../served/proof.ts';
import { encodeFrames } from '../../wire/frames.ts';
import { createWireServer, type Answer, type Batch, type Handler, type Realm } from '../../wire/index.ts';
import { isOwnPage, refuseUpgrade } from '../ownPage.ts';

export interface Entrance {
  readonly key: string;
  readonly served: ServedCluster;
  readonly handle: Handler;
}

/** So long a page has to prove its key. */
const PATIENCE_MS = 10_000;

/** The realms that a page may use. The others are for hosts between a page and its cluster. */
const REALMS: ReadonlySet<Realm> = new Set<Realm>(['api', 'page', 'host']);

/** Lets pages of this very server in; returns what ends them. */
export function acceptPages(server: Server, entrance: Entrance, clock: Clock = realClock()): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LONGEST_QUESTION });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node listens no longer, and an error that nobody listens to ends the process.
    socket.on('error', () => socket.destroy());
    if (incoming.url !== `/${SERVED_PATH}` || !isOwnPage(incoming)) return refuseUpgrade(socket);
    sockets.handleUpgrade(incoming, socket, head, (webSocket) =>
      admit(webSocket, incoming.socket.localPort ?? 0, entrance, clock),
    );
  });
  return () => sockets.clients.forEach((socket) => socket.terminate());
}

function admit(socket: WebSocket, port: number, { key, served, handle }: Entrance, clock: Clock): void {
  const post = (message: ToPage | Batch<Answer>): void => {
    if (socket.readyState === socket.OPEN) socket.send(encodeFrames(message));
  };
  const wire = createWireServer(async (request, realm) => {
    if (!REALMS.has(realm)) throw new TypeError(`a page asks nothing of ${realm}`);
    return handle(request, realm);
  }, post);
  const over = new AbortController();
  const proving = new Proving(key, port);
  const refuse = (): void => {
    post({ type: 'refused' });
    socket.close();
  };
  const takeOne = async (message: FromPage): Promise<void> => {
    const answer = await proving.take(message);
    if (answer === 'refused') return refuse();
    post(answer === 'entered' ? { type: 'entered', served } : answer);
  };
  socket.on('message', (data: Buffer, isBinary) => {
    try {
      if (!isBinary) return socket.terminate();
      for (const message of decodeFromPage(data)) {
        // What came with a message that was refused is dropped.
        if (socket.readyState !== socket.OPEN) return;
        if (!proving.isDone) inBackground(takeOne(message), () => socket.terminate());
        else if (isOfEntering(message)) refuse();
        else wire.receive(message);
      }
    } catch {
      socket.terminate();
    }
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => (over.abort(), wire.disconnect()));
  const patience = delay(clock, PATIENCE_MS, over.signal).then(() => proving.isDone || socket.terminate());
  inBackground(patience, () => undefined);
}

type Entering = FromPage & { readonly type: 'hello' | 'enter' };

const isOfEntering = (message: FromPage): message is Entering => message.type === 'hello' || message.type === 'enter';

/** The handshake of one page: its nonce, the server's proof, its own proof, each once. */
class Proving {
  readonly #key: string;
  readonly #port: number;
  #meeting: Meeting | undefined;
  #step: 'hello' | 'enter' | 'over' = 'hello';
  isDone = false;

  constructor(key: string, port: number) {
    this.#key = key;
    this.#port = port;
  }

  async take(message: FromPage): Promise<(ToPage & { readonly type: 'challenge' }) | 'entered' | 'refused'> {
    const step = this.#step;
    this.#step = 'over';
    if (step === 'hello' && message.type === 'hello') {
      this.#step = 'enter';
      this.#meeting = { page: message.nonce, server: newNonce(), port: this.#port };
      return { type: 'challenge', nonce: this.#meeting.server, proof: await this.#proof('server', this.#meeting) };
    }
    if (step !== 'enter' || message.type !== 'enter' || !this.#meeting) return 'refused';
    this.isDone = isSame(message.proof, await this.#proof('page', this.#meeting));
    return this.isDone ? 'entered' : 'refused';
  }

  #proof(by: 'page' | 'server', meeting: Meeting): Promise<string> {
    return proofOf(this.#key, by, meeting);
  }
}

/** Compares in a time that tells nothing of the proof. */
function isSame(given: string, proof: string): boolean {
  const [left, right] = [encodeText(given), encodeText(proof)];
  return left.length === right.length && timingSafeEqual(left, right);
}
