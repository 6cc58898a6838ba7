/** The bridge: what clients of its address are answered, by whatever becomes of the tab behind it. */
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { encodeFrames } from '../../src/hosts/wire/frames.ts';
import { ABSENCE_MS } from '../../src/hosts/bridge/gate.ts';
import { SILENCE_MS } from '../../src/hosts/bridge/link.ts';
import { manualClock, SwitchedResponse, WholeResponse } from '../../src/std/index.ts';
import { ask, openTab, servePage, servingFiles, type Page, type Served, type Tab } from './bridgeSupport.ts';

let served: Served;
beforeAll(async () => void (served = await servingFiles()));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function page(...given: Parameters<typeof servePage>): Promise<Page> {
  const made = await servePage(...given);
  closing.push(() => made.close());
  return made;
}

async function tab(...given: Parameters<typeof openTab>): Promise<Tab> {
  const made = await openTab(...given);
  closing.push(() => made.vanish());
  return made;
}

const hello = async (): Promise<Response> => Response.json({ hello: 'client' });
const never = (): Promise<Response> => new Promise(() => undefined);
const statusOf = (text: string) => JSON.parse(text) as { kind: string; reason: string; message: string; code: number };
const chunked = { 'transfer-encoding': 'chunked' };

describe('a tab that lets clients in', () => {
  test('answers them over TLS by its own authority', async () => {
    const seen: string[] = [];
    const { port } = await tab(await page(), served, async (request) => {
      seen.push(
        `${request.method} ${request.url.replace(/^.*invalid/, '')} ${request.headers.get('x-own')} ${await request.text()}`,
      );
      return Response.json({ made: true }, { status: 201 });
    });
    const at = await port();
    const sent = { method: 'POST', headers: { 'x-own': 'kept' }, body: 'the body' };
    const { status, text } = await ask(at, served.authority, '/api/v1/pods?limit=1', sent);
    expect([status, text, seen]).toEqual([201, '{"made":true}', ['POST /api/v1/pods?limit=1 kept the body']]);
    await expect(ask(at, (await servingFiles()).authority, '/')).rejects.toThrow(/certificate|signature/);
  });

  test('hears which certificate a client has proven, and of none that a header claims', async () => {
    const proven: (string | null)[] = [];
    const { port } = await tab(await page(), served, (request) => {
      proven.push(request.headers.get('x-vitrine-client-certificates'));
      return hello();
    });
    const at = await port();
    const client = { cert: served.certificate, key: served.key };
    await ask(at, served.authority, '/', { client });
    await ask(at, served.authority, '/', { headers: { 'x-vitrine-client-certificates': 'Zm9yZ2Vk' } });
    const own = served.certificate.replace(/-----.*?-----|\s/g, '');
    expect([proven[0]?.split(',')[0], proven[1]]).toEqual([own, null]);
  });

  test('streams, and hears when a client has gone', async () => {
    let gone = (): void => undefined;
    const left = new Promise<void>((resolve) => (gone = resolve));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first\n')),
      cancel: () => gone(),
    });
    const { port } = await tab(await page(), served, async () => new Response(body, { headers: chunked }));
    const abort = new AbortController();
    const onPiece = (): void => abort.abort();
    await expect(ask(await port(), served.authority, '/', { signal: abort.signal, onPiece })).rejects.toThrow();
    await left;
  });

  test('a client that does not read is written to no further than the window, and holds up no other', async () => {
    let written = 0;
    const chunk = new Uint8Array(64 * 1024);
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        written += chunk.length;
        controller.enqueue(chunk.slice());
        if (written >= 256 * 1024 * 1024) controller.close();
      },
    });
    const { port } = await tab(await page(), served, async ({ url }) =>
      url.endsWith('/endless') ? new Response(body, { headers: chunked }) : hello(),
    );
    const at = await port();
    const sent = request(`https://127.0.0.1:${at}/endless`, { ca: served.authority, agent: false });
    const begun = new Promise<void>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => (response.pause(), resolve()));
    });
    sent.end();
    await begun;
    for (let i = 0; i < 20; i++) expect((await ask(at, served.authority, '/')).status).toBe(200);
    // What the sockets of the machine take is a few megabytes.
    expect(written).toBeLessThan(32 * 1024 * 1024);
    sent.on('error', () => undefined);
    sent.destroy();
  });

  test('sends a long answer whole', async () => {
    const text = 'x'.repeat(3_000_000);
    const { port } = await tab(await page(), served, async () => new WholeResponse(text));
    expect((await ask(await port(), served.authority, '/')).text === text).toBe(true);
  });

  test('carries the messages of a WebSocket, text and bytes, in both directions', async () => {
    const { port } = await tab(
      await page(),
      served,
      async (request) =>
        new SwitchedResponse(
          {
            speaks: 'websocket',
            serve: async (socket) => {
              for (let one = await socket.receive(); one !== undefined; one = await socket.receive())
                await socket.send(
                  typeof one === 'string' ? `${request.url.split('?')[1]} ${one}` : one.map((byte) => byte + 1),
                );
              socket.close();
            },
          },
          { 'sec-websocket-protocol': 'v4.channel' },
        ),
    );
    const client = new WebSocket(`wss://127.0.0.1:${await port()}/exec?command=ls`, ['v4.channel'], {
      ca: served.authority,
    });
    const got: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('open', () => (client.send('typed'), client.send(''), client.send(Buffer.from([1, 2]))));
      client.on('message', (data: Buffer, isBinary) => {
        got.push(isBinary ? [...data].join() : data.toString());
        if (got.length === 3) client.close();
      });
      client.on('close', () => resolve());
    });
    expect([client.protocol, got]).toEqual(['v4.channel', ['command=ls typed', 'command=ls ', '2,3']]);
  });

  test('refuses bodies that no API takes, read as they come or declared', async () => {
    const { port } = await tab(await page(), served, hello);
    const body = Buffer.alloc(16 * 1024 * 1024 + 1);
    const at = await port();
    for (const headers of [{}, chunked])
      expect(await ask(at, served.authority, '/', { method: 'POST', body, headers })).toMatchObject({ status: 413 });
  });
});

