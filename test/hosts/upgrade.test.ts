import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createListener, type Fetch } from '../../src/hosts/node/adapter.ts';
import { acceptUpgrades } from '../../src/hosts/node/upgrade.ts';
import { SwitchedResponse, type MessageSocket, type Session, type StreamSocket } from '../../src/std/index.ts';
import { connectSpdy } from './spdyClient.ts';

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function serving(handle: Fetch): Promise<string> {
  const server = createServer(createListener(handle));
  acceptUpgrades(server, handle);
  opened.push(() => (server.closeAllConnections(), server.close()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const switching =
  (session: Session, headers: Record<string, string> = {}): Fetch =>
  async () =>
    new SwitchedResponse(session, headers);

/** Sends each message back. */
async function echoMessages(socket: MessageSocket): Promise<void> {
  for (let message = await socket.receive(); message !== undefined; message = await socket.receive())
    await socket.send(message);
}

/** Sends back what comes on each stream, after the stream's type. */
async function echoStreams(socket: StreamSocket): Promise<void> {
  for (let stream = await socket.accept(); stream; stream = await socket.accept()) {
    await stream.write(Buffer.from(`${stream.headers.get('streamtype')}:`));
    for (let bytes = await stream.read(); bytes; bytes = await stream.read()) await stream.write(bytes);
    stream.end();
  }
}

const once = (socket: WebSocket, event: string): Promise<unknown[]> =>
  new Promise((resolve) => socket.once(event, (...values: unknown[]) => resolve(values)));

describe('a request for an upgrade', () => {
  test('to a WebSocket switches the connection, with the protocol that was agreed on', async () => {
    const url = await serving(
      switching({ speaks: 'websocket', serve: echoMessages }, { 'sec-websocket-protocol': 'b' }),
    );
    const socket = new WebSocket(url.replace('http', 'ws'), ['a', 'b']);
    opened.push(() => socket.terminate());
    await once(socket, 'open');
    expect(socket.protocol).toBe('b');
    for (const message of ['text', Buffer.from([0, 255])]) {
      socket.send(message);
      const [data, isBinary] = await once(socket, 'message');
      expect([Buffer.from(data as Buffer), isBinary]).toEqual([Buffer.from(message), typeof message !== 'string']);
    }
  });

  test('to SPDY serves the streams that the client opens, each with an end of its own', async () => {
    const url = await serving(switching({ speaks: 'spdy', serve: echoStreams }, { 'x-stream-protocol-version': 'v4' }));
    const client = await connectSpdy(url);
    opened.push(() => client.close());
    expect(client.headers).toMatchObject({ upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4' });
    for (const [id, type] of [
      [1, 'stdin'],
      [3, 'error'],
    ] as const) {
      client.open(id, { streamType: type });
      client.send(id, 'half ');
      client.send(id, 'done', true);
      expect(await client.text(id)).toBe(`${type}:half done`);
    }
    expect(client.controls).toEqual([2, 2]);
  });

  test('ends its session when the client is gone', async () => {
    let ended: ((value: unknown) => void) | undefined;
    const over = new Promise((resolve) => (ended = resolve));
    const serve = async (socket: StreamSocket): Promise<void> => {
      const stream = await socket.accept();
      ended?.([await stream?.read(), await socket.accept(), socket.closed.aborted]);
    };
    const client = await connectSpdy(await serving(switching({ speaks: 'spdy', serve })));
    client.open(1, {});
    client.close();
    expect(await over).toEqual([undefined, undefined, true]);
  });

  test('that is refused gets its answer as any other, and the connection ends', async () => {
    const url = await serving(async () => Response.json({ kind: 'Status', code: 403 }, { status: 403 }));
    await expect(connectSpdy(url)).rejects.toThrow('status 403');
  });

  test('from a page of another origin is refused before it reaches the cluster', async () => {
    const url = await serving(switching({ speaks: 'spdy', serve: echoStreams }));
    await expect(connectSpdy(url, { origin: 'https://elsewhere.example' })).rejects.toThrow('status 403');
  });

  test('to a protocol that is not spoken is answered as if it had not asked', async () => {
    const url = await serving(async (asked) => new Response(`${asked.method} ${await asked.text()}`));
    const text = await new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'content-length': '4' };
      const asked = request(`${url}/x`, { method: 'POST', headers }, (answer) => {
        let body = '';
        answer.on('data', (part) => (body += String(part)));
        answer.on('end', () => resolve(body));
      });
      asked.once('error', reject);
      asked.end('body');
    });
    expect(text).toBe('POST body');
  });
});
