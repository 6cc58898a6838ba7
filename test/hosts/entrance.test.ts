import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acceptPages } from '../../src/hosts/node/page/entrance.ts';
import { decodeToPage } from '../../src/hosts/served/frames.ts';
import { SERVED_PATH, type FromPage, type ToPage } from '../../src/hosts/served/messages.ts';
import { newNonce, proofOf } from '../../src/hosts/served/proof.ts';
import { encodeFrames } from '../../src/hosts/wire/frames.ts';
import { manualClock } from '../../src/std/index.ts';

const KEY = 'key';
const SECONDS = 10_000;

const clock = manualClock();
let server: Server;
let dismiss: () => void;
let socket: WebSocket;
let port: number;

beforeEach(async () => {
  const served = { options: { name: 'a' }, keptIn: 'memory', api: { url: 'http://127.0.0.1:1' } } as const;
  server = createServer();
  dismiss = acceptPages(server, { key: KEY, served, handle: () => Promise.resolve(new Response()) }, clock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  socket = new WebSocket(`ws://127.0.0.1:${port}/${SERVED_PATH}`, { origin: `http://127.0.0.1:${port}` });
  await once(socket, 'open');
});

afterEach(async () => {
  dismiss();
  server.close();
  await once(server, 'close');
});

async function answerTo(message: FromPage): Promise<ToPage | undefined> {
  const answered = once(socket, 'message');
  socket.send(encodeFrames(message));
  const [data] = (await answered) as [Buffer];
  return decodeToPage(data)[0];
}

test('a page that has not proved its key after ten seconds is let go', async () => {
  const closed = once(socket, 'close');
  expect(await answerTo({ type: 'hello', nonce: newNonce() })).toMatchObject({ type: 'challenge' });
  await clock.step(SECONDS - 1);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  await clock.step(1);
  await closed;
});

test('one that has proved it stays', async () => {
  const nonce = newNonce();
  const challenge = await answerTo({ type: 'hello', nonce });
  if (challenge?.type !== 'challenge') throw new Error('expected a challenge');
  const proof = await proofOf(KEY, 'page', { page: nonce, server: challenge.nonce, port });
  expect(await answerTo({ type: 'enter', proof })).toMatchObject({ type: 'entered' });
  await clock.step(10 * SECONDS);
  // What is answered after that shows that the connection is there.
  const question = { type: 'request', id: 1, realm: 'api', method: 'GET' } as const;
  expect(await answerTo({ ...question, path: '/', headers: '' })).toMatchObject({ type: 'head', status: 200 });
});
