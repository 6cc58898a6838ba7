import { getOwn, decodeText, encodeText, utf8Length } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { httpRequest, serveHttp, urlOf, type Answer, type Connection } from '../network/index.ts';
import type { Process, Program } from '../process.ts';
import { fail, out, readOptions } from '../tools/tool.ts';
import { untilStopped } from '../servers/server.ts';
import { staticFile, UNKNOWN_TYPE } from '../servers/static.ts';
import { log } from './log.ts';

export const serveHostname: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', ['tcp', 'udp', 'http', 'http=', 'close', 'port=']);
  const { network, hostname } = process.system;
  const port = Number(options.value('port') ?? 9376);
  const [tcp, udp] = [options.has('tcp'), options.has('udp')];
  if (tcp) {
    const listener = network.listen(
      port,
      ({ stream }) =>
        void stream
          .write(encodeText(hostname))
          .catch(() => undefined)
          .finally(() => stream.release()),
    );
    process.killed.addEventListener('abort', () => listener.close(), { once: true });
  }
  if (udp) {
    const socket = network.bind(
      port,
      ({ from }) =>
        void socket.send(encodeText(hostname), { host: from.address, port: from.port }).catch(() => undefined),
    );
    process.killed.addEventListener('abort', () => socket.close(), { once: true });
  }
  if (!tcp && !udp)
    serveHttp(process, port, async (_, { remote }) => {
      await log(process, `HTTP request from ${remote.address}:${remote.port}`);
      return { body: hostname, ...(options.has('close') ? { headers: { Connection: 'close' } } : {}) };
    });
  await log(process, `Serving on port ${port}.`);
  await untilStopped(process);
  await log(process, 'Shutting down after receiving signal: terminated.');
  await log(process, 'Awaiting pod deletion.');
  await process.sleep(60_000);
  return 0;
};

export const liveness: Program = async (process) => {
  const began = process.system.clock.now();
  serveHttp(process, 8080, (request) => {
    const url = urlOf(request);
    const seconds = (process.system.clock.now() - began) / 1000;
    if (url.pathname === '/started') return { body: `${seconds}s` };
    if (url.pathname === '/healthz') return seconds > 10 ? { status: 500, body: `error: ${seconds}` } : { body: 'ok' };
    if (url.pathname === '/redirect')
      return { status: 302, headers: { Location: decodeURIComponent(url.searchParams.get('loc') ?? '') } };
    return { status: 404, body: '404 page not found\n' };
  });
  return process.stay();
};

export const testWebserver: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', ['port=']);
  const error = (status: number): Answer => ({ status, body: status === 404 ? '404 page not found\n' : 'error\n' });
  serveHttp(process, Number(options.value('port') ?? 80), (request) => {
    const { pathname } = urlOf(request);
    const found = staticFile(process, '/', pathname, ['index.html'], error);
    if (found.status === 403 && process.files.isDirectory(pathname)) return listing(process, pathname);
    // If a file's name does not show its type, its content does.
    return found.headers?.['Content-Type'] === UNKNOWN_TYPE ? { ...found, headers: {} } : found;
  });
  return process.stay();
};

/** The names in a directory as links. */
function listing({ files }: Process, directory: string): Answer {
  const link = (name: string): string => {
    const shown = files.isDirectory(`${directory}${name}`) ? `${name}/` : name;
    return `<a href="${encodeURIComponent(name)}${shown.slice(name.length)}">${escaped(shown)}</a>\n`;
  };
  return {
    body: `<pre>\n${files.list(directory).map(link).join('')}</pre>\n`,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
  };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Counts who has written to it; what it has counted is read at `/read`. */
export const nettest: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', [
    'port=',
    'peers=',
    'service=',
    'namespace=',
    'delay-shutdown=',
  ]);
  const received = new Map<string, number>();
  const errors: string[] = [];
  const { hostname } = process.system;
  let quit: (code: number) => void = () => undefined;
  const quitting = new Promise<number>((resolve) => (quit = resolve));
  const routes: Readonly<Record<string, (body: string) => Answer>> = {
    '/read': () => ({
      body: JSON.stringify(
        {
          Hostname: hostname,
          Sent: null,
          Received: received.size > 0 ? Object.fromEntries(received) : null,
          Errors: errors.length > 0 ? errors : null,
          Log: null,
          StillContactingPeers: true,
        },
        undefined,
        '\t',
      ),
    }),
    '/write': (body) => {
      const source = sourceOf(body);
      if (source === '') errors.push(`${hostname}: Got request with no source`);
      else received.set(source, (received.get(source) ?? 0) + 1);
      return { body: `${JSON.stringify({ Hostname: hostname })}\n` };
    },
    '/status': () => ({ body: 'running' }),
    '/quit': () => (quit(0), {}),
  };
  serveHttp(
    process,
    Number(options.value('port') ?? 8080),
    (request) =>
      getOwn(routes, urlOf(request).pathname)?.(decodeText(request.body)) ?? {
        status: 404,
        body: '404 page not found\n',
      },
  );
  const stopped = untilStopped(process).then((code) =>
    process.sleep(Number(options.value('delay-shutdown') ?? 0) * 1000).then(() => code),
  );
  return Promise.race([stopped, process.wait(quitting)]);
};

