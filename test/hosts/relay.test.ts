import { describe, expect, test } from 'vitest';
import type { Relay } from '../../src/hosts/tabs/relay.ts';
import { createRelay } from '../../src/hosts/tabs/relay.ts';
import type { Handler } from '../../src/hosts/wire/index.ts';

type Body = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

const url = 'http://vitrine.invalid/api/v1/pods';
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const event = (name: string, resourceVersion: string): string =>
  `${JSON.stringify({ type: 'ADDED', object: { metadata: { name, resourceVersion } } })}\n`;

/** Another tab: answers reads at once, and its watches with whatever the test writes into `bodies`. */
function tab(answer = 'ok'): { handle: Handler; asked: string[]; bodies: Body[]; die(relay: Relay): void } {
  const asked: string[] = [];
  const bodies: Body[] = [];
  const broken: ((error: Error) => void)[] = [];
  const handle: Handler = (request) => {
    asked.push(`${request.method} ${request.url.slice(url.length)}`);
    if (answer === 'silent') return new Promise((_, reject) => broken.push(reject));
    if (!request.url.includes('watch=')) return Promise.resolve(new Response(answer));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => void bodies.push(controller) });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  const die = (relay: Relay): void => {
    relay.lose();
    for (const fail of [...broken, ...bodies.map((body) => body.error.bind(body))]) fail(new TypeError('gone'));
  };
  return { handle, asked, bodies, die };
}

/** Reads a watch's body event by event: the names of the objects. */
function names(response: Response): () => Promise<string | undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return async () => {
    while (!rest.includes('\n')) {
      const next = await reader?.read();
      if (!next || next.done) return undefined;
      rest += next.value;
    }
    const [line = '', ...others] = rest.split('\n');
    rest = others.join('\n');
    const parsed = JSON.parse(line) as { type: string; object: { code?: number; metadata?: { name: string } } };
    return parsed.object.metadata?.name ?? `${parsed.type} ${parsed.object.code}`;
  };
}

describe('a relay between tabs', () => {
  test('holds requests back until somebody answers', async () => {
    const relay = createRelay();
    const early = relay.handle(new Request(url), 'api');
    relay.switchTo({ handle: tab('first').handle, remote: true });
    expect(await (await early).text()).toBe('first');
  });

  test('lets a request that waits be aborted', async () => {
    const abort = new AbortController();
    const early = createRelay().handle(new Request(url, { signal: abort.signal }), 'api');
    abort.abort(new Error('enough'));
    await expect(early).rejects.toThrow('enough');
  });

  test('asks the next tab again for a read that was under way', async () => {
    const relay = createRelay();
    const first = tab('silent');
    relay.switchTo({ handle: first.handle, remote: true });
    const answer = relay.handle(new Request(url), 'api');
    first.die(relay);
    relay.switchTo({ handle: tab('second').handle, remote: false });
    expect(await (await answer).text()).toBe('second');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'says of a %s that was under way that its outcome is unknown',
    async (method) => {
      const relay = createRelay();
      const [first, second] = [tab('silent'), tab()];
      relay.switchTo({ handle: first.handle, remote: true });
      const answer = relay.handle(new Request(url, { method, body: '{}' }), 'api');
      first.die(relay);
      relay.switchTo({ handle: second.handle, remote: false });
      expect((await answer).status).toBe(504);
      expect(await (await answer).json()).toMatchObject({
        kind: 'Status',
        reason: 'Timeout',
        message: expect.stringContaining('unknown') as string,
      });
      expect(second.asked).toEqual([]);
    },
  );

  test('hands on the error of a tab that is still there', async () => {
    const relay = createRelay();
    relay.switchTo({ handle: () => Promise.reject(new TypeError('bad header')), remote: true });
    await expect(relay.handle(new Request(url), 'api')).rejects.toThrow('bad header');
  });

  test('fails what waits when it closes', async () => {
    const relay = createRelay();
    const early = relay.handle(new Request(url), 'api');
    relay.close(new Error('removed'));
    await expect(early).rejects.toThrow('removed');
  });
});

describe('a watch whose tab is closed', () => {
  test('goes on in the next tab after the last whole event', async () => {
    const relay = createRelay();
    const [first, second] = [tab(), tab()];
    relay.switchTo({ handle: first.handle, remote: true });
    const next = names(await relay.handle(new Request(`${url}?watch=1&resourceVersion=5`), 'api'));
    first.bodies[0]?.enqueue(bytes(event('a', '6') + event('b', '9')));
    expect([await next(), await next()]).toEqual(['a', 'b']);

    first.bodies[0]?.enqueue(bytes(event('c', '10').slice(0, 20)));
    const following = next();
    first.die(relay);
    relay.switchTo({ handle: second.handle, remote: false });
    while (second.bodies.length === 0) await new Promise((resolve) => setImmediate(resolve));
    second.bodies[0]?.enqueue(bytes(event('c', '10')));
    expect(await following).toBe('c');
    expect(second.asked).toEqual(['GET ?watch=1&resourceVersion=9']);
  });

  test('carries the refusal as an event when its revision is gone', async () => {
    const relay = createRelay();
    const first = tab();
    relay.switchTo({ handle: first.handle, remote: true });
    const next = names(await relay.handle(new Request(`${url}?watch=1&resourceVersion=5`), 'api'));
    const following = next();
    first.die(relay);
    const refuse: Handler = async () => Response.json({ kind: 'Status', code: 410 }, { status: 410 });
    relay.switchTo({ handle: refuse, remote: false });
    expect(await following).toBe('ERROR 410');
    expect(await next()).toBeUndefined();
  });

  test.each(['watch=1', 'watch=1&resourceVersion=0'])('breaks off when it began with %s', async (query) => {
    const relay = createRelay();
    const first = tab();
    relay.switchTo({ handle: first.handle, remote: true });
    const response = await relay.handle(new Request(`${url}?${query}`), 'api');
    const all = response.text();
    first.die(relay);
    await expect(all).rejects.toThrow('gone');
  });

  test('ends when the server ends it', async () => {
    const relay = createRelay();
    const first = tab();
    relay.switchTo({ handle: first.handle, remote: true });
    const next = names(await relay.handle(new Request(`${url}?watch=1&resourceVersion=5`), 'api'));
    first.bodies[0]?.close();
    expect(await next()).toBeUndefined();
  });
});
