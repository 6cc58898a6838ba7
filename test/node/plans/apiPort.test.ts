/** The API server as a server of the simulated network: connections, requests, streams. */
import { describe, expect, test } from 'vitest';
import type { Dataplane } from '../../../src/network/index.ts';
import { listenForApi } from '../../../src/node/apiServerPort.ts';
import { BaseStream, pipe, type Connection, type Stream } from '../../../src/programs/index.ts';
import { decodeText, encodeText, settle, SwitchedResponse, WholeResponse } from '../../../src/std/index.ts';

type Accept = (connection: Connection) => void;

/** One end of a connection: it reads from one stream and writes into another. */
class Both extends BaseStream {
  readonly #from: Stream;
  readonly #to: Stream;

  constructor(from: Stream, to: Stream) {
    super();
    this.#from = from;
    this.#to = to;
  }

  protected override readMore(): Promise<Uint8Array | undefined> {
    return this.#from.read();
  }

  override write(bytes: Uint8Array): Promise<void> {
    return this.#to.write(bytes);
  }

  override release(): void {
    this.#to.release();
  }
}

/** Opens a connection, sends a text, and gives what comes back. */
async function served(fetch: (request: Request) => Promise<Response>, isTls = true) {
  const listened: unknown[] = [];
  let accept: Accept = () => undefined;
  const ports = (address: string) => ({
    listen: (port: number, to: Accept, options: unknown): void => {
      listened.push([address, port, options]);
      accept = to;
    },
  });
  const dataplane = { portsAt: ports } as Partial<Record<keyof Dataplane, unknown>> as Dataplane;
  await listenForApi(dataplane, { address: '192.0.2.1', port: 6443, certificate: () => Promise.resolve('PEM'), fetch });
  const [there, back] = [pipe(), pipe()];
  const stream = new Both(there.input, back.output);
  const end = { address: 'a', port: 1 };
  accept({
    stream,
    local: end,
    remote: end,
    ...(isTls && { tls: { certificate: 'PEM' } }),
    end: () => undefined,
  } as Connection);
  let shown = '';
  const over = (async () => {
    for (let bytes = await back.input.read(); bytes; bytes = await back.input.read()) shown += decodeText(bytes);
    return 'over';
  })();
  return {
    listened,
    over,
    send: async (text: string): Promise<string> => {
      await there.output.write(encodeText(text.replaceAll('\n', '\r\n')));
      for (let i = 0; i < 5; i++) await settle();
      return shown;
    },
    close: () => there.output.release(),
  };
}

const whole = (text: string) => () =>
  Promise.resolve(new WholeResponse(text, { status: 201, headers: { 'x-a': 'b' } }));

describe('the API server', () => {
  test('listens at its address with its certificate', async () => {
    const { listened, close } = await served(whole('x'));
    expect(listened).toEqual([['192.0.2.1', 6443, { tls: { certificate: 'PEM' } }]]);
    close();
  });

  test('answers one request after the other, until the client closes', async () => {
    const asked: string[] = [];
    const client = await served(async (request) => {
      asked.push(
        `${request.method} ${new URL(request.url).pathname} ${request.headers.get('x-own')} ${await request.text()}`,
      );
      return new WholeResponse(`answer ${asked.length}`);
    });
    expect(await client.send('GET /a HTTP/1.1\nX-Own: yes\n\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*answer 1$/);
    expect(await client.send('POST /b HTTP/1.1\nContent-Length: 4\n\nbody')).toMatch(/answer 2$/);
    expect(await client.send('GET no-path HTTP/1.1\n\n')).toMatch(/answer 3$/);
    expect(asked).toEqual(['GET /a yes ', 'POST /b null body', 'GET / null ']);
    client.close();
    expect(await client.over).toBe('over');
  });

  test('passes over the body of a request that has none', async () => {
    const client = await served(async (request) => new WholeResponse(`${request.method} ${await request.text()}.`));
    expect(await client.send('GET / HTTP/1.1\nContent-Length: 2\n\nxx')).toMatch(/GET \.$/);
    expect(await client.send('PUT / HTTP/1.1\nContent-Length: 0\n\n')).toMatch(/PUT \.$/);
    client.close();
  });

  test.each(['close', 'Close'])('ends after an answer to a client that says %s', async (word) => {
    const client = await served(whole('last'));
    expect(await client.send(`GET / HTTP/1.1\nConnection: ${word}\n\n`)).toMatch(/last$/);
    expect(await client.over).toBe('over');
  });

  test('sends no body for HEAD', async () => {
    const client = await served(whole('body'));
    const text = await client.send('HEAD / HTTP/1.1\n\n');
    expect(text).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(text).toContain('x-a: b\r\n');
    expect(text.endsWith('\r\n\r\n')).toBe(true);
    client.close();
  });

  test('speaks TLS alone', async () => {
    const client = await served(whole('x'), false);
    const text = await client.send('GET / HTTP/1.1\n\n');
    expect(text).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\nClient sent an HTTP request to an HTTPS server\.\n$/,
    );
    expect(await client.over).toBe('over');
  });

  test('can upgrade no connection', async () => {
    const client = await served(() =>
      Promise.resolve(new SwitchedResponse({ speaks: 'websocket', serve: () => Promise.resolve() }, {})),
    );
    const text = await client.send('GET / HTTP/1.1\n\n');
    expect(text).toMatch(/^HTTP\/1\.1 501 [^]*\r\n\r\nContainers here can upgrade no connection\.\n$/);
    client.close();
  });

  test('streams in chunks, and stops when the client is gone', async () => {
    let push: (text: string) => void = () => undefined;
    let signal: AbortSignal | undefined;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        push = (text) => (text === '' ? controller.close() : controller.enqueue(encodeText(text)));
      },
      cancel: () => void (isCancelled = true),
    });
    const client = await served((request) => {
      signal = request.signal;
      return Promise.resolve(new Response(body, { status: 200, headers: { 'x-a': 'b' } }));
    });
    push('one');
    expect(await client.send('GET /watch HTTP/1.1\n\n')).toBe(
      'HTTP/1.1 200 OK\r\nx-a: b\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n',
    );
    push('0123456789abcdef');
    expect(await client.send('')).toMatch(/\r\n10\r\n0123456789abcdef\r\n$/);
    expect(signal?.aborted).toBe(false);
    client.close();
    for (let i = 0; i < 5; i++) await settle();
    expect(signal?.aborted).toBe(true);
    push('');
    expect(await client.over).toBe('over');
    expect(isCancelled).toBe(false);
  });

  test('ends a stream with a last chunk', async () => {
    const client = await served(() => Promise.resolve(new Response(new Blob(['all']).stream())));
    await client.send('GET / HTTP/1.1\n\n');
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(await client.send('')).toMatch(/3\r\nall\r\n0\r\n\r\n$/);
    expect(await client.over).toBe('over');
  });

  test('ends the connection of a client that speaks no HTTP', async () => {
    const client = await served(whole('x'));
    expect(await client.send('what\n\n')).toBe('');
    expect(await client.over).toBe('over');
  });
});
