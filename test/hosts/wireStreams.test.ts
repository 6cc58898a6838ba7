/** Switched connections over a wire, and over two in a row as a tab that is not the leader has them. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { connect, type Connected } from '../../src/client/connect.ts';
import type { Answer, Batch, Handler, Question } from '../../src/hosts/wire/index.ts';
import { createWireClient, createWireServer } from '../../src/hosts/wire/index.ts';
import { decodeText, encodeText, SwitchedResponse, type Duplex, type StreamSocket } from '../../src/std/index.ts';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** The handler's other end, and what breaks the wire between them from either side. */
function wire(handle: Handler): { handle: Handler; clientGone(): void; serverGone(): void } {
  const { port1, port2 } = new MessageChannel();
  const client = createWireClient((message, transfer) => port1.postMessage(message, transfer ?? []));
  const server = createWireServer(handle, (message, transfer) => port2.postMessage(message, transfer ?? []));
  port1.onmessage = ({ data }: MessageEvent<Answer | Batch<Answer>>) => client.receive(data);
  port2.onmessage = ({ data }: MessageEvent<Question | Batch<Question>>) => server.receive(data);
  closing.push(() => (port1.close(), port2.close()));
  return {
    handle: (request, realm) => {
      const { pathname, search } = new URL(request.url);
      const { method, signal } = request;
      return client.send({ realm, method, path: pathname + search, headers: [...request.headers], signal });
    },
    clientGone: () => server.disconnect(),
    serverGone: () => client.disconnect('the tab was closed'),
  };
}

const wires = { one: (handle: Handler) => wire(handle).handle, two: (h: Handler) => wire(wire(h).handle).handle };

function open(handle: Handler, signal?: AbortSignal): Promise<Connected> {
  const transport = (path: string, init?: RequestInit): Promise<Response> =>
    handle(new Request(`http://vitrine.invalid${path}`, init), 'page');
  return connect(transport, '/exec', ['v4', 'v3'], signal ? { signal } : {});
}

const serving =
  (serve: (socket: StreamSocket) => Promise<void>): Handler =>
  async (request) =>
    new SwitchedResponse(
      { speaks: 'spdy', serve },
      { 'x-stream-protocol-version': request.headers.get('x-stream-protocol-version')?.split(',')[0] ?? '' },
    );

async function echo(stream: Duplex): Promise<void> {
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) await stream.write(bytes);
  stream.end();
}

/** Sends back what comes on each stream, until the client is gone. */
const echoing = serving(async (socket) => {
  for (let stream = await socket.accept(); stream; stream = await socket.accept()) void echo(stream);
});

async function read(stream: Pick<Duplex, 'read'>): Promise<string> {
  let text = '';
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) text += decodeText(bytes);
  return text;
}

describe.each(Object.entries(wires))('streams over %s wire(s)', (_, through) => {
  test('agree on a protocol, and carry their headers and bytes both ways', async () => {
    const told: ReadonlyMap<string, string>[] = [];
    const handle = serving(async (socket) => {
      const stream = await socket.accept();
      if (!stream) return;
      told.push(stream.headers);
      await stream.write(encodeText('hello'));
      expect(await read(stream)).toBe('input');
      stream.end();
    });
    const { connection, protocol } = await open(through(handle));
    const stream = connection.open({ streamType: 'data', port: '80' });
    await stream.write(encodeText('input'));
    stream.end();
    expect(await read(stream)).toBe('hello');
    expect([protocol, [...(told[0] ?? [])].sort()]).toEqual([
      'v4',
      [
        ['port', '80'],
        ['streamtype', 'data'],
      ],
    ]);
  });

  test('end one direction while the other goes on', async () => {
    const handle = serving(async (socket) => {
      const stream = await socket.accept();
      const input = stream ? await read(stream) : '';
      await stream?.write(encodeText(`after the end: ${input}`));
      stream?.end();
    });
    const { connection } = await open(through(handle));
    const stream = connection.open({});
    await stream.write(encodeText('abc'));
    stream.end();
    expect(await read(stream)).toBe('after the end: abc');
  });

  test('any chunks on any streams arrive whole and in order', async () => {
    const handle = through(echoing);
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40_000 }), { maxLength: 12 });
    const property = fc.asyncProperty(fc.array(chunks, { minLength: 1, maxLength: 4 }), async (streams) => {
      const { connection } = await open(handle);
      const echoed = streams.map(async (sent) => {
        const stream = connection.open({});
        const back = (async () => {
          const all: number[] = [];
          for (let bytes = await stream.read(); bytes; bytes = await stream.read()) all.push(...bytes);
          return all;
        })();
        for (const bytes of sent) await stream.write(bytes);
        stream.end();
        expect(Buffer.from(await back).equals(Buffer.concat(sent))).toBe(true);
      });
      await Promise.all(echoed);
      connection.close();
    });
    await fc.assert(property, { seed: 20, numRuns: 25 });
  });

  test('a reader that does not read stops the writer', async () => {
    let written = 0;
    let stopped = (): void => undefined;
    const handle = serving(async (socket) => {
      const stream = await socket.accept();
      socket.closed.addEventListener('abort', () => stopped());
      while (!socket.closed.aborted) {
        await stream?.write(new Uint8Array(16 * 1024));
        written += 16 * 1024;
      }
    });
    const { connection } = await open(through(handle));
    const stream = connection.open({});
    await stream.read();
    // Turns enough for many times as much, if nothing stopped it.
    for (let i = 0; i < 2000; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(8 * 1024 * 1024);
    const before = written;
    for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(before);
    const ended = new Promise<void>((resolve) => (stopped = resolve));
    connection.close();
    await ended;
  });

  test('a reader that reads lets the writer go on, however much there is', async () => {
    const handle = serving(async (socket) => {
      const stream = await socket.accept();
      for (let i = 0; i < 64; i++) await stream?.write(new Uint8Array(32 * 1024).fill(i));
      stream?.end();
    });
    const { connection } = await open(through(handle));
    const stream = connection.open({});
    let read = 0;
    for (let bytes = await stream.read(); bytes; bytes = await stream.read()) read += bytes.length;
    expect(read).toBe(2 * 1024 * 1024);
  });

  test('what the server says last arrives before the connection closes', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const handle = serving(async (socket) => {
      const stream = await socket.accept();
      // More than waits for a reader at once.
      for (let i = 0; i < 200; i++) await stream?.write(encodeText(`${i} `));
      await stream?.write(encodeText('last words'));
      stream?.end();
      socket.close();
      finish();
    });
    const { connection } = await open(through(handle));
    const stream = connection.open({});
    const over = new Promise((resolve) => connection.closed.addEventListener('abort', resolve));
    await finished;
    // Turns enough for the end to come here before anything is read.
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(await read(stream)).toMatch(/^0 1 2 .*199 last words$/);
    await over;
    expect(await read(connection.open({}))).toBe('');
  });

  test('a client that aborts is gone for the server', async () => {
    const gone = new Promise<string>((resolve) => {
      const handle = serving(async (socket) => {
        const stream = await socket.accept();
        await stream?.write(encodeText('x'));
        await new Promise((done) => socket.closed.addEventListener('abort', done));
        resolve(`gone, and ${JSON.stringify((await stream?.read()) ?? 'at its end')}`);
      });
      const abort = new AbortController();
      void open(through(handle), abort.signal).then(async ({ connection }) => {
        await connection.open({}).read();
        abort.abort();
      });
    });
    expect(await gone).toBe('gone, and "at its end"');
  });
});

