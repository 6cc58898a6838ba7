/** A bridge in one process: the server that a page comes from, and tabs as workers open them. */
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocket as NodeWebSocket } from 'ws';
import { Gate } from '../../src/hosts/bridge/gate.ts';
import { openBridge, type BridgeNews } from '../../src/hosts/bridge/tab.ts';
import type { Handler } from '../../src/hosts/wire/index.ts';
import { createAuthorityFiles, exportPrivateKey, generateKeys, openAuthority } from '../../src/authn/index.ts';
import { realClock, seededRandom, type Clock } from '../../src/std/index.ts';

const deps = { clock: realClock(1), random: seededRandom('bridge') };
const HOUR_MS = 3600_000;

/** An authority, and what a server needs that it has signed. */
export async function servingFiles() {
  const files = await createAuthorityFiles('bridge', deps);
  const authority = await openAuthority(files, deps);
  const keys = await generateKeys();
  const names = { dns: ['localhost'], ip: ['127.0.0.1'] };
  const usages = ['digital signature', 'key encipherment', 'server auth'];
  const certificate = await authority.issue({ commonName: 'apiserver' }, keys.publicKey, {
    ...{ usages, names, durationMs: HOUR_MS },
  });
  return { authority: files.certificate, certificate, key: await exportPrivateKey(keys.privateKey) };
}

export type Served = Awaited<ReturnType<typeof servingFiles>>;

export interface Page {
  readonly origin: string;
  readonly url: string;
  readonly gate: Gate;
  close(): Promise<void>;
}

/** The server of a page. */
export async function servePage(clock?: Clock): Promise<Page> {
  const server: Server = createServer((_, response) => response.end('the page'));
  const gate = new Gate(server, clock);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    await gate.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://${host}`, url: `ws://${host}/bridge`, gate, close };
}

export interface Tab {
  /** The next news of the bridge; undefined when there will be none. */
  news(): Promise<BridgeNews | undefined>;
  /** The port, once there is one. */
  port(): Promise<number>;
  /** As the person closes the bridge. */
  leave(): Promise<void>;
  /** As the tab is closed. */
  vanish(): void;
  /** Resolves when the server has taken in all that the tab has said so far. */
  heard(): Promise<void>;
}

/** A tab of a page, whose cluster is `handle`. */
export async function openTab(
  page: Page,
  served: Omit<Served, 'authority'>,
  handle: (request: Request) => Promise<Response>,
  { secret = 'a secret of sixteen letters', port = 0 } = {},
): Promise<Tab> {
  const whole: Handler = (request, realm) => {
    if (realm === 'host') return Promise.resolve(Response.json(served));
    if (realm === 'bridge') return handle(request);
    throw new Error(`a client of the bridge asked the realm ${realm}`);
  };
  const sockets: NodeWebSocket[] = [];
  class PageSocket extends NodeWebSocket {
    constructor(url: string) {
      super(url, { origin: page.origin });
      sockets.push(this);
    }
  }
  Object.assign(globalThis, { WebSocket: PageSocket });
  const wish = { url: page.url, cluster: 'demo', secret, port };
  const asked = new Request('http://vitrine.invalid/', { method: 'POST', body: JSON.stringify(wish) });
  const response = await openBridge(asked, whole);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const news = async (): Promise<BridgeNews | undefined> => {
    const next = await reader?.read();
    return next?.value === undefined ? undefined : (JSON.parse(next.value) as BridgeNews);
  };
  return {
    news,
    port: async () => {
      const first = await news();
      if (first?.is !== 'open') throw new Error(`no port but ${JSON.stringify(first)}`);
      return first.port;
    },
    leave: async () => void (await reader?.cancel()),
    vanish: () => sockets.forEach((socket) => socket.terminate()),
    heard: () =>
      new Promise((resolve) => {
        // What a server is asked here stands behind everything else that was sent.
        sockets[0]?.once('pong', () => resolve());
        sockets[0]?.ping();
      }),
  };
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly client?: { readonly cert: string; readonly key: string };
  readonly signal?: AbortSignal;
  /** Hears each piece of the answer as it comes. */
  readonly onPiece?: (piece: string) => void;
}

/** Asks the bridge's address; rejects where the connection breaks. */
export function ask(port: number, ca: string, path: string, asked: Asked = {}): Promise<Got> {
  const { method = 'GET', headers = {}, body, client, signal, onPiece = () => undefined } = asked;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      ca,
      servername: 'localhost',
      ...client,
      agent: false,
      ...(signal && { signal }),
    };
    const sent = request(`https://127.0.0.1:${port}${path}`, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        onPiece(chunk.toString());
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
