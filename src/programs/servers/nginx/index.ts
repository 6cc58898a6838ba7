import { SystemError } from '../../errors.ts';
import { baseName, directoryName, joinPath } from '../../files/index.ts';
import { httpRequest, reasonOf, serveHttp, urlOf, type Answer, type HttpRequest } from '../../network/index.ts';
import type { Process, Program } from '../../process.ts';
import { globPaths } from '../../shell/glob.ts';
import { out, readOptions } from '../../tools/tool.ts';
import { compilePattern } from '../../tools/regex.ts';
import { getOwn, encodeText, Recent } from '../../../std/index.ts';
import { formatDate } from '../../tools/date.ts';
import { staticFile } from '../static.ts';
import { ConfigurationError, parseConfiguration, type Directive } from './configuration.ts';

const VERSION = 'nginx/1.19.6';
const CONFIGURATION = '/etc/nginx/nginx.conf';

/** A web server whose configuration sets ports, roots, answers and backends. */
export const nginx: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'tTvVq', 'gcspe');
  if (options.has('v', 'V')) return notice(process, `nginx version: ${VERSION}`, 0);
  const path = options.value('c') ?? CONFIGURATION;
  try {
    let servers = serversOf(process, path);
    if (options.has('t', 'T')) return await notice(process, `nginx: configuration file ${path} test is successful`, 0);
    listen(process, () => servers);
    await notice(process, '/docker-entrypoint.sh: Configuration complete; ready for start up', 0);
    process.on('HUP', () => void (servers = serversOf(process, path)));
    return await process.stay();
  } catch (problem) {
    if (problem instanceof ConfigurationError)
      return notice(process, `nginx: [emerg] ${problem.message} in ${path}`, 1);
    if (problem instanceof SystemError && problem.code === 'EADDRINUSE')
      return notice(process, 'nginx: [emerg] bind() failed (98: Address already in use)', 1);
    if (problem instanceof SystemError)
      return notice(process, `nginx: [emerg] open() "${problem.path ?? path}" failed (${problem.message})`, 1);
    throw problem;
  }
};

async function notice(process: Process, text: string, code: number): Promise<number> {
  await process.stderr.write(encodeText(`${text}\n`));
  return code;
}

interface Server {
  readonly ports: readonly { readonly port: number; readonly tls: boolean }[];
  readonly names: readonly string[];
  readonly directives: readonly Directive[];
  readonly upstreams: ReadonlyMap<string, readonly string[]>;
}

const all = (directives: readonly Directive[], name: string): Directive[] =>
  directives.filter((directive) => directive.name === name);
const first = (directives: readonly Directive[], name: string): string | undefined => all(directives, name)[0]?.args[0];

/** Most servers have one of a few configurations, and those with the same one share what it says. */
const known = new Recent<string, readonly Server[]>(50);

function serversOf(process: Process, path: string): readonly Server[] {
  const texts: string[] = [];
  const directives = load(process, path, 0, texts);
  const key = JSON.stringify(texts);
  return known.get(key) ?? known.set(key, serversIn(directives));
}

function serversIn(directives: readonly Directive[]): readonly Server[] {
  const http = all(directives, 'http').flatMap(({ block }) => block ?? []);
  const upstreams = new Map(
    all(http, 'upstream').map(({ args, block }) => [
      args[0] ?? '',
      all(block ?? [], 'server').map((server) => server.args[0] ?? ''),
    ]),
  );
  const inherited = http.filter(({ name }) => name === 'root' || name === 'index');
  return all(http, 'server').map(({ block = [] }) => ({
    ports: portsOf(block),
    names: all(block, 'server_name').flatMap(({ args }) => args),
    directives: [...block, ...inherited],
    upstreams,
  }));
}

/** A file with those that it includes; their paths and texts are added to `texts`. */
function load(process: Process, path: string, depth: number, texts: string[]): Directive[] {
  if (depth > 10) throw new ConfigurationError('includes are nested too deeply');
  const resolve = (directives: readonly Directive[]): Directive[] =>
    directives.flatMap((directive) => {
      // What includes nothing stays as it was read: most servers have the same configuration, and share it.
      if (!includes(directive)) return directive;
      if (directive.name !== 'include') return { ...directive, block: resolve(directive.block ?? []) };
      const target = directive.args[0] ?? '';
      const files = globPaths(process.files, target.startsWith('/') ? target : joinPath(directoryName(path), target));
      return files
        .filter((file) => baseName(file) !== 'mime.types')
        .flatMap((file) => load(process, file, depth + 1, texts));
    });
  const text = process.files.text(path);
  texts.push(path, text);
  return resolve(parseConfiguration(text));
}

