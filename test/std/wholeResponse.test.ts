import { describe, expect, test } from 'vitest';
import { WholeResponse } from '../../src/std/index.ts';

const init = { status: 201, headers: { 'content-type': 'application/json', warning: '299 - "old"' } };
const text = '{"name":"ä"}';
const bytes = new TextEncoder().encode(text);

describe.each([
  ['text', text],
  ['bytes', bytes],
])('a whole response made of %s means what a Response means', (_made, content) => {
  const whole = (): Response => new WholeResponse(content, init);
  const plain = (): Response => new Response(content, init);

  test('its head', () => {
    expect([whole().status, whole().ok, [...whole().headers]]).toEqual([
      plain().status,
      plain().ok,
      [...plain().headers],
    ]);
  });

  test.each<[string, (response: Response) => Promise<unknown>]>([
    ['text', (response) => response.text()],
    ['json', (response) => response.json()],
    ['arrayBuffer', (response) => response.arrayBuffer()],
    ['blob', async (response) => [(await response.clone().blob()).type, await (await response.blob()).text()]],
    ['body', (response) => new Response(response.body).text()],
    ['clone, then both', async (response) => [await response.clone().text(), await response.text()]],
  ])('%s', async (_way, read) => {
    expect(await read(whole())).toEqual(await read(plain()));
    const used = whole();
    await read(used);
    expect(used.bodyUsed).toBe(true);
  });

  test('its bytes are the reader’s own', async () => {
    const response = new WholeResponse(content, init);
    (await response.clone().bytes()).fill(0);
    expect(await response.text()).toBe(text);
  });

  test('it is read once', async () => {
    for (const read of ['text', 'json', 'arrayBuffer', 'blob'] as const) {
      const response = whole();
      await response.text();
      await expect(response[read]()).rejects.toThrow(TypeError);
      expect(() => response.clone()).toThrow(TypeError);
    }
  });

  test('a body that is being read as a stream is not read twice', async () => {
    const response = whole();
    await response.body?.getReader().read();
    await expect(response.text()).rejects.toThrow(TypeError);
  });
});