describe('clients get a clear answer', () => {
  test('while the tab is away, and the cluster again at the same port when it is back', async () => {
    const where = await page();
    const first = await tab(where, served, hello);
    const at = await first.port();
    first.vanish();
    const away = await keepAsking(at, ({ status }) => status !== 200);
    expect([away.status, statusOf(away.text)]).toMatchObject([
      503,
      {
        kind: 'Status',
        reason: 'ServiceUnavailable',
        message: expect.stringMatching(/^the tab .* open demo in the browser again/),
      },
    ]);
    expect(away.headers['retry-after']).toBeUndefined();
    const again = await servingFiles();
    const second = await tab(where, again, hello, { port: at });
    expect(await second.port()).toBe(at);
    expect((await ask(at, again.authority, '/')).status).toBe(200);
  });

  test.each([
    ['GET', 503, 'ServiceUnavailable'],
    ['POST', 504, 'Timeout'],
  ])('to a %s that the tab can no longer answer', async (method, code, reason) => {
    let reached = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    const gone = await tab(await page(), served, () => (reached(), never()));
    const answered = ask(await gone.port(), served.authority, '/', { method });
    await arrived;
    gone.vanish();
    const { status, text } = await answered;
    expect([status, statusOf(text)]).toMatchObject([code, { kind: 'Status', reason, code }]);
  });

  test('a stream breaks off with the tab', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first\n')),
    });
    const gone = await tab(await page(), served, async () => new Response(body, { headers: chunked }));
    const onPiece = (): void => gone.vanish();
    await expect(ask(await gone.port(), served.authority, '/', { onPiece })).rejects.toThrow(/aborted|hang up/);
  });

  test('where the tab keeps its connection and does nothing', async () => {
    const clock = manualClock();
    const where = await page(clock);
    // A socket that offers a cluster and then answers nothing, not even whether it is there.
    const socket = new WebSocket(where.url, { origin: where.origin });
    closing.push(() => socket.terminate());
    await new Promise((resolve) => socket.once('open', resolve));
    const { certificate, key } = served;
    const offer = {
      type: 'offer',
      cluster: 'demo',
      secret: 's'.repeat(16),
      port: 0,
      certificate,
      key,
      clientAuthorities: '',
    } as const;
    socket.send(encodeFrames(offer));
    const listening = await new Promise<Buffer>((resolve) => socket.once('message', resolve));
    const port = Number(/"port":(\d+)/.exec(listening.toString())?.[1]);
    const asked = new Promise<void>((resolve) => socket.once('message', () => resolve()));
    const answered = ask(port, served.authority, '/');
    await asked;
    await clock.step(2 * SILENCE_MS);
    const { status, text } = await answered;
    expect([status, statusOf(text).message]).toEqual([503, expect.stringContaining('does not answer')]);
  });

  test('a tab that is slow but there is not given up', async () => {
    const clock = manualClock();
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    let reached = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    const there = await tab(await page(clock), served, () => (reached(), slow.then(hello)));
    const answered = ask(await there.port(), served.authority, '/');
    await arrived;
    for (let i = 0; i < 6; i++) {
      await clock.step(SILENCE_MS);
      await there.heard();
    }
    release();
    expect((await answered).status).toBe(200);
  });
});

