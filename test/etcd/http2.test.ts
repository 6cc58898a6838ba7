/** The client's side of HTTP/2 against Node's own server, and against bytes that no server should send. */
import { once } from 'node:events';
import { constants, type ServerHttp2Session } from 'node:http2';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ByteQueue } from '../../src/hosts/node/etcd/http2/byteQueue.ts';
import { Connection, type BrokenError, type ConnectionOptions } from '../../src/hosts/node/etcd/http2/connection.ts';
import {
  frameHead,
  FrameReader,
  FrameType,
  numbersFrame,
  Setting,
  settingsFrame,
} from '../../src/hosts/node/etcd/http2/frames.ts';
import { decodeHeaders, encodeHeaders } from '../../src/hosts/node/etcd/http2/hpack.ts';
import { OutgoingStream, SendWindow } from '../../src/hosts/node/etcd/http2/outgoing.ts';
import { serverWith, type Answer } from './http2Server.ts';

function connected(
  url: string,
  options: Partial<ConnectionOptions> = {},
): { connection: Connection; left: () => number } {
  let left = 0;
  const connection = new Connection(url, { tls: {}, onLeave: () => void left++, ...options });
  onTestFinished(() => connection.destroy());
  return { connection, left: () => left };
}

interface Answered {
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body: string;
}

/** Sends a body and resolves with what came; rejects with why the stream broke. */
function call(connection: Connection, body: string, path = '/', name = 'x'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string>[] = [];
    const chunks: Buffer[] = [];
    const stream = connection.open(path, [['x-name', name]], {
      headers: (given) => headers.push(Object.fromEntries(given)),
      data: (bytes) => chunks.push(Buffer.from(bytes)),
      ended: (error) => (error ? reject(error) : resolve({ headers, body: Buffer.concat(chunks).toString() })),
    });
    stream.write(Buffer.from(body), true);
  });
}

const echo: Answer = (stream, body) => stream.respond({ ':status': 200 }) ?? stream.end(body);