describe('when a side is gone', () => {
  test('the server hears that the tab was closed', async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const handle = serving(async (socket) => {
      socket.closed.addEventListener('abort', closed);
      for (let s = await socket.accept(); s; s = await socket.accept()) await s.write(encodeText('x'));
    });
    const between = wire(handle);
    const { connection } = await open(between.handle);
    await connection.open({}).read();
    between.clientGone();
    await gone;
  });

  test('the client reads to an end, and its connection is closed', async () => {
    const between = wire(echoing);
    const { connection } = await open(between.handle);
    const stream = connection.open({});
    await stream.write(encodeText('x'));
    expect(decodeText((await stream.read()) ?? new Uint8Array())).toBe('x');
    between.serverGone();
    expect(await stream.read()).toBeUndefined();
    if (!connection.closed.aborted)
      await new Promise((resolve) => connection.closed.addEventListener('abort', resolve));
    await stream.write(encodeText('dropped'));
  });
});

test('a refusal is the error that any other refusal is', async () => {
  const status = { kind: 'Status', status: 'Failure', message: 'not you', reason: 'Forbidden', code: 403 };
  const handle = wire(async () => Response.json(status, { status: 403 })).handle;
  await expect(open(handle)).rejects.toMatchObject({ name: 'StatusError', status: { reason: 'Forbidden' } });
});

test('a server that does not switch, or switches to messages, is an error for who asked for streams', async () => {
  await expect(open(wire(async () => Response.json({})).handle)).rejects.toThrow('did not switch');
  const messages: Handler = async () => new SwitchedResponse({ speaks: 'websocket', serve: async () => undefined }, {});
  await expect(open(wire(messages).handle)).rejects.toThrow('another protocol');
});

describe.each(Object.entries(wires))('the messages of a WebSocket over %s wire', (_, through) => {
  const echoingMessages: Handler = async () =>
    new SwitchedResponse(
      {
        speaks: 'websocket',
        serve: async (socket) => {
          for (let one = await socket.receive(); one !== undefined; one = await socket.receive())
            await socket.send(one);
          socket.close();
        },
      },
      { 'sec-websocket-protocol': 'v4' },
    );

  test('stay apart, and texts stay texts', async () => {
    const response = await through(echoingMessages)(new Request('http://vitrine.invalid/exec'), 'bridge');
    if (!(response instanceof SwitchedResponse) || response.session.speaks !== 'websocket')
      throw new Error('not switched');
    const messages = ['one', '', new Uint8Array([1, 2]), new Uint8Array(0), 'ü'.repeat(100_000)];
    const [sent, got] = [[...messages], [] as (string | Uint8Array)[]];
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    await response.session.serve({
      closed: new AbortController().signal,
      receive: async () => sent.shift(),
      send: async (message) => void got.push(message),
      close,
    });
    await closed;
    expect([response.headers.get('sec-websocket-protocol'), got]).toEqual(['v4', messages]);
  });

  test('a client that is gone ends the session', async () => {
    let gone = (): void => undefined;
    const left = new Promise<void>((resolve) => (gone = resolve));
    const waiting: Handler = async () =>
      new SwitchedResponse(
        {
          speaks: 'websocket',
          serve: async (socket) => {
            while ((await socket.receive()) !== undefined);
            gone();
          },
        },
        {},
      );
    const response = await through(waiting)(new Request('http://vitrine.invalid/exec'), 'bridge');
    if (!(response instanceof SwitchedResponse) || response.session.speaks !== 'websocket')
      throw new Error('not switched');
    const client = new AbortController();
    const served = response.session.serve({
      closed: client.signal,
      receive: () => new Promise(() => undefined),
      send: async () => undefined,
      close: () => undefined,
    });
    client.abort();
    await Promise.all([served, left]);
  });
});