describe('addresses', () => {
  test('nothing listens any more once the person lets nobody in', async () => {
    const left = await tab(await page(), served, hello);
    const at = await left.port();
    await left.leave();
    await expect(
      keepAsking(at, () => false).catch((error: Error) => {
        // A connection that was being made meanwhile is broken off; the next one is refused.
        if (error.message.includes('ECONNRESET')) return ask(at, served.authority, '/');
        throw error;
      }),
    ).rejects.toThrow('ECONNREFUSED');
  });

  test('nothing listens once the tab has been away for long', async () => {
    const clock = manualClock();
    const where = await page(clock);
    const lost = await tab(where, served, hello);
    const at = await lost.port();
    lost.vanish();
    await keepAsking(at, ({ status }) => status === 503);
    await clock.step(ABSENCE_MS);
    await expect(keepAsking(at, () => false)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  });

  test('nothing listens where the person lets nobody in before there is an address', async () => {
    const { url, origin, gate }: Page = await page();
    const socket = new WebSocket(url, { origin });
    await new Promise((resolve) => socket.on('open', resolve));
    const offer = {
      type: 'offer',
      cluster: 'demo',
      secret: 'a secret of sixteen letters',
      port: 0,
      clientAuthorities: '',
    };
    const { certificate, key } = served;
    for (const message of [{ ...offer, certificate, key }, { type: 'close' }])
      socket.send(encodeFrames(message as Parameters<typeof encodeFrames>[0]));
    await new Promise((resolve) => (socket.once('pong', resolve), socket.ping()));
    socket.close();
    await vi.waitFor(() => expect(gate.ports).toEqual([]));
  });

  test('a port that another process has is left to it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closing.push(() => other.close());
    const taken = (other.address() as { port: number }).port;
    const { port } = await tab(await page(), served, hello, { port: taken });
    const at = await port();
    expect(at).not.toBe(taken);
    expect((await ask(at, served.authority, '/')).status).toBe(200);
  });

  test('clusters have addresses of their own, and the tab that comes last answers for one', async () => {
    const where = await page();
    const [one, other] = [
      await tab(where, served, async () => Response.json('one'), { secret: 'the secret of one' }),
      await tab(where, served, async () => Response.json('other'), { secret: 'the secret of another' }),
    ];
    const [first, second] = [await one.port(), await other.port()];
    expect([(await ask(first, served.authority, '/')).text, (await ask(second, served.authority, '/')).text]).toEqual([
      '"one"',
      '"other"',
    ]);
    const later = await tab(where, served, async () => Response.json('later'), { secret: 'the secret of one' });
    expect(await later.port()).toBe(first);
    expect(await one.news()).toMatchObject({ is: 'ended', again: false, why: expect.stringContaining('another tab') });
    expect((await ask(first, served.authority, '/')).text).toBe('"later"');
  });
});

describe('nobody else comes in', () => {
  const upgrade = (url: string, options: object): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, options);
      socket.on('open', () => (socket.terminate(), resolve('open')));
      socket.on('error', ({ message }) => resolve(message));
    });

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a program that names no page', {}],
    ['a name that was made to point here', { origin: 'http://evil.example', headers: { host: 'evil.example' } }],
  ])('%s can’t offer a cluster', async (_, options) => {
    expect(await upgrade((await page()).url, options)).toBe('Unexpected server response: 403');
  });

  test('the page of this server may connect, at the path of the bridge only', async () => {
    const { url, origin } = await page();
    expect(await upgrade(url, { origin })).toBe('open');
    expect(await upgrade(url.replace('/bridge', '/other'), { origin })).toBe('Unexpected server response: 200');
  });

  test('a request that offers another protocol is answered as if it had not', async () => {
    const { origin } = await page();
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQ' };
    const text = await new Promise<string>((resolve, reject) => {
      const sent = plainRequest(`${origin}/`, { headers }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      });
      sent.on('error', reject).end();
    });
    expect(text).toBe('the page');
  });

  test('a client that resets while it is refused breaks nothing', async () => {
    const { origin, url } = await page();
    const { hostname, port } = new URL(origin);
    const lines = ['GET /bridge HTTP/1.1', 'host: x', 'connection: Upgrade', 'upgrade: websocket', '', ''];
    const resets = Array.from({ length: 200 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('connect', () => socket.write(lines.join('\r\n'), () => socket.resetAndDestroy()));
      return new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    });
    await Promise.all(resets);
    expect(await upgrade(url, { origin })).toBe('open');
  });

  test.each([
    ['another Host', { host: 'evil.example' }, 'does not answer to the name'],
    ['a foreign Origin', { origin: 'https://evil.example' }, 'other origins'],
  ])('a request with %s is refused before it reaches the tab', async (_, headers, why) => {
    let reached = false;
    const { port } = await tab(await page(), served, () => ((reached = true), hello()));
    const { status, text } = await ask(await port(), served.authority, '/', { headers });
    expect([status, reached, statusOf(text).message]).toEqual([403, false, expect.stringContaining(why)]);
  });

  test.each<[string, Uint8Array | string]>([
    ['a text', 'hello'],
    ['bytes that are no message', new Uint8Array([1, 2, 3])],
    [
      'a message for the other side',
      encodeFrames({ type: 'request', id: 1, realm: 'page', method: 'GET', path: '/', headers: '' }),
    ],
  ])('%s ends the connection', async (_, message) => {
    const { url, origin } = await page();
    const socket = new WebSocket(url, { origin });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send(message);
    await closed;
  });
});

/** Asks until an answer is as expected; what the tab does reaches the server by a socket. */
async function keepAsking(port: number, enough: (got: Awaited<ReturnType<typeof ask>>) => boolean) {
  for (;;) {
    const got = await ask(port, served.authority, '/');
    if (enough(got)) return got;
  }
}
