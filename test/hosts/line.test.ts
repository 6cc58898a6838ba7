/** A page's connection to the server of its cluster: what is asked while it breaks, and how it goes on. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { acceptPages } from '../../src/hosts/node/page/entrance.ts';
import { Line, type LineState } from '../../src/hosts/page/line.ts';
import { kubeconfigFor } from '../../src/hosts/page/servedKubeconfig.ts';
import { LONGEST_QUESTION, type ServedCluster } from '../../src/hosts/served/messages.ts';
import type { Call, Handler } from '../../src/hosts/wire/index.ts';

const KEY = 'the key';
const served: ServedCluster = { options: { name: 'demo' }, keptIn: 'memory', api: { url: 'http://127.0.0.1:1' } };

let server: Server;
let dismiss: () => void;
let line: Line;
let sockets: WebSocket[] = [];
/** What the cluster does with a request; each test says. */
let handle: Handler;
let states: LineState['is'][];

const call = (path: string, given: Partial<Call> = {}): Call => ({
  ...{ realm: 'page', method: 'GET', path, headers: [] },
  ...given,
});

async function start(key: string, port = 0): Promise<number> {
  server = createServer();
  dismiss = acceptPages(server, { key, served, handle: (request, realm) => handle(request, realm) });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function stop(): Promise<void> {
  dismiss();
  await new Promise((resolve) => server.close(resolve));
}

const lineTo = (port: number, keys: readonly string[] = [KEY], fits: (key: string) => void = () => undefined): Line =>
  new Line(new URL(`ws://127.0.0.1:${port}/served`), { all: () => keys, fits });

/** The state that comes after what happens now. */
const nextState = (): Promise<LineState> =>
  new Promise((resolve) => {
    let isFirst = true;
    const end = line.follow((state) => {
      if (!isFirst) queueMicrotask(() => (end(), resolve(state)));
      isFirst = false;
    });
  });

/** A browser's WebSocket says which page opens it. */
class PageSocket extends WebSocket {
  constructor(url: string) {
    super(url, { origin: url.replace(/^ws/, 'http').replace('/served', '') });
    sockets.push(this);
    // A browser says no more of a failure than that it closes.
    this.on('error', () => undefined);
  }
}

beforeAll(() => vi.stubGlobal('WebSocket', PageSocket));
afterAll(() => vi.unstubAllGlobals());

let port: number;
beforeEach(async () => {
  sockets = [];
  handle = () => Promise.resolve(Response.json({}));
  port = await start(KEY);
  line = lineTo(port);
  const heard: LineState['is'][] = (states = []);
  line.follow(({ is }) => heard.push(is));
});
afterEach(async () => {
  await line.leave();
  await stop();
});

/** Breaks the connection as a network does; the server goes on. */
async function breakLine(): Promise<void> {
  const changed = nextState();
  sockets.at(-1)?.terminate();
  expect(await changed).toMatchObject({ is: 'away' });
}

describe('a line that breaks', () => {
  test('is made again by what is asked next, at once', async () => {
    expect((await line.send(call('/a'))).status).toBe(200);
    await breakLine();
    expect((await line.send(call('/b'))).status).toBe(200);
    expect(states).toEqual(['away', 'open', 'away', 'open']);
    expect(sockets).toHaveLength(2);
  });

  test('ends streams, and those that are asked for then bring something', async () => {
    handle = () =>
      Promise.resolve(
        new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{}\n')) }), {
          headers: { 'transfer-encoding': 'chunked' },
        }),
      );
    const read = async () => (await line.send(call('/watch'))).body?.getReader();
    const first = await read();
    expect((await first?.read())?.done).toBe(false);
    await breakLine();
    await expect(first?.read()).rejects.toThrow('does not answer');
    expect((await (await read())?.read())?.done).toBe(false);
  });

  test.each([
    ['GET', 503, 'ServiceUnavailable'],
    ['POST', 504, 'Timeout'],
    ['DELETE', 504, 'Timeout'],
  ])('answers a %s that is under way with %i', async (method, code, reason) => {
    const asked = new Promise<void>((resolve) => {
      handle = () => (resolve(), new Promise<Response>(() => undefined));
    });
    const answer = line.send(call('/slow', { method }));
    await asked;
    await breakLine();
    expect(await (await answer).json()).toMatchObject({ kind: 'Status', code, reason });
  });

  test('refuses what can’t be sent rather than let it wait', async () => {
    await line.connect();
    const answer = line.send(call('/a'));
    sockets.at(-1)?.close();
    expect((await answer).status).toBe(503);
  });

  test('rests after an attempt that failed, and goes on when the server is back', async () => {
    await line.connect();
    await breakLine();
    await stop();
    expect((await line.send(call('/a'))).status).toBe(503);
    const attempts = sockets.length;
    expect((await line.send(call('/a'))).status).toBe(503);
    expect(sockets).toHaveLength(attempts);
    await start(KEY, port);
    await vi.waitFor(async () => expect((await line.send(call('/a'))).status).toBe(200));
    expect(states.at(-1)).toBe('open');
  });

  test('passes on what the signal of a call says', async () => {
    handle = () => new Promise<Response>(() => undefined);
    await line.connect();
    const abort = new AbortController();
    const answer = line.send(call('/slow', { signal: abort.signal }));
    abort.abort(new Error('no longer wanted'));
    await expect(answer).rejects.toThrow('no longer wanted');
  });

  test('stays left once it was left', async () => {
    await line.connect();
    await line.leave();
    await expect(line.connect()).rejects.toThrow('left');
    expect(await line.left).toContain('left');
  });
});