function sourceOf(body: string): string {
  try {
    const { Source } = JSON.parse(body) as { Source?: unknown };
    return typeof Source === 'string' ? Source : '';
  } catch {
    return '';
  }
}

export const guestbook: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', ['http-port=', 'backend-port=', 'replicaof=']);
  const backend = options.value('backend-port') ?? '6379';
  const store = new Map<string, string>();
  const replicas: string[] = [];
  serveHttp(process, Number(options.value('http-port') ?? 80), (request) =>
    guestbookAnswer(process, urlOf(request), store, replicas, backend),
  );
  const primary = options.value('replicaof');
  if (primary) await register(process, primary, backend, store);
  return process.stay();
};

async function guestbookAnswer(
  process: Process,
  url: URL,
  store: Map<string, string>,
  replicas: string[],
  backend: string,
): Promise<Answer> {
  const [key, value, command] = [
    url.searchParams.get('key') ?? '',
    url.searchParams.get('value') ?? '',
    (url.searchParams.get('cmd') ?? '').toLowerCase(),
  ];
  await log(process, `GET ${url.pathname}${url.search}`);
  if (url.pathname === '/register') {
    replicas.push(url.searchParams.get('host') ?? '');
    return { body: JSON.stringify({ data: Object.fromEntries(store) }) };
  }
  if (url.pathname === '/get')
    return { body: JSON.stringify({ data: key === '' ? Object.fromEntries(store) : (store.get(key) ?? '') }) };
  if (url.pathname === '/set') return setEntry(process, store, replicas, backend, key, value);
  if (url.pathname !== '/guestbook') return { status: 404, body: '404 page not found\n' };
  if (command !== 'get' && command !== 'set') return { status: 400, body: `unsupported cmd: '${command}'\n` };
  const host = command === 'get' ? 'agnhost-replica' : 'agnhost-primary';
  const response = await dial(process, host, backend, `${command}?key=${key}&value=${value}`);
  return response === undefined ? { status: 417, body: 'encountered error\n' } : { body: response };
}

async function setEntry(
  process: Process,
  store: Map<string, string>,
  replicas: readonly string[],
  backend: string,
  key: string,
  value: string,
): Promise<Answer> {
  if (key === '') return { status: 400, body: 'cannot set with empty key.\n' };
  store.set(key, value);
  for (const replica of replicas)
    if ((await dial(process, replica, backend, `set?key=${key}&value=${value}`)) === undefined)
      return { status: 417, body: `encountered error while propagating to replica '${replica}'\n` };
  return { body: JSON.stringify({ message: 'Updated' }) };
}

async function register(process: Process, primary: string, backend: string, store: Map<string, string>): Promise<void> {
  for (let tries = 0; tries < 15; tries++) {
    const response = await dial(
      process,
      primary,
      backend,
      `register?host=${process.system.network.addresses[0] ?? ''}`,
    );
    if (response !== undefined) {
      const { data } = JSON.parse(response) as { data: Record<string, string> };
      for (const [key, value] of Object.entries(data)) store.set(key, value);
      return log(process, `Registered to node: ${primary}`);
    }
    await process.sleep(1000);
  }
}

