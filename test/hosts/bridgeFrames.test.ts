/** Messages of the bridge as bytes, and what is none. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrames, FrameError } from '../../src/hosts/wire/frames.ts';
import { decodeFromTab, decodeToTab } from '../../src/hosts/bridge/frames.ts';
import type { FromTab, ToTab } from '../../src/hosts/bridge/messages.ts';
import { encodeText } from '../../src/std/index.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((given) => new Uint8Array(given));
const id = fc.nat();
const text = fc.string();

const frame = fc.oneof(
  fc.record({ do: fc.constant('open' as const), stream: id, headers: text }),
  fc.record({ do: fc.constant('data' as const), stream: id, data: bytes }),
  fc.record({ do: fc.constant('credit' as const), stream: id, bytes: id }),
  fc.record({ do: fc.constantFrom('end' as const, 'reset' as const), stream: id }),
);
const stream = fc.record({ type: fc.constant('stream' as const), id, frame });

const fromTab: fc.Arbitrary<FromTab> = fc.oneof(
  stream,
  fc.record(
    {
      type: fc.constant('head' as const),
      id,
      status: fc.integer({ min: 200, max: 599 }),
      headers: text,
      streamed: fc.boolean(),
      body: bytes,
    },
    { requiredKeys: ['type', 'id', 'status', 'headers', 'streamed'] },
  ),
  fc.record({ type: fc.constant('chunk' as const), id, data: bytes }),
  fc.record({
    type: fc.constant('switched' as const),
    id,
    headers: text,
    speaks: fc.constantFrom('spdy' as const, 'websocket' as const),
  }),
  fc.record({ type: fc.constantFrom('end' as const), id }),
  fc.record({ type: fc.constant('failed' as const), id, message: text }),
  fc.constant({ type: 'close' as const }),
  fc.constant({ type: 'pong' as const }),
);

const toTab: fc.Arbitrary<ToTab> = fc.oneof(
  stream,
  fc.record(
    {
      ...{ type: fc.constant('request' as const), id, realm: fc.constant('bridge' as const), method: text },
      ...{ path: text.map((given) => `/${given}`), headers: text, body: bytes.map(({ buffer }) => buffer) },
    },
    { requiredKeys: ['type', 'id', 'realm', 'method', 'path', 'headers'] },
  ),
  fc.record({ type: fc.constant('abort' as const), id }),
  fc.record({ type: fc.constant('credit' as const), id, bytes: id }),
  fc.record({ type: fc.constant('listening' as const), port: fc.integer({ min: 0, max: 65_535 }) }),
  fc.record({ type: fc.constant('ended' as const), why: text }),
  fc.constant({ type: 'ping' as const }),
);

describe('what is said is heard', () => {
  test('by the server of the page', () => {
    fc.assert(
      fc.property(fc.array(fromTab), (messages) => {
        expect(decodeFromTab(encodeFrames({ type: 'batch', messages }))).toEqual(messages);
      }),
    );
  });

  test('by the tab', () => {
    fc.assert(
      fc.property(fc.array(toTab), (messages) => {
        expect(decodeToTab(encodeFrames({ type: 'batch', messages }))).toEqual(messages);
      }),
    );
  });

  test('out of a pool of Node’s, of which nothing else comes along', () => {
    const question = { type: 'request', id: 1, realm: 'page', method: 'POST', path: '/', headers: '' } as const;
    const message = Buffer.concat([Buffer.from('pool'), encodeFrames({ ...question, body: '{}' })]).subarray(4);
    expect(decodeToTab(message)).toEqual([{ ...question, body: encodeText('{}').buffer }]);
  });

  test('a text arrives as its bytes', () => {
    const head = { type: 'head', id: 1, status: 200, headers: '', streamed: false } as const;
    expect(decodeFromTab(encodeFrames({ ...head, body: 'über' }))).toEqual([{ ...head, body: encodeText('über') }]);
  });
});

/** Bytes of one message with this head and content. */
function forged(head: unknown, content?: Uint8Array, { lie = 0 } = {}): Uint8Array {
  const text = typeof head === 'string' ? encodeText(head) : encodeText(JSON.stringify(head));
  const all = new Uint8Array(8 + text.length + (content?.length ?? 0));
  const view = new DataView(all.buffer);
  view.setUint32(0, text.length + lie);
  view.setUint32(4, content?.length ?? 0xffff_ffff);
  all.set(text, 8);
  if (content) all.set(content, 8 + text.length);
  return all;
}

const request = { type: 'request', id: 1, realm: 'bridge', method: 'GET', path: '/', headers: '' };
const offer = {
  type: 'offer',
  cluster: 'demo',
  secret: 'x'.repeat(16),
  port: 0,
  certificate: '',
  key: '',
  clientAuthorities: '',
};
const head = { type: 'head', id: 1, status: 200, headers: '', streamed: false };
const some = new Uint8Array([1]);

describe('what is no message', () => {
  test.each<[string, Uint8Array]>([
    ['lengths cut off', new Uint8Array(7)],
    ['a head longer than what came', forged(request, undefined, { lie: 1 })],
    ['a head of four gigabytes', forged(request, undefined, { lie: 0xffff_0000 })],
    ['a head that is no JSON', forged('{')],
    ['a head that is no object', forged([request])],
    ['no type', forged({ id: 1 })],
    ['an inherited name as its type', forged({ type: 'constructor', id: 1 })],
    ['a type of the other side', forged({ type: 'end', id: 1 })],
    ['an id that is a text', forged({ ...request, id: '1' })],
    ['a negative id', forged({ ...request, id: -1 })],
    ['an id with a fraction', forged({ ...request, id: 1.5 })],
    ['a path without its slash', forged({ ...request, path: 'http://elsewhere/' })],
    ['a field that is missing', forged({ ...request, headers: undefined })],
    ['negative credit', forged({ type: 'credit', id: 1, bytes: -1 })],
    ['content where there can be none', forged({ type: 'abort', id: 1 }, some)],
    ['a stream frame of no kind', forged({ type: 'stream', id: 1, frame: { do: 'toString', stream: 1 } })],
    ['data without content', forged({ type: 'stream', id: 1, frame: { do: 'data', stream: 1 } })],
    ['a frame that is none', forged({ type: 'stream', id: 1, frame: null })],
    ['a port beyond the last', forged({ type: 'listening', port: 65_536 })],
  ])('to a tab: %s', (_, message) => {
    expect(() => decodeToTab(message)).toThrow(FrameError);
  });

  test.each<[string, Uint8Array]>([
    ['a status that no response has', forged({ ...head, status: 101 })],
    ['a status that is no number', forged({ ...head, status: '200' })],
    ['a chunk without content', forged({ type: 'chunk', id: 1 })],
    ['a switch to an unknown protocol', forged({ type: 'switched', id: 1, headers: '', speaks: 'smtp' })],
    ['an offer with a short secret', forged({ ...offer, secret: 'short' })],
    ['an offer of a port that is none', forged({ ...offer, port: 70_000 })],
    ['an offer without its key', forged({ ...offer, key: undefined })],
    ['a question', forged(request)],
  ])('to the server: %s', (_, message) => {
    expect(() => decodeFromTab(message)).toThrow(FrameError);
  });

  test('random bytes are refused, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (given) => {
        expect(() => decodeToTab(new Uint8Array(given))).toThrow(FrameError);
        expect(() => decodeFromTab(new Uint8Array(given))).toThrow(FrameError);
      }),
    );
  });

  test('a body that a head names by itself is none', () => {
    expect(decodeToTab(forged({ ...request, body: 'forged' }))).toEqual([request]);
  });
});