describe('a connection', () => {
  test('sends a body and takes headers, an answer and what follows it', async () => {
    const { url } = await serverWith((stream, body, path) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'Grüße %20' }));
      stream.end(`${path} ${body.toString()}`);
    });
    const { headers, body } = await call(connected(url).connection, 'hello', '/a.B/C');
    expect(body).toBe('/a.B/C hello');
    expect(headers[0]).toMatchObject({ ':status': '200', 'content-type': 'application/grpc' });
    expect(headers[1]).toMatchObject({ 'grpc-status': '0' });
  });

  test('keeps within the windows of a server that takes little at a time', async () => {
    const { url } = await serverWith(echo, { settings: { initialWindowSize: 1000, maxFrameSize: 16_384 } });
    const large = 'word '.repeat(100_000);
    const { connection } = connected(url);
    const bodies = await Promise.all([1, 2, 3].map((i) => call(connection, `${i}${large}`)));
    expect(bodies.map(({ body }, i) => body === `${i + 1}${large}`)).toEqual([true, true, true]);
  });

  test('takes more than its window, in padded frames', async () => {
    const { url } = await serverWith(
      (stream) => stream.respond({ ':status': 200 }) ?? stream.end(Buffer.alloc(40 << 20, 97)),
      {
        paddingStrategy: constants.PADDING_STRATEGY_MAX,
      },
    );
    const { body } = await call(connected(url).connection, '');
    expect(body.length).toBe(40 << 20);
  });

  test('takes headers that do not fit into one frame', async () => {
    const long = 'value '.repeat(8000).trim();
    const { url } = await serverWith(
      (stream) => stream.respond({ ':status': 200, 'x-long': long }, { endStream: true }),
      {
        maxSendHeaderBlockLength: 1 << 20,
      },
    );
    expect((await call(connected(url).connection, '')).headers).toMatchObject([{ 'x-long': long }]);
  });

  test('carries hundreds of calls at a time', async () => {
    const { url } = await serverWith(echo);
    const { connection } = connected(url);
    const bodies = await Promise.all(Array.from({ length: 500 }, (_, i) => call(connection, `call ${i}`)));
    expect(bodies.map(({ body }) => body)).toEqual(Array.from({ length: 500 }, (_, i) => `call ${i}`));
  });

  test('keeps calls back that are more than the server allows at a time', async () => {
    let [open, most] = [0, 0];
    const answer: Answer = (stream, body, path) => {
      most = Math.max(most, ++open);
      setImmediate(() => (open--, echo(stream, body, path)));
    };
    const { url } = await serverWith(answer, { settings: { maxConcurrentStreams: 5 } });
    const { connection } = connected(url);
    const bodies = await Promise.all(Array.from({ length: 300 }, (_, i) => call(connection, `call ${i}`)));
    expect(bodies.map(({ body }) => body)).toEqual(Array.from({ length: 300 }, (_, i) => `call ${i}`));
    expect(most).toBe(5);
  });

  test('begins calls when others are cancelled or the server allows more, and fails the rest as unsent', async () => {
    const begun: string[] = [];
    let session: ServerHttp2Session | undefined;
    const { url, server } = await serverWith((_stream, _body, path) => void begun.push(path), {
      settings: { maxConcurrentStreams: 1 },
    });
    server.on('session', (opened) => (session = opened));
    const { connection } = connected(url);
    const ended = vi.fn<(error: BrokenError | undefined) => void>();
    const [a, b] = ['/a', '/b'].map((path) => {
      const stream = connection.open(path, [], { headers: () => undefined, data: () => undefined, ended });
      stream.write(Buffer.from(path), true);
      return stream;
    });
    const others = Promise.allSettled(['/c', '/d', '/e'].map((path) => call(connection, '', path)));
    await vi.waitFor(() => expect(begun).toEqual(['/a']));
    b?.cancel();
    a?.cancel();
    await vi.waitFor(() => expect(begun).toEqual(['/a', '/c']));
    session?.settings({ maxConcurrentStreams: 2 });
    await vi.waitFor(() => expect(begun).toEqual(['/a', '/c', '/d']));
    connection.destroy();
    expect(await others).toMatchObject([false, false, true].map((unsent) => ({ reason: { unsent } })));
    expect(ended).not.toHaveBeenCalled();
  });

  test('is left when it has no more numbers for streams', async () => {
    const { url } = await serverWith(echo);
    const { connection, left } = connected(url, { firstStream: 0x7ffffffd });
    const calls = await Promise.allSettled(['a', 'b', 'c'].map((body) => call(connection, body)));
    expect(calls).toMatchObject([{ value: { body: 'a' } }, { value: { body: 'b' } }, { reason: { unsent: true } }]);
    expect(left()).toBe(1);
  });

  test('answers pings, and takes new windows while a stream is open', async () => {
    const { url, server } = await serverWith(echo, { settings: { initialWindowSize: 10 } });
    const pinged = new Promise((resolve, reject) => {
      server.on('session', (session) => {
        session.ping((error, ms) => (error ? reject(error) : resolve(ms)));
        session.settings({ initialWindowSize: 100_000 });
      });
    });
    expect((await call(connected(url).connection, 'x'.repeat(50_000))).body).toHaveLength(50_000);
    await expect(pinged).resolves.toBeGreaterThanOrEqual(0);
  });

  test('tells a call that the server refused from one that it gave up', async () => {
    const codes: Record<string, number> = {
      '/refused': constants.NGHTTP2_REFUSED_STREAM,
      '/broken': constants.NGHTTP2_INTERNAL_ERROR,
    };
    const { url } = await serverWith((stream, _body, path) => stream.close(codes[path]));
    const { connection } = connected(url);
    await expect(call(connection, '', '/refused')).rejects.toMatchObject({ unsent: true });
    await expect(call(connection, '', '/broken')).rejects.toMatchObject({ unsent: false });
  });

  test('is left when the server says that it ends, which still answers what it has begun', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await serverWith((stream, body) => {
      stream.session?.goaway();
      waiting.push(() => echo(stream, body, ''));
    });
    const { connection, left } = connected(url);
    const begun = call(connection, 'begun');
    await vi.waitFor(() => expect(left()).toBe(1));
    for (const answer of waiting) answer();
    expect((await begun).body).toBe('begun');
  });

  test('that was left ends when its last stream is cancelled', async () => {
    const { url, server } = await serverWith(() => undefined);
    const closed = new Promise((resolve) => {
      server.on('connection', (socket: Socket) => socket.on('close', resolve));
    });
    server.on('stream', (stream) => stream.session?.goaway());
    const { connection, left } = connected(url);
    const listener = { headers: () => undefined, data: () => undefined, ended: () => undefined };
    const stream = connection.open('/', [], listener);
    await vi.waitFor(() => expect(left()).toBe(1));
    stream.cancel();
    await closed;
  });

  test('is not harmed by a listener that throws, whose error the host reports', async () => {
    const thrown: unknown[] = [];
    const told = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((run) => {
      try {
        run();
      } catch (error) {
        thrown.push(error);
      }
    });
    onTestFinished(() => told.mockRestore());
    const { url } = await serverWith(echo);
    const { connection, left } = connected(url);
    const fail = (what: string) => () => {
      throw new RangeError(what);
    };
    connection
      .open('/', [], { headers: fail('headers'), data: fail('data'), ended: fail('ended') })
      .write(Buffer.from('a'), true);
    expect((await call(connection, 'b')).body).toBe('b');
    await vi.waitFor(() =>
      expect(thrown.map(String)).toEqual(['headers', 'data', 'ended'].map((what) => `RangeError: ${what}`)),
    );
    expect(left()).toBe(0);
  });

  test('a stream that is cancelled is told to the server, and hears nothing more', async () => {
    const { url, server } = await serverWith(() => undefined);
    const closed = new Promise<number>((resolve) => {
      server.on('stream', (stream) => stream.on('close', () => resolve(stream.rstCode)));
    });
    const ended = vi.fn<(error: BrokenError | undefined) => void>();
    const { connection } = connected(url);
    const opened = once(server, 'stream');
    const stream = connection.open('/', [], { headers: () => undefined, data: () => undefined, ended });
    await opened;
    stream.cancel();
    expect(await closed).toBe(constants.NGHTTP2_CANCEL);
    expect(ended).not.toHaveBeenCalled();
  });

  test('that nobody takes, or that breaks off, ends every call once', async () => {
    await expect(call(connected('http://127.0.0.1:1').connection, '')).rejects.toMatchObject({
      unsent: true,
      message: 'the connection was refused: no program listens there',
    });
    const sockets: Socket[] = [];
    const { url, server } = await serverWith(() => sockets.forEach((socket) => socket.destroy()));
    server.on('connection', (socket: Socket) => sockets.push(socket));
    const { connection, left } = connected(url);
    const calls = [call(connection, 'a'), call(connection, 'b')];
    for (const each of await Promise.allSettled(calls)) expect(each).toMatchObject({ reason: { unsent: false } });
    expect(left()).toBe(1);
  });
});

