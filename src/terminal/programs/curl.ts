/** `curl` that reaches the API server, as whoever the page acts as. */
import {
  fail,
  out,
  readAll,
  readOptions,
  SystemError,
  type Options,
  type Process,
  type Program,
} from '../../programs/index.ts';
import { abortSignalOf, decodeText, encodeText } from '../../std/index.ts';
import type { Tools } from './tools.ts';

const FLAGS = 'sSikvLfgIN';
const VALUED = 'XHdouATw';
const LONG = [
  ...['silent', 'show-error', 'include', 'insecure', 'verbose', 'location', 'fail', 'head', 'no-buffer', 'compressed'],
  ...[
    'request=',
    'header=',
    'data=',
    'data-raw=',
    'data-binary=',
    'output=',
    'user-agent=',
    'cacert=',
    'cert=',
    'key=',
    'json=',
    'write-out=',
  ],
];
const HTTP_ERROR = 22;
const NO_HOST = 6;

/** The host names by which the server of the cluster is known; any other can't be reached from here. */
const SERVERS = /^https?:\/\/(?:localhost|127\.0\.0\.1|kubernetes|cluster|apiserver)(?:[.\w-]*)(?::\d+)?(?=\/|$)/;

export const curl =
  ({ transport }: Tools): Program =>
  async (process) => {
    const options = readOptions(process.args.slice(1), FLAGS, VALUED, LONG);
    if (options.unknown) return fail(process, `option ${options.unknown}: is unknown`, 2);
    const [url] = options.rest;
    if (url === undefined) return fail(process, "no URL specified; try 'curl /api/v1/namespaces'", 2);
    const path = url.replace(SERVERS, '') || '/';
    if (!path.startsWith('/')) return fail(process, `(${NO_HOST}) only the API server can be reached: ${url}`, NO_HOST);
    try {
      const init = await initOf(process, options);
      const response = await process.wait(transport()(path, init));
      return await show(process, options, response);
    } catch (problem) {
      if (problem instanceof SystemError) return fail(process, `${problem.path ?? ''}: ${problem.message}`);
      if (problem instanceof TypeError) return fail(process, problem.message, 7);
      throw problem;
    }
  };

async function initOf(process: Process, options: Options): Promise<RequestInit> {
  const headers = new Headers({ accept: '*/*', 'user-agent': options.value('A', 'user-agent') ?? 'curl/7.74.0' });
  const json = options.value('json');
  if (json !== undefined) headers.set('content-type', 'application/json');
  for (const header of options.values('H', 'header')) {
    const colon = header.indexOf(':');
    if (colon > 0) headers.append(header.slice(0, colon).trim(), header.slice(colon + 1).trim());
  }
  const parts = options.values('d', 'data', 'data-raw', 'data-binary', 'json');
  const body =
    parts.length === 0 ? undefined : (await Promise.all(parts.map((part) => textOf(process, part)))).join('&');
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const method =
    options.value('X', 'request') ?? (options.has('I', 'head') ? 'HEAD' : body === undefined ? 'GET' : 'POST');
  return { method, headers, signal: abortSignalOf(process.killed), ...(body !== undefined && { body }) };
}

/** `@FILE` is what the file holds, `@-` what is piped in. */
async function textOf(process: Process, part: string): Promise<string> {
  if (!part.startsWith('@')) return part;
  return part === '@-' ? decodeText(await readAll(process.stdin)) : process.files.text(part.slice(1));
}

async function show(process: Process, options: Options, response: Response): Promise<number> {
  if (options.has('f', 'fail') && response.status >= 400)
    return fail(process, `(${HTTP_ERROR}) The requested URL returned error: ${response.status}`, HTTP_ERROR);
  const file = options.value('o', 'output');
  const head = [`HTTP/1.1 ${response.status} ${response.statusText}`.trimEnd(), ...headerLines(response), '', ''].join(
    '\n',
  );
  if (options.has('i', 'include', 'I', 'head')) await out(process, head);
  if (options.has('v', 'verbose')) await process.stderr.write(encodeText(head.replaceAll(/^/gm, '< ')));
  if (file === undefined) await copy(process, response);
  else process.files.write(file, new Uint8Array(await process.wait(response.arrayBuffer())));
  await out(process, writtenOut(options.value('w', 'write-out') ?? '', response));
  return 0;
}

/** The text of `-w`: what it may say of an answer, and escapes for the ends of lines. */
function writtenOut(format: string, { status, headers }: Response): string {
  const values = new Map([
    ['http_code', String(status).padStart(3, '0')],
    ['response_code', String(status).padStart(3, '0')],
    ['content_type', headers.get('content-type') ?? ''],
  ]);
  const escapes = new Map([
    ['n', '\n'],
    ['t', '\t'],
    ['r', '\r'],
  ]);
  return format.replace(/%\{(\w+)\}|\\(.)|%%/g, (all, name?: string, letter?: string) => {
    if (name !== undefined) return values.get(name) ?? '';
    return letter === undefined ? '%' : (escapes.get(letter) ?? all);
  });
}

const headerLines = ({ headers }: Response): string[] => [...headers].map(([name, value]) => `${name}: ${value}`);

/** A body as it comes: that of a watch has no end. */
async function copy(process: Process, response: Response): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  for (;;) {
    const { value, done } = await process.wait(reader.read());
    if (done) return;
    await out(process, value);
  }
}
