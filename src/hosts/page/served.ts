/** The cluster that the page's own server serves (`npm run serve -- --page`), over one WebSocket instead of the port to a worker. */
import type { ClusterOptions } from '../../cluster/index.ts';
import { encodeText, inBackground, throwToHost } from '../../std/index.ts';
import { decodeToPage } from '../served/frames.ts';
import { SERVED_PATH, type FromPage, type ServedCluster, type ToPage } from '../served/messages.ts';
import { encodeFrames } from '../wire/frames.ts';
import { createWireClient, isRead, notServed, outcomeUnknown, type Batch, type Call } from '../wire/index.ts';
import type { Question } from '../wire/index.ts';
import { kubeconfigOf } from '../kubeconfig.ts';
import type { ClientFiles } from '../worker/bridge.ts';
import type { BridgeControl, RunningCluster } from './cluster.ts';
import { BootError, type Connection } from './connection.ts';

/** Attempts within so many milliseconds after one that failed fail with it. */
const REST_MS = 500;

/** What makes a cluster of a connection (running.ts); handed in, so that the page's first files stay as they are. */
type Running = (options: ClusterOptions, connection: Connection) => RunningCluster;

/** A served cluster, and its connection. */
export interface OpenedServed {
  readonly cluster: RunningCluster;
  readonly connection: Connection;
}

/** Opens the served cluster with the key of its server. Throws BootError where the server is away, or has another key. */
export async function openServed(key: string, runningCluster: Running): Promise<OpenedServed> {
  const line = new Line(key);
  const { options, api, keptIn } = await line.connect();
  const connection: Connection = { send: (call) => line.send(call), leave: () => line.leave(), left: line.left };
  const cluster = runningCluster(options, connection);
  const { past, storage, clock } = cluster;
  const served = { url: api.url, keptIn };
  const { restore: _, ...kept } = storage;
  return {
    connection,
    cluster: {
      ...cluster,
      served,
      clock: keptIn === 'etcd' ? { state: clock.state, ...standing } : clock,
      storage: kept,
      past: { next: past.next, open: async (revision) => ({ ...(await past.open(revision)), served }) },
      bridge: () => Promise.resolve(apiOver(options.name, api, connection)),
    },
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('servers that share an etcd go by the machine’s time'));
const standing = { pause: refuse, resume: refuse, scale: refuse, step: refuse, stopStep: refuse };

/** Other clients reach the server for as long as it runs; what is left to give them is a kubeconfig. */
const apiOver = (
  name: string,
  { url, authority, token }: ServedCluster['api'],
  { send }: Connection,
): BridgeControl => ({
  find: () => Promise.resolve(true),
  follow: (listener) => {
    listener({ is: 'open', url });
    return () => undefined;
  },
  open: () => undefined,
  close: () => undefined,
  kubeconfig: async () => {
    if (token !== undefined) return kubeconfigOf({ name, url, authority, user: { token } });
    const asked = await send({ realm: 'host', method: 'POST', path: '/bridge/client', headers: [] });
    const { authority: own, ...user } = (await asked.json()) as ClientFiles;
    return kubeconfigOf({ name, url, authority: own, user });
  },
});

/** The WebSocket to the server; one that was lost is opened again by what is asked next. */
class Line {
  readonly left: Promise<string>;
  readonly #key: string;
  #leave: (reason: string) => void = () => undefined;
  #isOver = false;
  #socket: WebSocket | undefined;
  #opening: Promise<ServedCluster> | undefined;
  readonly #wire = createWireClient((question: Question | Batch<Question>) => this.#post(question));

  constructor(key: string) {
    this.#key = key;
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  /** The connection; rejects with a BootError. */
  connect(): Promise<ServedCluster> {
    if (this.#isOver) return Promise.reject(new BootError('away', LEFT));
    return (this.#opening ??= this.#open());
  }

  async send(call: Call): Promise<Response> {
    try {
      await this.connect();
    } catch (error) {
      call.signal?.throwIfAborted();
      return notServed(messageOf(error));
    }
    try {
      return await this.#wire.send(call);
    } catch (error) {
      if (call.signal?.aborted || this.#opening) throw error;
      return isRead(call.method) ? notServed(messageOf(error)) : outcomeUnknown(messageOf(error));
    }
  }

  leave(): Promise<void> {
    this.#isOver = true;
    this.#socket?.close();
    this.#leave(LEFT);
    return Promise.resolve();
  }

  #post(message: FromPage | Batch<Question>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encodeFrames(message));
  }

  #open(): Promise<ServedCluster> {
    const url = new URL(SERVED_PATH, document.baseURI);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = (this.#socket = new WebSocket(url.href));
    socket.binaryType = 'arraybuffer';
    return new Promise((resolve, reject) => {
      let why = AWAY;
      const take = (message: ToPage): void => {
        if (message.type === 'entered') resolve(message.served);
        else if (message.type === 'refused') why = REFUSED;
        else this.#wire.receive(message);
      };
      socket.onopen = () => this.#post({ type: 'enter', key: this.#key });
      socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
        try {
          decodeToPage(typeof data === 'string' ? encodeText(data) : new Uint8Array(data)).forEach(take);
        } catch (error) {
          inBackground(Promise.reject(error instanceof Error ? error : new Error(String(error))), throwToHost);
          socket.close();
        }
      };
      socket.onclose = () => {
        reject(new BootError('away', why));
        this.#wire.disconnect(why);
        setTimeout(() => (this.#opening = undefined), REST_MS);
      };
    });
  }
}

const AWAY = 'the server that runs this cluster does not answer; start it again with npm run serve -- --page';
const REFUSED = 'this page has no key of the server; open the link that npm run serve -- --page printed';
const LEFT = 'the cluster was left';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
