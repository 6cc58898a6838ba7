/** The page that a server gives out, and who gets in to the cluster behind it. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { pageKey, servePage, type PageServer } from '../../src/hosts/node/page/server.ts';
import { fileOf } from '../../src/hosts/node/page/files.ts';
import { decodeToPage } from '../../src/hosts/served/frames.ts';
import type { FromPage, ServedCluster, ToPage } from '../../src/hosts/served/messages.ts';
import { newNonce, proofOf, type Meeting } from '../../src/hosts/served/proof.ts';
import { encodeFrames } from '../../src/hosts/wire/frames.ts';
import { decodeText } from '../../src/std/index.ts';

const KEY = pageKey('token');
const name = 'a"b<c';
const served: ServedCluster = { options: { name }, keptIn: 'memory', api: { url: 'http://127.0.0.1:1' } };

let cluster: Cluster;
let page: PageServer;
let directory: string;
let origin: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'page-'));
  await mkdir(join(directory, 'dist/assets'), { recursive: true });
  await writeFile(join(directory, 'secret'), 'not for the page');
  await writeFile(join(directory, 'dist/index.html'), '<!doctype html><html lang="en"><head></head></html>');
  await writeFile(join(directory, 'dist/.hidden'), 'not for the page');
  await writeFile(join(directory, 'dist/assets/a.js'), 'let a;');
  cluster = await createCluster({ name, apiserver: ['--authorization-mode=RBAC'] });
  page = await servePage(cluster, { port: 0, directory: join(directory, 'dist'), key: KEY, served });
  origin = new URL(page.link).origin;
});

afterAll(async () => {
  await page.close();
  await cluster.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

function get(path: string, { method = 'GET', headers = {} } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(origin, { path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('the files of the page', () => {
  test('the page says which cluster is behind it, and may run its own files alone', async () => {
    const { status, text, headers } = await get('/');
    expect(status).toBe(200);
    expect(text).toContain('<html data-served="a&quot;b&lt;c" lang="en">');
    expect(text).not.toContain(KEY);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });
    expect(headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
  });

  test('files are sent with their types', async () => {
    expect(await get('/assets/a.js?v=1')).toMatchObject({ status: 200, text: 'let a;' });
    expect((await get('/assets/a.js')).headers).toMatchObject({ 'content-type': 'text/javascript' });
  });

  test.each([
    ['/../secret', 404],
    ['/%2e%2e/secret', 404],
    ['/assets/..%2f..%2fsecret', 404],
    ['/assets/..%5c..%5csecret', 404],
    ['//etc/passwd', 404],
    ['/.hidden', 404],
    ['/assets', 404],
    ['/a%00', 404],
    ['/%zz', 400],
  ])('%s is refused with %i', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('not for the page');
  });

  test('nothing else is answered', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/', { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await get('/', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await get('/api/v1/secrets')).status).toBe(404);
  });

  test.each([
    ['/', 'index.html'],
    ['/a/./b', 'a/b'],
    ['/a/.b', undefined],
    ['/a//b', 'a/b'],
  ])('%s is the file %s', (target, file) => {
    expect(fileOf(target)).toBe(file);
  });
});

/** A page's WebSocket, and what the server says on it. */
class Tab {
  readonly #socket: WebSocket;
  readonly #heard: ToPage[] = [];
  #wake: () => void = () => undefined;
  closed = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#heard.push(...decodeToPage(data));
      this.#wake();
    });
    socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  say(message: FromPage): void {
    this.#socket.send(encodeFrames(message));
  }

  sayRaw(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** The next message; undefined when the server has ended the connection. */
  async hear(): Promise<ToPage | undefined> {
    while (this.#heard.length === 0 && !this.closed) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#heard.shift();
  }

  close(): void {
    this.#socket.terminate();
  }
}

/** Opens the WebSocket as a page of `from` does; the status where it is refused. */
function enter(from: string | undefined, path = '/served', host?: string): Promise<Tab | number> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, {
    ...(from !== undefined && { origin: from }),
    headers: host === undefined ? {} : { host },
  });
  return new Promise((resolve, reject) => {
    const tab = new Tab(socket);
    socket.once('open', () => resolve(tab));
    socket.once('unexpected-response', (sent, { statusCode = 0 }) => {
      sent.destroy();
      resolve(statusCode);
    });
    socket.once('error', reject);
  });
}

async function open(): Promise<Tab> {
  const tab = await enter(origin);
  if (typeof tab === 'number') throw new Error(`refused with ${tab}`);
  return tab;
}

async function opened(): Promise<Tab> {
  const tab = await open();
  tab.say({ type: 'enter', proof: await proofOf(KEY, 'page', await greeted(tab)) });
  expect(await tab.hear()).toEqual({ type: 'entered', served });
  return tab;
}

const port = (): number => Number(new URL(origin).port);

/** Says hello; the server proves its key first. */
async function greeted(tab: Tab): Promise<Meeting> {
  const nonce = newNonce();
  tab.say({ type: 'hello', nonce });
  const challenge = await tab.hear();
  if (challenge?.type !== 'challenge') throw new Error(`expected a challenge, got ${challenge?.type}`);
  const meeting = { page: nonce, server: challenge.nonce, port: port() };
  expect(challenge.proof).toBe(await proofOf(KEY, 'server', meeting));
  return meeting;
}