/** Whether a directive is an include, or has one in its block. */
const includes = ({ name, block = [] }: Directive): boolean => name === 'include' || block.some(includes);

function portsOf(block: readonly Directive[]): { port: number; tls: boolean }[] {
  const listens = all(block, 'listen');
  const given = listens
    .filter(({ args }) => !args[0]?.startsWith('['))
    .map(({ args }) => ({ port: Number(/(?<!\d)(\d+)$/.exec(args[0] ?? '')?.[1] ?? 80), tls: args.includes('ssl') }));
  return listens.length > 0 ? given : [{ port: 80, tls: false }];
}

function listen(process: Process, servers: () => readonly Server[]): void {
  const ports = new Map(
    servers().flatMap((server) => server.ports.map(({ port, tls }) => [port, { tls, server }] as const)),
  );
  for (const [port, { tls, server }] of ports) {
    const certificate = tls
      ? process.files.text(first(server.directives, 'ssl_certificate') ?? '/etc/nginx/cert.pem')
      : '';
    serveHttp(
      process,
      port,
      (request, connection) => answer(process, servers(), port, request, connection.remote.address),
      tls ? { tls: { certificate } } : undefined,
    );
  }
}

async function answer(
  process: Process,
  servers: readonly Server[],
  port: number,
  request: HttpRequest,
  client: string,
): Promise<Answer> {
  const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '');
  const here = servers.filter((server) => server.ports.some((p) => p.port === port));
  const server = here.find(({ names }) => names.includes(host)) ?? here[0];
  const found = server ? await respond(process, server, request) : errorPage(404);
  const { status = 200, body = '' } = found;
  const agent = request.headers.get('user-agent') ?? '-';
  await out(
    process,
    `${client} - - [${formatDate('%d/%b/%Y:%T +0000', process.system.clock.now())}] "${request.method} ${request.target} HTTP/${request.version}" ${status} ${body.length} "-" "${agent}" "-"\n`,
  );
  return { ...found, headers: { Server: VERSION, ...found.headers } };
}

const errorPage = (status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: `<html>\r\n<head><title>${status} ${reasonOf(status)}</title></head>\r\n<body>\r\n<center><h1>${status} ${reasonOf(status)}</h1></center>\r\n<hr><center>${VERSION}</center>\r\n</body>\r\n</html>\r\n`,
});

async function respond(process: Process, server: Server, request: HttpRequest): Promise<Answer> {
  const { pathname } = urlOf(request);
  const location = locationOf(server.directives, pathname);
  const own = [...(location?.block ?? []), ...server.directives.filter(({ name }) => name !== 'location')];
  const added = Object.fromEntries(
    all(own, 'add_header').map(({ args: [name = '', value = ''] }) => [name, fill(value, request, process)]),
  );
  const returned = all(location?.block ?? [], 'return')[0] ?? all(server.directives, 'return')[0];
  const found = returned
    ? returnAnswer(returned, request, process)
    : await contentOf(process, server, own, location, request, pathname);
  const type = first(own, 'default_type');
  return { ...found, headers: { ...(returned && type ? { 'Content-Type': type } : {}), ...found.headers, ...added } };
}

function locationOf(directives: readonly Directive[], path: string): Directive | undefined {
  const locations = all(directives, 'location').map((directive) => ({
    directive,
    kind: directive.args.length > 1 ? (directive.args[0] ?? '') : '',
    text: directive.args[directive.args.length - 1] ?? '/',
  }));
  const exact = locations.find(({ kind, text }) => kind === '=' && text === path);
  if (exact) return exact.directive;
  const prefixes = locations
    .filter(({ kind, text }) => (kind === '' || kind === '^~') && path.startsWith(text))
    .sort((a, b) => b.text.length - a.text.length);
  if (prefixes[0]?.kind === '^~') return prefixes[0].directive;
  const regular = locations.find(
    ({ kind, text }) =>
      kind.startsWith('~') && compilePattern(text, { extended: true, ignoreCase: kind === '~*' }).test(path),
  );
  return (regular ?? prefixes[0])?.directive;
}

