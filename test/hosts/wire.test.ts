import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Answer, Batch, Call, Handler, Question, WireClient } from '../../src/hosts/wire/index.ts';
import { createWireClient, createWireServer } from '../../src/hosts/wire/index.ts';
import { WholeResponse } from '../../src/std/index.ts';

/** A client and a server on the two ends of a message channel; `messages` counts what the server sent. */
function wire(handle: Handler): {
  client: WireClient;
  sent: Answer[];
  posts(): number;
  close(): void;
} {
  const { port1, port2 } = new MessageChannel();
  const sent: Answer[] = [];
  let posts = 0;
  const client = createWireClient((message, transfer) => port1.postMessage(message, transfer ?? []));
  const server = createWireServer(handle, (message, transfer) => {
    sent.push(...(message.type === 'batch' ? message.messages : [message]));
    posts++;
    port2.postMessage(message, transfer ?? []);
  });
  port1.onmessage = ({ data }: MessageEvent<Answer | Batch<Answer>>) => client.receive(data);
  port2.onmessage = ({ data }: MessageEvent<Question>) => server.receive(data);
  const close = (): void => (port1.close(), server.disconnect());
  return { client, sent, posts: () => posts, close };
}

const get = (path: string, more: Partial<Call> = {}): Call => ({
  realm: 'api',
  method: 'GET',
  path,
  headers: [],
  ...more,
});

const chunked = { 'transfer-encoding': 'chunked' };
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A condition that an event will make true; what it waits for arrives by messages, so it polls between them. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('requests that are sent together', () => {
  test('are answered together, in few messages', async () => {
    const { client, sent, posts, close } = wire((request) =>
      Promise.resolve(Response.json(new URL(request.url).pathname)),
    );
    const paths = Array.from({ length: 50 }, (_, i) => `/${i}`);
    const answers = await Promise.all(paths.map(async (path) => (await client.send(get(path))).json()));
    expect(answers).toEqual(paths);
    // So many that a message costs little, so few that either side works while the other does.
    expect([sent.length, posts()]).toEqual([50, 5]);
    close();
  });

  test('do not wait for one among them that takes long', async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const { client, close } = wire(async (request) => {
      if (request.url.endsWith('/slow')) await slow;
      return new Response(request.url.slice(-4));
    });
    const last = client.send(get('/slow'));
    const first = await client.send(get('/fast'));
    expect(await first.text()).toBe('fast');
    finish();
    expect(await (await last).text()).toBe('slow');
    close();
  });
});

describe('a request over a wire', () => {
  test('arrives as it was sent, and its answer comes back whole', async () => {
    const { client, sent, close } = wire(async (request, realm) => {
      const seen = {
        realm,
        method: request.method,
        url: request.url,
        key: request.headers.get('x-key'),
        body: await request.text(),
      };
      return Response.json(seen, { status: 201, headers: { warning: '299 - "old"' } });
    });
    const response = await client.send({
      realm: 'page',
      method: 'POST',
      path: '/api/v1/pods?dryRun=All',
      headers: [['x-key', 'v']],
      body: '{}',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('warning')).toBe('299 - "old"');
    expect(await response.json()).toEqual({
      realm: 'page',
      method: 'POST',
      url: 'http://vitrine.invalid/api/v1/pods?dryRun=All',
      key: 'v',
      body: '{}',
    });
    expect(sent.map((message) => message.type)).toEqual(['head']);
    close();
  });

  test.each([204, 304])('%i comes back without a body', async (status) => {
    const { client, close } = wire(async () => new Response(null, { status }));
    const response = await client.send(get('/'));
    expect([response.status, response.body]).toEqual([status, null]);
    close();
  });

  test('an answer that has no body comes back without one', async () => {
    const { client, close } = wire(async () => new WholeResponse(null));
    expect((await client.send(get('/', { method: 'HEAD' }))).body).toBe(null);
    close();
  });

  test('a streamed body arrives chunk by chunk, while the writer goes on', async () => {
    const written = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = written.writable.getWriter();
    const { client, close } = wire(async () => new Response(written.readable, { headers: chunked }));
    const reader = (await client.send(get('/watch'))).body?.getReader();
    for (const line of ['one\n', 'two\n']) {
      void writer.write(bytes(line));
      expect((await reader?.read())?.value).toEqual(bytes(line));
    }
    void writer.close();
    expect((await reader?.read())?.done).toBe(true);
    close();
  });

  test('a handler that throws is a broken connection', async () => {
    const { client, close } = wire(() => Promise.reject(new Error('worker is stopping')));
    await expect(client.send(get('/'))).rejects.toThrow(new TypeError('worker is stopping'));
    close();
  });

  test('a body that breaks off is an error for its reader', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes('{')),
      pull: (controller) => controller.error(new Error('gone')),
    });
    const { client, close } = wire(async () => new Response(body, { headers: chunked }));
    const response = await client.send(get('/'));
    await expect(response.text()).rejects.toThrow('gone');
    close();
  });
});