const question = (realm: 'api' | 'page' | 'host' | 'bridge' | 'tab', path: string, headers = '', method = 'GET') => ({
  type: 'request' as const,
  id: 1,
  realm,
  method,
  path,
  headers,
});

async function statusOf(tab: Tab, asked: ReturnType<typeof question>): Promise<unknown> {
  tab.say(asked);
  const answer = await tab.hear();
  return answer?.type === 'head' ? answer.status : answer;
}

describe('who gets in to the cluster', () => {
  test.each<[string, string | undefined, string, string | undefined]>([
    ['a page of another origin', 'http://evil.example', '/served', undefined],
    ['a page of another port', 'http://127.0.0.1:1', '/served', undefined],
    ['a program without an origin', undefined, '/served', undefined],
    ['another name for this machine', 'http://evil.example', '/served', 'evil.example'],
    ['another path', 'own', '/api/v1/pods/exec', undefined],
  ])('%s is refused', async (_, from, path, host) => {
    expect(await enter(from === 'own' ? origin : from, path, host)).toBe(403);
  });

  test.each<[string, (meeting: Meeting) => Promise<string>]>([
    ['of another key', (meeting) => proofOf(`${KEY}x`, 'page', meeting)],
    ['of another nonce', (meeting) => proofOf(KEY, 'page', { ...meeting, server: newNonce() })],
    ['for another port', (meeting) => proofOf(KEY, 'page', { ...meeting, port: 1 })],
    ['that the server gave', (meeting) => proofOf(KEY, 'server', meeting)],
    ['that is the key itself', () => Promise.resolve(KEY)],
  ])('a proof %s is refused, and the connection ends', async (_, proof) => {
    const tab = await open();
    tab.say({ type: 'enter', proof: await proof(await greeted(tab)) });
    expect(await tab.hear()).toEqual({ type: 'refused' });
    expect(await tab.hear()).toBeUndefined();
  });

  test('nothing that comes with a refused message is heard, not even the right proof', async () => {
    const tab = await open();
    const meeting = await greeted(tab);
    const right = { type: 'enter', proof: await proofOf(KEY, 'page', meeting) } as const;
    tab.sayRaw(Buffer.concat([encodeFrames({ ...right, proof: 'wrong' }), encodeFrames(right)]));
    expect(await tab.hear()).toEqual({ type: 'refused' });
    expect(await tab.hear()).toBeUndefined();
  });

  test('nothing is answered before the key', async () => {
    const tab = await open();
    tab.say(question('host', '/storage/export'));
    expect(await tab.hear()).toEqual({ type: 'refused' });
    expect(await tab.hear()).toBeUndefined();
  });

  test.each([
    ['a text', 'hello'],
    ['bytes that are no message', Buffer.from('hello')],
    ['a message of the other side', Buffer.from(encodeFrames({ type: 'refused' }))],
  ])('%s ends the connection', async (_, data) => {
    const tab = await opened();
    tab.sayRaw(data);
    expect(await tab.hear()).toBeUndefined();
  });

  test.each<FromPage>([
    { type: 'enter', proof: '' },
    { type: 'hello', nonce: '' },
  ])('a page that is in says no $type', async (message) => {
    const tab = await opened();
    tab.say(message);
    expect(await tab.hear()).toEqual({ type: 'refused' });
    expect(await tab.hear()).toBeUndefined();
  });

  test('the page itself is the administrator; what it asks for others has the rights of its credentials', async () => {
    const tab = await opened();
    expect(await statusOf(tab, question('page', '/api/v1/secrets'))).toBe(200);
    expect(await statusOf(tab, question('page', '/api/v1/secrets', 'authorization\nBearer wrong'))).toBe(401);
    expect(await statusOf(tab, question('api', '/api/v1/secrets'))).toBe(403);
    expect(await statusOf(tab, question('api', '/api/v1/secrets', 'x-vitrine-client-certificates\nAA=='))).toBe(403);
    tab.close();
  });

  test.each(['bridge', 'tab'] as const)('the realm %s is not for pages', async (realm) => {
    const tab = await opened();
    expect(await statusOf(tab, question(realm, '/api/v1/secrets'))).toMatchObject({ type: 'failed' });
    tab.close();
  });

  test('the host answers, too: its clock, and a trace that goes on', async () => {
    const tab = await opened();
    expect(await statusOf(tab, question('host', '/clock'))).toBe(200);
    expect(await statusOf(tab, { ...question('host', '/trace?topics=request'), id: 2 })).toBe(200);
    tab.say({ ...question('page', '/api/v1/nodes'), id: 3 });
    const texts: string[] = [];
    while (!texts.join('').includes('"/api/v1/nodes"')) {
      const message = await tab.hear();
      if (message?.type === 'chunk') texts.push(decodeText(message.data));
    }
    tab.close();
  });
});

test('the key of a server stays with its administrator’s token, and is not that token', () => {
  expect(pageKey('token')).toBe(KEY);
  expect(KEY).not.toContain('token');
  expect(pageKey('other')).not.toBe(KEY);
  expect(pageKey(undefined)).not.toBe(pageKey(undefined));
});