/** A server that sends bytes of one's own after its greeting, once a client is there. */
async function sending(...bytes: readonly Uint8Array[]): Promise<string> {
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write(Buffer.concat(bytes));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const greeting = settingsFrame([]);

describe('a server that breaks the protocol ends the connection', () => {
  test.each<[string, Uint8Array[], string]>([
    ['HTTP/1.1', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')], 'does not speak HTTP/2'],
    ['no settings at first', [frameHead(FrameType.ping, 0, 0, 8), Buffer.alloc(8)], 'does not speak HTTP/2'],
    ['a frame that is too long', [greeting, frameHead(FrameType.data, 0, 1, 1 << 20)], 'too long'],
    ['a push', [greeting, frameHead(FrameType.push, 0, 1, 4), Buffer.alloc(4)], 'nobody asked for a push'],
    ['padding beyond the frame', [greeting, frameHead(FrameType.data, 8, 1, 2), Buffer.from([9, 1])], 'padding'],
    ['headers that go on without a beginning', [greeting, frameHead(FrameType.continuation, 4, 1, 0)], 'interrupted'],
    [
      'a header of the empty table',
      [greeting, frameHead(FrameType.headers, 4, 1, 1), Buffer.from([0xff - 1])],
      'no header 126',
    ],
    [
      'a window of too few bytes',
      [greeting, frameHead(FrameType.windowUpdate, 0, 0, 1), Buffer.alloc(1)],
      'breaks the protocol',
    ],
  ])('%s', async (_what, bytes, why) => {
    const { connection } = connected(await sending(...bytes));
    await expect(call(connection, '')).rejects.toThrow(why);
  });
});

test('the reserved bit of a window is ignored', async () => {
  const sent: string[] = [];
  const server = createTcpServer((socket: Socket) => {
    const reader = new FrameReader(({ type, payload }) => {
      if (type === FrameType.data) sent.push(payload.toString());
    });
    let preface = 24;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      reader.add(bytes.subarray(preface));
      preface = Math.max(0, preface - bytes.length);
    });
    const settings = settingsFrame([[Setting.initialWindow, 0]]);
    socket.write(Buffer.concat([settings, numbersFrame(FrameType.windowUpdate, 1, 0x80000003)]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { connection } = connected(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ended = call(connection, 'abcdef');
  await vi.waitFor(() => expect(sent).toEqual(['abc']));
  connection.destroy();
  await expect(ended).rejects.toThrow('is closed');
});

test('a window below 0 lets only an empty last piece out, and is not changed by it', () => {
  const outgoing = new OutgoingStream(new SendWindow(10));
  outgoing.start(1, 10);
  outgoing.window.grow(-15);
  outgoing.add(Buffer.from('a'), false);
  expect(outgoing.next(100)).toBeUndefined();
  outgoing.window.grow(6);
  expect(outgoing.next(100)).toMatchObject({ isLast: false });
  outgoing.window.grow(-5);
  outgoing.add(new Uint8Array(), true);
  expect(outgoing.next(100)).toMatchObject({ bytes: new Uint8Array(), isLast: true });
  expect(outgoing.window.bytes).toBe(-5);
});

describe('header lists', () => {
  const unhex = (text: string): Buffer => Buffer.from(text.replace(/ /g, ''), 'hex');

  test.each<[string, string, Record<string, string>]>([
    ['C.2.2: a name by index', '04 0c 2f73 616d 706c 652f 7061 7468', { ':path': '/sample/path' }],
    ['C.2.3: a header that is never indexed', '10 08 7061 7373 776f 7264 06 7365 6372 6574', { password: 'secret' }],
    ['C.2.4: a header by index', '82', { ':method': 'GET' }],
    ['C.6.1: Huffman', '48 82 6402 58 85 aec3 771a 4b', { ':status': '302', 'cache-control': 'private' }],
    ['a new size of the table', '20 88', { ':status': '200' }],
  ])('of RFC 7541, %s', (_what, block, headers) => {
    expect(Object.fromEntries(decodeHeaders(unhex(block)))).toEqual(headers);
  });

  test.each([
    ['ends early', '04 0c 2f73'],
    ['has a number without an end', '0f ff ff ff ff ff ff'],
    ['ends in the middle of a code', '48 81 64 00'],
    ['is filled up with more than a byte', '00 01 61 82 1f ff'],
  ])('one that %s is refused', (_what, block) => {
    expect(() => decodeHeaders(unhex(block))).toThrow(RangeError);
  });

  test('are read as they were written, whatever their length', () => {
    const text = fc.string({ minLength: 1, maxLength: 400, unit: 'binary-ascii' });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (headers) => {
        expect([...decodeHeaders(encodeHeaders(headers))]).toEqual(headers);
      }),
    );
  });

  test('random bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeHeaders(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

test('bytes that come in pieces are taken in others', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, fc.array(fc.integer({ min: 1, max: 30 })), (given, lengths) => {
      const queue = new ByteQueue();
      for (const piece of given) queue.add(piece);
      const whole = Buffer.concat(given);
      let at = 0;
      for (const length of lengths) {
        if (queue.size < length) continue;
        expect(queue.peek(length).equals(whole.subarray(at, at + length))).toBe(true);
        expect(queue.take(length).equals(whole.subarray(at, at + length))).toBe(true);
        at += length;
      }
      expect(queue.size).toBe(whole.length - at);
    }),
  );
});