describe('small parts of a stream', () => {
  test('wait for the end of a frame in which one was sent, and go together then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      let source!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => void (source = controller) });
      const { client, sent, posts, close } = wire(() => Promise.resolve(new Response(body, { headers: chunked })));
      const answer = await client.send(get('/'));
      const before = posts();
      /** Writes a part; resolves when the server has it. */
      const write = async (text: string): Promise<void> => {
        source.enqueue(bytes(text));
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      await write('a');
      expect(posts() - before).toBe(1);
      for (const text of ['b', 'c', 'd']) await write(text);
      expect(posts() - before).toBe(1);
      await vi.advanceTimersByTimeAsync(16);
      expect(posts() - before).toBe(2);
      await vi.advanceTimersByTimeAsync(1_000);
      await write('e');
      expect(posts() - before).toBe(3);
      await write('f'.repeat(20_000));
      expect(posts() - before).toBe(4);
      source.close();
      expect(await answer.text()).toBe(`abcde${'f'.repeat(20_000)}`);
      expect(sent.filter(({ type }) => type === 'chunk')).toHaveLength(6);
      close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('aborts travel to the other side', () => {
  const endless = (onCancel: () => void): Response =>
    new Response(new ReadableStream({ start: (c) => c.enqueue(bytes('x')), cancel: onCancel }), { headers: chunked });

  test('before the head', async () => {
    let seen: AbortSignal | undefined;
    const { client, close } = wire((request) => {
      seen = request.signal;
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    const abort = new AbortController();
    const answer = client.send(get('/', { signal: abort.signal }));
    await until(() => seen !== undefined);
    abort.abort(new DOMException('enough', 'AbortError'));
    await expect(answer).rejects.toThrow('enough');
    await until(() => seen?.aborted === true);
    close();
  });

  test.each(['the signal', 'the reader'])('in the middle of a stream, by %s', async (who) => {
    let cancelled = false;
    let seen: AbortSignal | undefined;
    const { client, close } = wire(async (request) => {
      seen = request.signal;
      return endless(() => (cancelled = true));
    });
    const abort = new AbortController();
    const response = await client.send(get('/', { signal: abort.signal }));
    const reader = response.body?.getReader();
    await reader?.read();
    if (who === 'the signal') {
      abort.abort(new DOMException('enough', 'AbortError'));
      await expect(reader?.read()).rejects.toThrow('enough');
    } else {
      await reader?.cancel();
    }
    await until(() => cancelled && seen?.aborted === true);
    close();
  });

  test('an aborted signal asks nothing', async () => {
    const { client, sent, close } = wire(async () => new Response('x'));
    await expect(client.send(get('/', { signal: AbortSignal.abort() }))).rejects.toThrow('aborted');
    expect((await client.send(get('/'))).status).toBe(200);
    expect(sent).toHaveLength(1);
    close();
  });
});

describe('a wire that breaks', () => {
  test('fails what waits for a head and what reads a body', async () => {
    const { client, close } = wire((request) =>
      request.url.endsWith('/slow')
        ? new Promise(() => undefined)
        : Promise.resolve(
            new Response(new ReadableStream({ start: (c) => c.enqueue(bytes('x')) }), { headers: chunked }),
          ),
    );
    const slow = client.send(get('/slow'));
    const reader = (await client.send(get('/watch'))).body?.getReader();
    await reader?.read();
    client.disconnect('the cluster has stopped');
    await expect(slow).rejects.toThrow(new TypeError('the cluster has stopped'));
    await expect(reader?.read()).rejects.toThrow(new TypeError('the cluster has stopped'));
    close();
  });
});

describe('a reader that stops reading', () => {
  test('stops the writer, and all arrives once it reads on', async () => {
    const chunk = new Uint8Array(16 * 1024);
    const total = 200;
    let made = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => (made++ < total ? controller.enqueue(chunk) : controller.close()),
    });
    const { client, sent, close } = wire(async () => new Response(body, { headers: chunked }));
    const response = await client.send(get('/'));

    const inBytes = (): number => sent.filter((message) => message.type === 'chunk').length * chunk.byteLength;
    await until(() => inBytes() >= 256 * 1024);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(inBytes()).toBeLessThanOrEqual(512 * 1024);

    expect((await response.arrayBuffer()).byteLength).toBe(total * chunk.byteLength);
    close();
  });
});

describe('a whole answer', () => {
  test.each([
    ['short', '{"name":"ä"}'],
    ['long', `{"name":"${'ä'.repeat(20_000)}"}`],
  ])('that is %s means the same on both sides', async (_length, text) => {
    const { client, close } = wire(async () => new WholeResponse(text, { headers: { 'content-type': 'text/plain' } }));
    const reads = [(r: Response) => r.text(), async (r: Response) => new TextDecoder().decode(await r.arrayBuffer())];
    for (const read of reads) {
      const response = await client.send(get('/'));
      const copy = response.clone();
      expect(await read(response)).toBe(text);
      expect(await read(copy)).toBe(text);
    }
    close();
  });
});

/** An answer as its reader has it. */
interface Told {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

describe('whatever is asked over a wire, and given up at whatever moment', () => {
  const asked = fc.record({
    path: fc.constantFrom('/a', '/b?c=d', '/slow', '/stream', '/none', '/broken'),
    method: fc.constantFrom('GET', 'POST', 'DELETE'),
    body: fc.option(fc.string(), { nil: undefined }),
    header: fc.stringMatching(/^[!-~]{0,9}$/),
    /** After how many turns it is given up; never where there is none. */
    givenUp: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
  });
  type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const answer: Handler = async (request, realm) => {
    const { pathname, search } = new URL(request.url);
    const told = `${realm} ${request.method} ${pathname}${search} ${request.headers.get('x-key')} ${await request.text()}`;
    const headers = { 'x-told': String(request.headers.get('x-key')), 'content-type': 'text/plain' };
    if (pathname === '/slow') for (let i = 0; i < 3; i++) await turn();
    if (pathname === '/broken') throw new Error('broken');
    if (pathname === '/none') return new Response(null, { status: 204, headers });
    if (pathname === '/stream') return new Response(slowly(told), { headers: { ...headers, ...chunked } });
    return pathname === '/a' ? new WholeResponse(told, { headers }) : new Response(told, { status: 404, headers });
  };

  function slowly(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const parts = [text.slice(0, 3), text.slice(3)];
    return new ReadableStream({
      async pull(controller) {
        await turn();
        const part = parts.shift();
        if (part === undefined) controller.close();
        else if (part !== '') controller.enqueue(bytes(part));
        else await this.pull?.(controller);
      },
    });
  }

  const read = async (answering: Promise<Response>): Promise<Told | string> => {
    try {
      const response = await answering;
      return { status: response.status, headers: [...response.headers], body: await response.text() };
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  const directly = ({ path, method, body, header }: Asked): Promise<Told | string> => {
    const init = { method, headers: { 'x-key': header }, ...(body !== undefined && method !== 'GET' && { body }) };
    return read(answer(new Request(`http://vitrine.invalid${path}`, init), 'api'));
  };

  const overWire = async (client: WireClient, one: Asked): Promise<Told | string> => {
    const { path, method, body, header, givenUp } = one;
    const abort = new AbortController();
    const reading = read(
      client.send({
        ...get(path, { method, headers: [['x-key', header]], signal: abort.signal }),
        ...(body !== undefined && method !== 'GET' && { body }),
      }),
    );
    for (let i = 0; i < (givenUp ?? 0); i++) await turn();
    if (givenUp !== undefined) abort.abort(new Error('given up'));
    return reading;
  };

  test('is answered as it is without a wire, or given up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { maxLength: 40 }), async (all) => {
        const { client, close } = wire(answer);
        const expected = await Promise.all(all.map(directly));
        const told = await Promise.all(all.map((one) => overWire(client, one)));
        close();
        for (const [i, got] of told.entries())
          if (got !== 'given up' || all[i]?.givenUp === undefined) expect(got).toEqual(expected[i]);
      }),
      { numRuns: 60 },
    );
  });
});
