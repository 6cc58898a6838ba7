import { describe, expect, test } from 'vitest';
import { decodeMessage, encodeMessage, openChannels, type Encoding } from '../../src/apiserver/streams/channels.ts';
import { terminalSizes } from '../../src/apiserver/streams/terminalSizes.ts';
import { upgradeOf } from '../../src/apiserver/streams/asksUpgrade.ts';
import { agreeOn } from '../../src/apiserver/streams/upgrade.ts';
import { ChunkQueue, encodeText, type MessageSocket } from '../../src/std/index.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('messages of channels', () => {
  const written: [number, Uint8Array, Encoding, string | Uint8Array][] = [
    [0, bytes(), 'binary', bytes(0)],
    [1, bytes(104, 105), 'binary', bytes(1, 104, 105)],
    [3, bytes(255), 'binary', bytes(3, 255)],
    [1, bytes(), 'base64', '1'],
    [4, bytes(104, 105), 'base64', '4aGk='],
  ];
  test.each(written)('channel %i, %s as %s: %s', (channel, content, encoding, message) => {
    expect(encodeMessage(channel, content, encoding)).toEqual(message);
    expect(decodeMessage(message, encoding)).toEqual({ channel, bytes: content });
  });

  const read: [string | Uint8Array, Encoding, unknown][] = [
    ['', 'base64', undefined],
    [bytes(), 'binary', undefined],
    ['\u0001hi', 'binary', { channel: 1, bytes: encodeText('hi') }],
    ['0***', 'base64', undefined],
    ['x', 'base64', { channel: 72, bytes: bytes() }],
  ];
  test.each(read)('%j as %s is read as %j', (message, encoding, expected) => {
    expect(decodeMessage(message, encoding)).toEqual(expected);
  });

  test('are delivered to the readable channels, and come from the writable ones', async () => {
    const { socket, incoming, sent } = fakeSocket();
    const [input, output, unused] = openChannels(socket, 'binary', ['write', 'read', 'none']);
    for (const message of [bytes(2, 9), bytes(1, 9), bytes(7, 9), bytes(0, 65), bytes(0), bytes(0, 66)])
      incoming.push(message);
    expect([await input?.read(), await input?.read()]).toEqual([bytes(65), bytes(66)]);
    await input?.write(bytes(1));
    await unused?.write(bytes(1));
    await output?.write(bytes(67));
    expect(sent).toEqual([bytes(1, 67)]);
    incoming.close();
    expect(await input?.read()).toBeUndefined();
  });
});

function fakeSocket() {
  const incoming = new ChunkQueue<string | Uint8Array>();
  const sent: (string | Uint8Array)[] = [];
  const socket: MessageSocket = {
    closed: new AbortController().signal,
    receive: () => incoming.read(),
    send: async (message) => void sent.push(message),
    close: () => undefined,
  };
  return { socket, incoming, sent };
}

describe('sizes of a terminal', () => {
  const cases: [string, string[], unknown[]][] = [
    ['one', ['{"Width":80,"Height":24}'], [{ columns: 80, rows: 24 }]],
    [
      'several',
      ['{"Width":1,"Height":2}{"Width":3,"Height":4}\n'],
      [
        { columns: 1, rows: 2 },
        { columns: 3, rows: 4 },
      ],
    ],
    ['one in two parts', ['{"Width":80,"He', 'ight":24}'], [{ columns: 80, rows: 24 }]],
    ['none that is too large', ['{"Width":99999,"Height":24}'], []],
    ['none that is no number', ['{"Width":"80","Height":24}'], []],
    ['none in what is no JSON', ['}}}', '{"Width":80,"Height":24}'], [{ columns: 80, rows: 24 }]],
    ['no more after a text without an end', ['x'.repeat(2000), '{"Width":80,"Height":24}'], []],
  ];
  test.each(cases)('%s', async (_, parts, expected) => {
    const queue = new ChunkQueue<Uint8Array>();
    for (const part of parts) queue.push(encodeText(part));
    queue.close();
    const none = { write: () => Promise.resolve(), end: () => undefined, reset: () => undefined };
    const sizes: unknown[] = [];
    for await (const size of terminalSizes({ ...none, read: () => queue.read() })) sizes.push(size);
    expect(sizes).toEqual(expected);
  });
});

describe('an upgrade', () => {
  const request = (headers: Record<string, string>): Request => new Request('http://x/', { headers });

  const asked: [Record<string, string>, string | undefined][] = [
    [{}, undefined],
    [{ upgrade: 'websocket' }, undefined],
    [{ connection: 'keep-alive', upgrade: 'websocket' }, undefined],
    [{ connection: 'Upgrade', upgrade: 'websocket' }, 'websocket'],
    [{ connection: 'keep-alive, upgrade', upgrade: 'WebSocket' }, 'websocket'],
    [{ connection: 'Upgrade', upgrade: 'SPDY/3.1' }, 'spdy'],
    [{ connection: 'Upgrade', upgrade: 'SPDY/2' }, undefined],
    [{ connection: 'Upgrade', upgrade: 'h2c' }, undefined],
  ];
  test.each(asked)('%j asks for %s', (headers, upgrade) => {
    expect(upgradeOf(request(headers))).toBe(upgrade);
  });

  const spoken = ['v4.channel.k8s.io', 'channel.k8s.io'];
  const agreed: ['websocket' | 'spdy', Record<string, string>, string | number][] = [
    ['spdy', {}, ''],
    ['websocket', {}, ''],
    ['spdy', { 'x-stream-protocol-version': 'v5.channel.k8s.io, channel.k8s.io, v4.channel.k8s.io' }, 'channel.k8s.io'],
    ['websocket', { 'sec-websocket-protocol': 'v4.channel.k8s.io' }, 'v4.channel.k8s.io'],
    ['spdy', { 'x-stream-protocol-version': 'v9.channel.k8s.io' }, 403],
    ['websocket', { 'sec-websocket-protocol': 'v5.channel.k8s.io' }, 403],
  ];
  test.each(agreed)('over %s of a client that offers %j: %s', async (upgrade, headers, expected) => {
    const result = agreeOn(upgrade, request(headers), spoken);
    if (!('refusal' in result)) return expect(result.protocol).toBe(expected);
    expect(result.refusal.status).toBe(expected);
    expect(await result.refusal.text()).toBe(
      upgrade === 'websocket'
        ? ''
        : 'unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io], server accepts [v4.channel.k8s.io channel.k8s.io]\n',
    );
  });
});
