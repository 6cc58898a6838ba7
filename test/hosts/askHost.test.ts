/** What a page asks of its cluster's host: an answer, or an error that says why there is none. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { askHost } from '../../src/hosts/page/ask.ts';
import type { Connection } from '../../src/hosts/page/connection.ts';
import { notServed, outcomeUnknown } from '../../src/hosts/wire/index.ts';

beforeAll(() => vi.stubGlobal('navigator', { userAgent: 'a browser' }));
afterAll(() => vi.unstubAllGlobals());

const answering = (response: Response): Connection => ({
  send: () => Promise.resolve(response),
  leave: () => Promise.resolve(),
  left: new Promise(() => undefined),
});

describe('an answer of the host', () => {
  test('is given on where it is one', async () => {
    const response = await askHost(answering(Response.json({ now: 1 })), '/clock');
    expect(await response.json()).toEqual({ now: 1 });
  });

  test.each<[string, Response, string]>([
    ['a server that is away', notServed('nobody is there'), 'nobody is there'],
    ['a write that was lost', outcomeUnknown('it broke'), 'whether the request was carried out is unknown'],
    ['a message of its own', Response.json({ message: 'not so' }, { status: 400 }), 'not so'],
    ['an answer that is null', Response.json(null, { status: 500 }), '/clock: 500'],
    ['an empty answer', new Response(null, { status: 404 }), '/clock: 404'],
  ])('is an error for %s', async (_, response, message) => {
    await expect(askHost(answering(response), '/clock')).rejects.toThrow(new RegExp(message));
  });
});
