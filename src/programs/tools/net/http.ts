import { getOwn, encodeText } from '../../../std/index.ts';
import { CertificateError, Killed, SystemError } from '../../errors.ts';
import { HttpError, httpRequest, reasonOf, type HttpResponse } from '../../network/index.ts';
import { baseName } from '../../files/index.ts';
import type { Process, Program } from '../../process.ts';
import { fail, out, parseTime, readOptions, splitOnce, type Options } from '../tool.ts';

const MOST_REDIRECTS = 20;
const withScheme = (text: string): string => (/^\w+:\/\//.test(text) ? text : `http://${text}`);

/** An address argument; undefined if invalid. */
function urlFrom(text: string): URL | undefined {
  try {
    return new URL(withScheme(text));
  } catch {
    return undefined;
  }
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly timeout?: number;
  readonly follows: boolean;
  readonly onAddress?: (address: string) => void;
  readonly authorities?: string;
}

async function exchange(process: Process, url: URL, { follows, ...options }: Exchange): Promise<HttpResponse> {
  const { network, clock } = process.system;
  let target = url;
  for (let i = 0; ; i++) {
    const response = await httpRequest(network, target, { ...options, clock, signal: process.killed });
    const location = response.headers.get('location');
    if (!follows || location === undefined || response.status < 300 || response.status > 399 || i >= MOST_REDIRECTS)
      return response;
    target = new URL(location, target);
  }
}

const CURL_LONG = [
  'silent',
  'show-error',
  'fail',
  'location',
  'include',
  'head',
  'insecure',
  'verbose',
  'request=',
  'header=',
  'data=',
  'data-raw=',
  'data-binary=',
  'output=',
  'max-time=',
  'connect-timeout=',
  'write-out=',
  'user-agent=',
  'user=',
  'retry=',
  'resolve=',
  'cacert=',
  'compressed',
  'http1.1',
  'globoff',
  'no-progress-meter',
  'progress-bar',
  'get',
  'url=',
  'interface=',
  'noproxy=',
  'retry-delay=',
  'retry-connrefused',
];

export const curl: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'sSfLiIkvgG#4ONj', 'XHdomwAue', CURL_LONG);
  const urls = [...options.rest, ...options.values('url')];
  if (urls.length === 0) return fail(process, "try 'curl --help' for more information", 2);
  let code = 0;
  for (const text of urls) code = await curlOne(process, text, options);
  return code;
};

/** The certificates that curl trusts: none but those of a file, unless it was told not to look. */
function curlTrust(process: Process, options: Options): { readonly authorities?: string } {
  if (options.has('k', 'insecure')) return {};
  const file = options.value('cacert');
  return { authorities: file === undefined ? '' : process.files.text(file) };
}

async function curlOne(process: Process, text: string, options: Options): Promise<number> {
  const url = urlFrom(text);
  const quiet = options.has('s', 'silent') && !options.has('S', 'show-error');
  const complain = async (message: string, code: number): Promise<number> => {
    if (!quiet) await process.stderr.write(encodeText(`curl: (${code}) ${message}\n`));
    return code;
  };
  if (!url) return complain('URL using bad/illegal format or missing URL', 3);
  try {
    const response = await exchange(process, url, { ...curlExchange(options), ...curlTrust(process, options) });
    if (options.has('f', 'fail') && response.status >= 400) {
      await writeOut(process, options, response);
      return await complain(`The requested URL returned error: ${response.status} ${response.reason}`.trim(), 22);
    }
    await showResponse(process, options, response);
    await writeOut(process, options, response);
    return 0;
  } catch (problem) {
    const known = curlProblem(problem, url);
    await writeOut(process, options, undefined);
    return complain(known[0], known[1]);
  }
}