describe('the key', () => {
  test('the server’s key is found among several', async () => {
    const fitting: string[] = [];
    const other = lineTo(port, ['another', KEY], (key) => fitting.push(key));
    expect(await other.connect()).toEqual(served);
    expect(fitting).toEqual([KEY]);
    await other.leave();
  });

  test('that is another’s leaves the line refused', async () => {
    const fitting: string[] = [];
    const other = lineTo(port, ['another'], (key) => fitting.push(key));
    await expect(other.connect()).rejects.toThrow('no key of the server');
    expect(other.state.is).toBe('refused');
    expect(fitting).toEqual([]);
    await other.leave();
  });

  test('is not shown to a server that does not have it', async () => {
    await line.connect();
    await breakLine();
    await stop();
    await start('a stranger’s', port);
    const sent = vi.spyOn(PageSocket.prototype, 'send');
    await vi.waitFor(async () => expect((await line.send(call('/a'))).status).toBe(503));
    await vi.waitFor(() => expect(line.state.is).toBe('refused'), { interval: 100 });
    const texts = sent.mock.calls.map(([bytes]) => Buffer.from(bytes as Uint8Array).toString());
    sent.mockRestore();
    expect(texts.join()).toContain('hello');
    expect(texts.join()).not.toMatch(/enter|the key/);
  });
});

describe('large messages', () => {
  const bytes = LONGEST_QUESTION / 2;
  const write = (length: number) => line.send(call('/a', { method: 'POST', body: 'x'.repeat(length) }));

  test('a request that is too large is refused, and the line stays', async () => {
    await line.connect();
    const answer = await write(LONGEST_QUESTION);
    expect(await answer.json()).toMatchObject({ kind: 'Status', code: 413, reason: 'RequestEntityTooLarge' });
    expect((await line.send(call('/b'))).status).toBe(200);
    expect(states).toEqual(['away', 'open']);
  });

  test('those that are too large together go one by one', async () => {
    await line.connect();
    const answers = await Promise.all([write(bytes), write(bytes), write(bytes)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(states).toEqual(['away', 'open']);
  });
});

describe('the kubeconfig of a served cluster', () => {
  const files = { authority: 'A', certificate: 'C', key: 'K' };
  const send = () => Promise.resolve(Response.json(files));

  test('has the administrator’s token where there is one', async () => {
    expect(await kubeconfigFor('demo', { url: 'http://x', token: 'secret' }, send)).toContain('secret');
  });

  test('has a certificate where the server speaks TLS', async () => {
    expect(await kubeconfigFor('demo', { url: 'https://x' }, send)).toContain('client-certificate-data');
  });

  test('is refused where nothing would let a client in', async () => {
    await expect(kubeconfigFor('demo', { url: 'http://x' }, send)).rejects.toThrow('--tls');
  });
});
