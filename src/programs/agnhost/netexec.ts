import { getOwn, decodeText, encodeText } from '../../std/index.ts';
import { SystemError } from '../errors.ts';
import { httpRequest, serveHttp, urlOf, type Address, type Answer, type Connection } from '../network/index.ts';
import type { Process, Program } from '../process.ts';
import { pipe, readAll } from '../streams/index.ts';
import { parseDuration } from './duration.ts';
import { readOptions } from '../tools/tool.ts';
import { untilStopped } from '../servers/server.ts';
import { log } from './log.ts';

const FLAGS = [
  'http-port=',
  'udp-port=',
  'sctp-port=',
  'tls-cert-file=',
  'tls-private-key-file=',
  'http-override=',
  'udp-listen-addresses=',
];

type Route = (query: URLSearchParams, connection: Connection) => Answer | Promise<Answer>;

/** HTTP and UDP servers that tests of the network talk to, and have talk to each other. */
export const netexec: Program = async (process) => {
  const options = readOptions(process.args.slice(2), '', '', FLAGS);
  const [httpPort, udpPort] = [Number(options.value('http-port') ?? 8080), Number(options.value('udp-port') ?? 8081)];
  let exit: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => (exit = resolve));
  const server = { process, hasUdp: udpPort !== -1, exit };
  if (udpPort !== -1) serveUdp(process, udpPort);
  if (options.has('sctp-port')) serveLines(process, Number(options.value('sctp-port')));
  const certificate = options.value('tls-cert-file');
  const override = options.value('http-override');
  const tls = certificate === undefined ? {} : { tls: { certificate: process.files.text(certificate) } };
  await log(process, `Started HTTP server on port ${httpPort}`);
  serveHttp(
    process,
    httpPort,
    (request, connection) => {
      const url = override === undefined ? urlOf(request) : new URL(override, 'http://server');
      const params = new URLSearchParams(url.search);
      if (request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded'))
        for (const [key, value] of new URLSearchParams(decodeText(request.body))) params.append(key, value);
      return (getOwn(routes, url.pathname) ?? routes['/'])?.(server)(params, connection) ?? { status: 404 };
    },
    tls,
  );
  return Promise.race([untilStopped(process), process.wait(exited)]);
};

interface Server {
  readonly process: Process;
  readonly hasUdp: boolean;
  exit(code: number): void;
}

const routes: Readonly<Record<string, (server: Server) => Route>> = {
  '/':
    ({ process }) =>
    async () => {
      await log(process, 'GET /');
      return {
        body: `NOW: ${new Date(process.system.clock.now()).toISOString().replace('T', ' ').replace('Z', '000000 +0000 UTC')}`,
      };
    },
  '/clientip':
    ({ process }) =>
    async (_, { remote }) => {
      await log(process, 'GET /clientip');
      return { body: `${remote.address}:${remote.port}` };
    },
  '/hostname': ({ process }) => hostname(process, 'hostname'),
  '/hostName': ({ process }) => hostname(process, 'hostName'),
  '/healthz':
    ({ process, hasUdp }) =>
    async () => {
      await log(process, 'GET /healthz');
      return { status: hasUdp ? 200 : 412 };
    },
  '/echo':
    ({ process }) =>
    async (query) => {
      const [message, code] = [query.get('msg') ?? '', query.get('code') ?? ''];
      await log(process, `GET /echo?msg=${message}&code=${code}`);
      if (code !== '' && !/^-?\d+$/.test(code))
        return { body: `argument 'code' must be an integer or empty, got ${JSON.stringify(code)}\n` };
      return { body: message, ...(code === '' ? {} : { status: Number(code) }) };
    },
  '/redirect':
    ({ process }) =>
    async (query) => {
      const [location, code] = [query.get('location') ?? '', query.get('code') ?? ''];
      await log(process, `GET /redirect?location=${location}&code=${code}`);
      return { status: Number(code || 302), headers: { Location: location } };
    },
  '/exit':
    ({ process, exit }) =>
    async (query) => {
      await log(
        process,
        `GET /exit?code=${query.get('code') ?? ''}&timeout=${query.get('timeout') ?? ''}&wait=${query.get('wait') ?? ''}`,
      );
      await process.sleep(parseDuration(query.get('wait') ?? '') ?? 0);
      exit(Number(query.get('code') ?? 0));
      return {};
    },
  '/shutdown':
    ({ process, exit }) =>
    async () => {
      await log(process, 'GET /shutdown');
      exit(0);
      return {};
    },
  '/shell':
    ({ process }) =>
    (query) =>
      shell(process, query.get('shellCommand') || query.get('cmd') || ''),
  '/dial':
    ({ process }) =>
    (query) =>
      dial(process, query),
};

