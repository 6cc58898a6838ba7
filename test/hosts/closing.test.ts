/** Servers end when they are told to, whatever their clients do. */
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeServer, listenAt, serverOver } from '../../src/hosts/node/listening.ts';
import { acceptPages } from '../../src/hosts/node/page/entrance.ts';

/** A client that keeps its side of the connection open, and what it was answered. */
function stubborn(port: number, path: string, headers: readonly string[]): Promise<{ socket: Socket; said: string }> {
  const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', ...headers];
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.once('data', (data: Buffer) => resolve({ socket, said: data.toString() }));
    socket.once('error', reject);
  });
}

const websocket = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
const served = { options: { name: 'demo' }, keptIn: 'memory', api: { url: 'http://127.0.0.1:1' } } as const;

function pageServer(): Server {
  const server = createServer();
  acceptPages(server, { key: 'key', served, handle: () => Promise.resolve(new Response()) });
  return server;
}

const api = (): Server => serverOver(() => Promise.resolve(new Response('no', { status: 403 })));

test.each<[string, () => Server, string, readonly string[], RegExp]>([
  ['the page’s server, after a refusal', pageServer, '/served', websocket, /^HTTP\/1.1 403/],
  ['the API’s server, after a refusal', api, '/exec', websocket, /^HTTP\/1.1 403/],
  ['the API’s server, with an upgrade that it doesn’t know', api, '/a', ['Upgrade: h2c'], /^HTTP\/1.1 403/],
])('%s', async (_, make, path, headers, expected) => {
  const server = make();
  const { port } = await listenAt(server, 0, '127.0.0.1');
  const { socket, said } = await stubborn(port, path, headers);
  expect(said).toMatch(expected);
  await closeServer(server);
  socket.destroy();
});

test('a page’s connection that is in use', async () => {
  const server = pageServer();
  const { port } = await listenAt(server, 0, '127.0.0.1');
  const { socket, said } = await stubborn(port, '/served', [...websocket, `Origin: http://127.0.0.1:${port}`]);
  expect(said).toMatch(/^HTTP\/1.1 101/);
  await closeServer(server);
  socket.destroy();
});