/** Puts in the variables of nginx. */
function fill(text: string, request: HttpRequest, process: Process): string {
  const url = urlOf(request);
  const values: Readonly<Record<string, string>> = {
    host: (request.headers.get('host') ?? '').replace(/:\d+$/, ''),
    hostname: process.system.hostname,
    uri: url.pathname,
    request_uri: request.target,
    args: url.search.slice(1),
    request_method: request.method,
    scheme: 'http',
    http_host: request.headers.get('host') ?? '',
    server_addr: process.system.network.addresses[0] ?? '',
    nginx_version: VERSION.slice(6),
  };
  return text.replace(
    /\$\{?(\w+)\}?/g,
    (whole, name: string) =>
      getOwn(values, name) ??
      (name.startsWith('http_')
        ? (request.headers.get(name.slice(5).replaceAll('_', '-')) ?? '')
        : name.startsWith('arg_')
          ? (url.searchParams.get(name.slice(4)) ?? '')
          : whole),
  );
}

function returnAnswer({ args: [code = '200', text = ''] }: Directive, request: HttpRequest, process: Process): Answer {
  const status = /^\d+$/.test(code) ? Number(code) : 302;
  const filled = fill(status === 302 && !/^\d+$/.test(code) ? code : text, request, process);
  if (status >= 301 && status <= 308)
    return { ...errorPage(status), headers: { Location: filled, 'Content-Type': 'text/html' } };
  return filled === '' && status >= 400
    ? errorPage(status)
    : { status, body: filled, headers: { 'Content-Type': 'text/plain' } };
}

async function contentOf(
  process: Process,
  server: Server,
  own: readonly Directive[],
  location: Directive | undefined,
  request: HttpRequest,
  path: string,
): Promise<Answer> {
  const target = first(location?.block ?? [], 'proxy_pass');
  if (target !== undefined) return proxy(process, server, own, location, fill(target, request, process), request);
  if (all(own, 'stub_status').length > 0) return { body: 'Active connections: 1 \n' };
  const root = first(own, 'root') ?? '/etc/nginx/html';
  const index = all(own, 'index')[0]?.args ?? ['index.html'];
  const alias = first(location?.block ?? [], 'alias');
  const prefix = location?.args[location.args.length - 1] ?? '/';
  const [base, wanted] = alias === undefined ? [root, path] : [alias, `/${path.slice(prefix.length)}`];
  const tries = all(own, 'try_files')[0]?.args ?? [];
  for (const candidate of tries.slice(0, -1).map((text) => text.replaceAll('$uri', wanted)))
    if (process.files.look(base + candidate)) return staticFile(process, base, candidate, index, errorPage);
  const last = tries[tries.length - 1];
  if (last?.startsWith('=')) return errorPage(Number(last.slice(1)));
  return staticFile(process, base, last === undefined ? wanted : last.replaceAll('$uri', wanted), index, errorPage);
}

async function proxy(
  process: Process,
  { upstreams }: Server,
  own: readonly Directive[],
  location: Directive | undefined,
  target: string,
  request: HttpRequest,
): Promise<Answer> {
  const url = new URL(target);
  const backend = upstreams.get(url.hostname)?.[0];
  if (backend !== undefined) url.host = backend;
  const hasPath = /^\w+:\/\/[^/]+\//.test(target);
  const prefix = location?.args[location.args.length - 1] ?? '/';
  const wanted = new URL(hasPath ? url.pathname + request.target.slice(prefix.length) : request.target, url);
  const set = Object.fromEntries(
    all(own, 'proxy_set_header').map(({ args: [name = '', value = ''] }) => [name, fill(value, request, process)]),
  );
  try {
    const response = await httpRequest(process.system.network, wanted, {
      ...{ method: request.method, headers: set, clock: process.system.clock, signal: process.killed, timeout: 60_000 },
      ...(request.body.length > 0 ? { body: request.body } : {}),
    });
    const kept = [...response.headers].filter(
      ([name]) => !/^(connection|transfer-encoding|content-length|date|server)$/.test(name),
    );
    return { status: response.status, body: response.body, headers: Object.fromEntries(kept) };
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await process.stderr.write(
      encodeText(
        `[error] connect() failed (${problem.message}) while connecting to upstream, upstream: "${wanted.href}"\n`,
      ),
    );
    return errorPage(problem.code === 'ETIMEDOUT' ? 504 : 502);
  }
}