const hostname =
  (process: Process, name: string): Route =>
  async () => {
    await log(process, `GET /${name}`);
    return { body: process.system.hostname };
  };

async function shell(process: Process, command: string): Promise<Answer> {
  await log(process, `GET /shell?cmd=${command}`);
  const { input, output } = pipe();
  const child = process.spawn(['/bin/sh', '-c', command], {
    streams: new Map([
      [1, output],
      [2, output],
    ]),
  });
  output.release();
  const text = decodeText(await readAll(input, process.killed));
  const code = await process.wait(child.exit);
  return {
    body: JSON.stringify({
      ...(code === 0 ? {} : { error: `exit status ${code}` }),
      ...(text === '' ? {} : { output: text }),
    }),
  };
}

async function dial(process: Process, query: URLSearchParams): Promise<Answer> {
  const [host, port, request, protocol, tries] = ['host', 'port', 'request', 'protocol', 'tries'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string, string];
  await log(process, `GET /dial?host=${host}&protocol=${protocol}&port=${port}&request=${request}&tries=${tries}`);
  if (request === '') return { status: 400, body: 'request parameter not specified. <nil>\n' };
  const call = { '': dialHttp, http: dialHttp, udp: dialUdp }[protocol.toLowerCase()];
  if (!call) return { status: 400, body: `unsupported protocol. ${protocol}\n` };
  const [responses, errors]: [string[], string[]] = [[], []];
  let last = '';
  for (let i = 0; i < Math.min(Number(tries || 1), 1000); i++) {
    last = '';
    try {
      last = await call(process, host, Number(port), request);
      responses.push(last);
    } catch (problem) {
      if (!(problem instanceof SystemError)) throw problem;
      errors.push(problem.message.toLowerCase());
    }
  }
  return { body: JSON.stringify({ ...(errors.length > 0 ? { errors } : {}), ...(last === '' ? {} : { responses }) }) };
}

const DIAL_TIMEOUT = 5000;

async function dialHttp(process: Process, host: string, port: number, request: string): Promise<string> {
  const { network, clock } = process.system;
  const response = await httpRequest(network, new URL(`http://${host}:${port}/${request}`), {
    clock,
    timeout: DIAL_TIMEOUT,
    signal: process.killed,
  });
  return decodeText(response.body);
}

/** Sends a datagram and waits for the answer; with an infinite timeout, until the process ends. */
export async function dialUdp(
  process: Process,
  host: string,
  port: number,
  request: string,
  timeout = DIAL_TIMEOUT,
): Promise<string> {
  const { network, clock } = process.system;
  let close = (): void => undefined;
  const answered = new Promise<string>((resolve, reject) => {
    const socket = network.bind(0, ({ data }) => resolve(decodeText(data)));
    const late = (): void => reject(new SystemError('ETIMEDOUT', host));
    const timer = timeout === Infinity ? undefined : clock.setTimeout(late, timeout);
    close = () => {
      clock.clearTimeout(timer);
      socket.close();
    };
    socket.send(encodeText(request), { host, port }).catch(reject);
  });
  return process.wait(answered).finally(() => close());
}

/** What the UDP server answers. */
function udpAnswer(text: string, { address, port }: Address, process: Process): string | undefined {
  const words = text.trim().split(/\s+/);
  if (words[0] === 'hostname' || words[0] === 'hostName') return process.system.hostname;
  if (words[0] === 'echo') return text.trim().slice(5);
  return words[0] === 'clientip' ? `${address}:${port}` : undefined;
}

function serveUdp(process: Process, port: number): void {
  const socket = process.system.network.bind(port, ({ data, from }) => {
    const answer = udpAnswer(decodeText(data), from, process);
    if (answer !== undefined)
      void socket.send(encodeText(answer), { host: from.address, port: from.port }).catch(() => undefined);
  });
  process.killed.addEventListener('abort', () => socket.close(), { once: true });
}

function serveLines(process: Process, port: number): void {
  const serve = async ({ stream, remote }: Connection): Promise<void> => {
    const bytes = await stream.read(process.killed);
    await stream.write(encodeText(udpAnswer(decodeText(bytes ?? new Uint8Array(0)), remote, process) ?? ''));
  };
  const listener = process.system.network.listen(
    port,
    (connection) =>
      void serve(connection)
        .catch(() => undefined)
        .finally(() => connection.stream.release()),
    { protocol: 'SCTP' },
  );
  process.killed.addEventListener('abort', () => listener.close(), { once: true });
}