function curlExchange(options: Options): Exchange {
  const data = options.values('d', 'data', 'data-raw', 'data-binary').join('&');
  const hasBody = options.has('d', 'data', 'data-raw', 'data-binary');
  const given = options
    .values('H', 'header')
    .map((line) => splitOnce(line, ':'))
    .map(([name, value = '']) => [name, value.trim()] as const);
  const user = options.value('u', 'user');
  const headers = {
    'User-Agent': options.value('A', 'user-agent') ?? 'curl/7.69.1',
    Accept: '*/*',
    ...(hasBody ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
    ...(user === undefined ? {} : { Authorization: `Basic ${btoa(user)}` }),
    ...Object.fromEntries(given),
  };
  const seconds = options.value('m', 'max-time') ?? options.value('connect-timeout');
  const method = options.value('X', 'request') ?? (options.has('I', 'head') ? 'HEAD' : hasBody ? 'POST' : 'GET');
  const timeout = seconds === undefined ? 130_000 : (parseTime(seconds) ?? 0);
  return {
    method,
    headers,
    follows: options.has('L', 'location'),
    timeout,
    ...(hasBody ? { body: encodeText(data) } : {}),
  };
}

async function showResponse(process: Process, options: Options, response: HttpResponse): Promise<void> {
  const head = options.has('i', 'include', 'I', 'head') ? headText(response) : '';
  const path = options.value('o', 'output');
  if (path === undefined || path === '-') {
    await out(process, head);
    await out(process, response.body);
  } else if (path !== '/dev/null') process.files.write(path, response.body);
}

const headText = ({ status, headers }: HttpResponse): string =>
  `HTTP/1.1 ${status} ${reasonOf(status)}\r\n${Array.from(headers, ([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

async function writeOut(process: Process, options: Options, response: HttpResponse | undefined): Promise<void> {
  const format = options.value('w', 'write-out');
  if (format === undefined) return;
  const values: Readonly<Record<string, string>> = {
    http_code: String(response?.status ?? 0).padStart(3, '0'),
    response_code: String(response?.status ?? 0).padStart(3, '0'),
    size_download: String(response?.body.length ?? 0),
  };
  await out(
    process,
    format.replace(/%\{(\w+)\}/g, (_, name: string) => getOwn(values, name) ?? '').replaceAll('\\n', '\n'),
  );
}

function curlProblem(problem: unknown, url: URL): readonly [string, number] {
  const port = portOf(url);
  if (problem instanceof HttpError && problem.message.endsWith('HTTPS client'))
    return ['error:1408F10B:SSL routines:ssl3_get_record:wrong version number', 35];
  if (problem instanceof HttpError) return [`Received HTTP/0.9 when not allowed`, 1];
  if (problem instanceof Killed || !(problem instanceof SystemError)) throw problem;
  if (problem instanceof CertificateError) return [`SSL certificate problem: ${problem.message}`, 60];
  if (problem.code === 'ENOENT') return [`error setting certificate verify locations: ${problem.path ?? ''}`, 77];
  if (problem.code === 'ENOTFOUND') return [`Could not resolve host: ${url.hostname}`, 6];
  if (problem.code === 'ETIMEDOUT') return [`Connection timed out`, 28];
  if (problem.code === 'ECONNRESET' || problem.code === 'EPIPE') return ['Empty reply from server', 52];
  return [`Failed to connect to ${url.hostname} port ${port}: ${problem.message}`, 7];
}

const WGET_LONG = [
  'spider',
  'timeout=',
  'header=',
  'post-data=',
  'tries=',
  'quiet',
  'no-check-certificate',
  'output-document=',
  'server-response',
];

export const wget: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'qcSsP', 'OTtUY', WGET_LONG);
  const text = options.rest[0] ?? '';
  const url = urlFrom(text);
  if (!url) return fail(process, `bad address '${text}'`);
  const quiet = options.has('q', 'quiet');
  const say = (line: string): Promise<void> =>
    quiet ? Promise.resolve() : process.stderr.write(encodeText(`${line}\n`));
  let address = url.hostname;
  let told = Promise.resolve();
  const onAddress = (found: string): void => {
    address = found;
    told = say(`Connecting to ${url.host} (${found}:${portOf(url)})`);
  };
  try {
    const response = await exchange(process, url, { ...wgetExchange(options), onAddress });
    await told;
    if (response.status >= 400)
      return await fail(process, `server returned error: HTTP/1.1 ${response.status} ${reasonOf(response.status)}`);
    if (options.has('spider')) return 0;
    const path = options.value('O', 'output-document') ?? (baseName(url.pathname).replace(/^\/$/, '') || 'index.html');
    if (path === '-') await out(process, response.body);
    else process.files.write(path, response.body);
    await say(path === '-' ? 'writing to stdout' : `saving to '${path}'\n'${path}' saved`);
    return 0;
  } catch (problem) {
    await told;
    if (problem instanceof HttpError) return fail(process, 'error getting response');
    if (!(problem instanceof SystemError)) throw problem;
    if (problem.code === 'ENOTFOUND') return fail(process, `bad address '${url.host}'`);
    if (problem.code === 'ETIMEDOUT') return fail(process, 'download timed out');
    return fail(process, `can't connect to remote host (${address}): ${problem.message}`);
  }
};

function wgetExchange(options: Options): Exchange {
  const given = options
    .values('header')
    .map((line) => splitOnce(line, ':'))
    .map(([name, value = '']) => [name, value.trim()] as const);
  const body = options.value('post-data');
  const seconds = options.value('T', 'timeout');
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'User-Agent': 'Wget', ...Object.fromEntries(given) },
    timeout: seconds === undefined ? 900_000 : (parseTime(seconds) ?? 0),
    follows: true,
    ...(body === undefined ? {} : { body: encodeText(body) }),
  };
}