async function dial(process: Process, host: string, port: string, request: string): Promise<string | undefined> {
  try {
    const { network, clock } = process.system;
    const response = await httpRequest(network, new URL(`http://${host}:${port}/${request}`), {
      clock,
      timeout: 5000,
      signal: process.killed,
    });
    return decodeText(response.body);
  } catch (problem) {
    if (problem instanceof SystemError) return undefined;
    throw problem;
  }
}

/** Serves on the ports that variables name: `SERVE_PORT_80=text`, `SERVE_TLS_PORT_443=text`, `SERVE_UDP_PORT_53=text`. */
export const porter: Program = async (process) => {
  const asJson = process.args.includes('--json-response');
  for (const [name, value] of process.env) {
    const [, kind = '', port = ''] = /^SERVE_(|TCP_|TLS_|UDP_|SCTP_)PORT_(\d+)$/.exec(name) ?? [];
    if (port === '') continue;
    if (kind === 'UDP_') {
      const socket = process.system.network.bind(
        Number(port),
        ({ from }) =>
          void socket.send(encodeText(value), { host: from.address, port: from.port }).catch(() => undefined),
      );
      continue;
    }
    if (kind === 'SCTP_') {
      serveSctp(process, Number(port), value);
      continue;
    }
    const file = process.env.get('CERT_FILE') ?? '/localhost.crt';
    const tls = kind === 'TLS_' ? { tls: { certificate: process.files.text(file) } } : {};
    const answer = (method: string): Answer =>
      asJson
        ? { body: JSON.stringify({ Method: method, Body: value }), headers: { 'Content-Type': 'application/json' } }
        : { body: value };
    serveHttp(process, Number(port), ({ method }) => answer(method), tls);
  }
  return process.stay();
};

/** Writes a text to everyone who connects. */
function serveSctp(process: Process, port: number, text: string): void {
  const greet = ({ stream }: Connection): void =>
    void stream
      .write(encodeText(text))
      .catch(() => undefined)
      .finally(() => stream.release());
  const listener = process.system.network.listen(port, greet, { protocol: 'SCTP' });
  process.killed.addEventListener('abort', () => listener.close(), { once: true });
}

/** The error in the data that a client sent, and its exit code. */
function refusalOf(sent: Uint8Array | undefined | null, expected: string): [message: string, code: number] | undefined {
  const wanted = utf8Length(expected);
  const got = (sent ?? new Uint8Array(0)).subarray(0, wanted);
  const problem = `err=${sent ? '<nil>' : 'EOF'}`;
  if (got.length !== wanted)
    return [`Expected to read ${wanted} bytes from client, but got ${got.length} instead. ${problem}`, 2];
  const text = decodeText(got);
  if (text === expected) return undefined;
  return [`Expect to read ${JSON.stringify(expected)}, but got ${JSON.stringify(text)}. ${problem}`, 3];
}

/** Accepts one connection, checks its input and answers in chunks. */
export const portForwardTester: Program = async (process) => {
  const number = (name: string): number => Number(process.env.get(name) ?? 0);
  const connection = await process.wait(
    new Promise<Parameters<Parameters<typeof process.system.network.listen>[1]>[0]>((resolve) => {
      const listener = process.system.network.listen(number('BIND_PORT'), (accepted) => {
        listener.close();
        resolve(accepted);
      });
    }),
  );
  await out(process, 'Accepted client connection\n');
  const expected = process.env.get('EXPECTED_CLIENT_DATA') ?? '';
  if (expected !== '') {
    const refusal = refusalOf(await connection.stream.read(process.killed), expected);
    if (refusal) {
      connection.stream.release();
      return fail(process, ...refusal);
    }
    await out(process, 'Received expected client data\n');
  }
  for (let i = 0; i < number('CHUNKS'); i++) {
    if (i > 0) await process.sleep(number('CHUNK_INTERVAL'));
    await connection.stream.write(encodeText('x'.repeat(Math.min(number('CHUNK_SIZE'), 65_536))), process.killed);
  }
  await out(process, 'Shutting down connection\n');
  connection.end();
  await process.sleep(500);
  connection.stream.release();
  await out(process, 'Done\n');
  return 0;
};
