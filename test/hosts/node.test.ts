import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { withAdministrator } from '../../src/hosts/node/administrator.ts';
import type { Fetch } from '../../src/hosts/node/adapter.ts';
import { createListener, goneSignal } from '../../src/hosts/node/adapter.ts';
import { closeServer, listenAt, serverOver } from '../../src/hosts/node/listening.ts';
import { readArguments } from '../../src/hosts/node/arguments.ts';
import { WholeResponse } from '../../src/std/index.ts';

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** Serves `handle` on a free port of the loopback interface. */
async function serving(handle: Fetch): Promise<string> {
  const server = createServer(createListener(handle));
  opened.push(() => (server.closeAllConnections(), server.close()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

type Way = 'text' | 'json' | 'bytes' | 'arrayBuffer' | 'blob' | 'formData' | 'body' | 'clone';

/** A request's body as a text, read in one of the ways in which it can be. */
async function readAs(request: Request, way: Way): Promise<string> {
  if (way === 'clone') return request.text();
  if (way === 'body') return new Response(request.body).text();
  if (way === 'json') return JSON.stringify(await request.json());
  if (way === 'formData')
    return Array.from((await request.formData()).entries(), ([key, value]) => `${key}=${String(value)}`).join('&');
  const content = await request[way]();
  return typeof content === 'string' ? content : new Response(content).text();
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('a cluster over HTTP', () => {
  test('gets the request as it was sent, and its answer goes out', async () => {
    const url = await serving(async (request) => {
      const { pathname, search } = new URL(request.url);
      const seen = [request.method, pathname + search, request.headers.get('authorization'), await request.text()];
      return Response.json(seen, { status: 201, headers: { warning: '299 - "old"' } });
    });
    const answer = await fetch(`${url}/api/v1/namespaces/default/pods?dryRun=All`, {
      method: 'POST',
      headers: { authorization: 'Bearer t' },
      body: '{"kind":"Pod"}',
    });
    expect([answer.status, answer.headers.get('warning')]).toEqual([201, '299 - "old"']);
    expect(await answer.json()).toEqual([
      'POST',
      '/api/v1/namespaces/default/pods?dryRun=All',
      'Bearer t',
      '{"kind":"Pod"}',
    ]);
  });

  test('accepts a command of exec of 600 KB in the URL, and refuses more than 1 MB of URL and headers', async () => {
    const server = serverOver((request) => Promise.resolve(Response.json(request.url.length)));
    const { port } = await listenAt(server, 0, '127.0.0.1');
    opened.push(() => void closeServer(server));
    const ask = (length: number): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/exec?command=${'x'.repeat(length)}`);
    expect(await (await ask(600_000)).json()).toBeGreaterThan(600_000);
    expect((await ask(1_100_000)).status).toBe(431);
  });

  test.each(['text', 'json', 'bytes', 'arrayBuffer', 'blob', 'formData', 'body', 'clone'] as const)(
    'hands on a body whose length is told, read as %s, once',
    async (way) => {
      const url = await serving(async (request) => {
        const used = way === 'clone' ? await request.clone().text() : '';
        const text = await readAs(request, way);
        const again = await request.text().catch((error: unknown) => (error as Error).name);
        return Response.json([text, used, request.bodyUsed, again]);
      });
      const sent = way === 'json' ? '{"a":1}' : 'a=1';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(url, { method: 'POST', headers, body: sent });
      expect(await answer.json()).toEqual([sent, way === 'clone' ? sent : '', true, 'TypeError']);
    },
  );

  test('hands on a body whose length nobody knows', async () => {
    const url = await serving(async (request) => new Response((await request.text()) + request.signal.aborted));
    const body = new Blob(['ab']).stream();
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    expect(await (await fetch(url, init)).text()).toBe('abfalse');
  });

  test('tells whoever waits for a body that its client went away', async () => {
    let problem: unknown;
    const url = await serving(async (request) => {
      const text = request.text();
      socket.destroy();
      problem = await text.catch((error: unknown) => error);
      return new Response();
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nabc');
    await until(() => problem !== undefined);
    expect(problem).toBeInstanceOf(Error);
  });

  test('a signal that is asked for when its client is gone has aborted', async () => {
    const [going, gone] = [new Socket(), new Socket()];
    const [before, after] = [goneSignal(going), goneSignal(gone)];
    const signal = before();
    expect(signal.aborted).toBe(false);
    for (const socket of [going, gone]) await once(socket.destroy(), 'close');
    expect([signal.aborted, after().aborted, (signal.reason as Error).name]).toEqual([true, true, 'AbortError']);
  });

  test('says of an answer without a body what the answer says, and nothing of its own', async () => {
    const url = await serving(async () => new WholeResponse(null, { headers: { 'content-length': '7' } }));
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '7']);
  });

  test('streams a watch line by line, and hears when its client goes away', async () => {
    let watch: ReadableStreamDefaultController<Uint8Array> | undefined;
    let cancelled = false;
    let signal: AbortSignal | undefined;
    const url = await serving(async (request) => {
      signal = request.signal;
      const body = new ReadableStream<Uint8Array>({
        start: (c) => void (watch = c),
        cancel: () => void (cancelled = true),
      });
      return new Response(body, { headers: { 'transfer-encoding': 'chunked' } });
    });
    const abort = new AbortController();
    const reader = (await fetch(`${url}/watch`, { signal: abort.signal })).body?.getReader();
    for (const line of ['{"type":"ADDED"}\n', '{"type":"DELETED"}\n']) {
      watch?.enqueue(bytes(line));
      expect((await reader?.read())?.value).toEqual(bytes(line));
    }
    abort.abort();
    await until(() => cancelled && signal?.aborted === true);
  });

  test('breaks the connection when a body breaks off', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes('{')),
      pull: (controller) => controller.error(new Error('gone')),
    });
    const url = await serving(async () => new Response(body));
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  });

  test('is told of a body that nobody reads to its end', async () => {
    const url = await serving(async () => new Response('too large', { status: 413 }));
    const answer = await fetch(url, { method: 'POST', body: 'x'.repeat(5_000_000) });
    expect([answer.status, await answer.text()]).toEqual([413, 'too large']);
  });
});

describe('npm run serve', () => {
  const files = new Map([
    ['c.json', '{"naming":"k8s.io","nodes":3,"apiserver":["--v=2"]}'],
    ['c.yaml', 'naming: k8s.io\nnodes: 3\napiserver: ["--v=2"]\n'],
    ['without.yaml', 'addons: []\n'],
    ['list.yaml', '- a\n'],
    ['bad.yaml', 'a: [\n'],
    ['misspelt.yaml', 'nods: 3\n'],
    ['form.yaml', 'files: 3\n'],
    ['server.crt', 'the certificate'],
    ['named.yaml', 'files: {server.crt: of the config}\n'],
  ]);
  const read = (args: string): unknown =>
    readArguments(args.split(' ').filter(Boolean), (path) => files.get(path) ?? raise('ENOENT'));

  test.each([
    ['', { port: 8080, cluster: { name: 'serve', storage: 'memory' } }],
    ['--port 0 --nodes 2', { port: 0, cluster: { nodes: 2, addons: ['dns'] } }],
    ['--nodes 2 --addons none', { cluster: { nodes: 2, addons: [] } }],
    ['--config c.json --addons dns', { cluster: { nodes: 3, addons: ['dns'] } }],
    ['--config without.yaml --nodes 2', { cluster: { nodes: 2, addons: [] } }],
    ['--config c.json', { cluster: { naming: 'k8s.io', nodes: 3, apiserver: ['--v=2'] } }],
    ['--config c.yaml', { cluster: { naming: 'k8s.io', nodes: 3, apiserver: ['--v=2'] } }],
    ['--config c.json --naming cluster.io --nodes 0', { cluster: { naming: 'cluster.io', nodes: 0 } }],
  ])('%s', (args, wanted) => {
    expect(read(args)).toMatchObject(wanted);
  });

  test('a certificate is a file of the config, or else one of the machine', () => {
    const flag = '--tls-cert-file server.crt';
    expect(read(flag)).toMatchObject({ tls: true, cluster: { files: { 'server.crt': 'the certificate' } } });
    expect(read(`${flag} --config named.yaml`)).toMatchObject({
      cluster: { files: { 'server.crt': 'of the config' } },
    });
  });

  test('a certificate that is no file of the machine may be one that a data directory keeps', () => {
    const missing = (): never => {
      throw Object.assign(new Error('missing'), { code: 'ENOENT' });
    };
    const flags = ['--tls-cert-file', 'kept.crt'];
    expect(() => readArguments(flags, missing)).toThrow('--tls-cert-file kept.crt: missing');
    expect(readArguments([...flags, '--data-dir', 'd'], missing)).toMatchObject({ tls: true });
  });

  test('a cluster from a file has the addons that the file names, and without nodes there are none', () => {
    for (const args of ['--config c.json', '--nodes 0', '']) expect(read(args)).not.toHaveProperty('cluster.addons');
  });

  test.each([
    ['--naming x.io', '--naming: want cluster.io or k8s.io, got "x.io"'],
    ['--nodes many', '--nodes: want a whole number, got "many"'],
    ['--port 70000', '--port: want a port from 0 to 65535, got 70000'],
    ['--page-port 70000', '--page-port: want a port from 0 to 65535, got 70000'],
    ['--addons ingress', '--addons: want dns or none, got "ingress"'],
    ['--etcd-prefix other', '--etcd-prefix: needs --etcd-servers'],
    ['--data-dir d --etcd-servers http://127.0.0.1:2379', '--data-dir and --etcd-servers: give one of them'],
    ['--repair', '--repair: needs --data-dir'],
    ['--ca-file c', '--ca-file: needs --tls'],
    ['--tls-cert-file none.crt', '--tls-cert-file none.crt: ENOENT'],
    ['--frobnicate', 'Unknown option'],
    ['--config none.yaml', '--config none.yaml: ENOENT'],
    ['--config bad.yaml', '--config bad.yaml'],
    ['--config list.yaml', '--config list.yaml: want a map of options'],
    ['--config misspelt.yaml', '--config misspelt.yaml: nods: there is no such option; want one of name, naming'],
    ['--config form.yaml', '--config form.yaml: files: want texts by name, got 3'],
  ])('%s is refused', (args, message) => {
    expect(() => read(args)).toThrow(message);
  });
});

describe('an administrator for those who serve', () => {
  const token = (): string => 'secret';

  test('is made where the options name no tokens', () => {
    const { cluster, token: made } = withAdministrator({ name: 'c', apiserver: ['--v=2'], files: { a: 'b' } }, token);
    expect(made).toBe('secret');
    expect(cluster.apiserver).toEqual(['--v=2', '--token-auth-file=serve/administrator.csv']);
    expect(cluster.files).toEqual({ a: 'b', 'serve/administrator.csv': 'secret,admin,admin,system:masters\n' });
  });

  test('is not where they do', () => {
    const options = { name: 'c', apiserver: ['--token-auth-file=tokens.csv'] };
    expect(withAdministrator(options, token)).toEqual({ cluster: options });
  });
});

function raise(message: string): never {
  throw new Error(message);
}
