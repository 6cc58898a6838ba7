import { describe, expect, test } from 'vitest';
import { requestTo, WholeRequest } from '../../src/std/index.ts';

const url = 'http://vitrine.invalid/api/v1/pods?dryRun=All';
const text = '{"name":"ä"}';

const inits: [string, RequestInit & { body?: string }][] = [
  ['nothing', {}],
  ['a method in small letters', { method: 'delete' }],
  ['a method that has no other case', { method: 'patch', body: text }],
  ['headers', { headers: { 'X-Key': 'v' } }],
  ['a text', { method: 'POST', body: text }],
  ['a text of a type', { method: 'POST', body: text, headers: { 'content-type': 'application/json' } }],
  ['an empty text', { method: 'POST', body: '' }],
];

describe.each(inits)('a whole request made of %s means what a Request means', (_made, init) => {
  test('its head', () => {
    const head = (request: Request): unknown => {
      const { url: address, method, headers, bodyUsed, body, cache, credentials, mode, redirect, signal } = request;
      const others = { cache, credentials, mode, redirect, aborted: signal.aborted };
      return { address, method, headers: [...headers], bodyUsed, hasBody: body !== null, ...others };
    };
    expect(requestTo(url, init)).toBeInstanceOf(WholeRequest);
    expect(head(requestTo(url, init))).toEqual(head(new Request(url, init)));
  });

  test.each<[string, (request: Request) => Promise<unknown>]>([
    ['text', (request) => request.text()],
    ['arrayBuffer', async (request) => new Uint8Array(await request.arrayBuffer())],
    ['blob', async (request) => [(await request.clone().blob()).type, await (await request.blob()).text()]],
    ['body', (request) => new Response(request.body).text()],
    ['clone, then both', async (request) => [await request.clone().text(), await request.text()]],
  ])('%s', async (_way, read) => {
    expect(await read(requestTo(url, init))).toEqual(await read(new Request(url, init)));
  });
});

test('a body is read once', async () => {
  const request = new WholeRequest(url, { method: 'POST', body: text });
  expect(await request.json()).toEqual({ name: 'ä' });
  expect(request.bodyUsed).toBe(true);
  await expect(request.text()).rejects.toThrow(TypeError);
  expect(() => request.clone()).toThrow(TypeError);
});

test('a copy has bytes of its own', async () => {
  const request = new WholeRequest(url, { method: 'POST', body: new TextEncoder().encode('{}') });
  (await request.clone().bytes()).fill(0);
  expect(await request.text()).toBe('{}');
});

test('its signal is that of whoever asks, made when somebody wants to hear of it', () => {
  let made = 0;
  const abort = new AbortController();
  const signal = (): AbortSignal => (made++, abort.signal);
  const request = new WholeRequest(url, { signal });
  expect(made).toBe(0);
  expect([request.signal, request.clone().signal]).toEqual([abort.signal, abort.signal]);
  expect(made).toBe(1);
});

test('a request can be made anew of it', async () => {
  const again = new Request(`${url}&pretty`, new WholeRequest(url, { headers: { 'x-key': 'v' } }));
  expect([again.url, again.headers.get('x-key')]).toEqual([`${url}&pretty`, 'v']);
});

test('a body that is no text is left to the platform', async () => {
  const request = requestTo(url, { method: 'POST', body: new Blob(['x']) });
  expect(request).not.toBeInstanceOf(WholeRequest);
  expect(await request.text()).toBe('x');
});
