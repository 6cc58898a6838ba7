/** exec and attach: a command's input, output, errors and result as streams of one connection. */
import { status as statuses, type ApiObject, type Status } from '../../schema/index.ts';
import {
  encodeText,
  SwitchedResponse,
  type Clock,
  type CommandStreams,
  type ContainerStreams,
  type Duplex,
  type Session,
} from '../../std/index.ts';
import { textResponse } from '../codec/textResponse.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { ifTrue } from '../registry/query.ts';
import { openChannels, type ChannelUse, type Encoding } from './channels.ts';
import { collectStreams } from './collectStreams.ts';
import { terminalSizes } from './terminalSizes.ts';
import { upgradeOf, type Upgrade } from './asksUpgrade.ts';
import { agreeOn } from './upgrade.ts';

interface Options {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

function optionsOf(query: URLSearchParams): Options {
  const is = (name: string): boolean => ifTrue(query.get(name));
  const tty = is('tty');
  // A terminal has one output.
  const stderr = is('stderr') && !tty;
  return { command: query.getAll('command'), stdin: is('stdin'), stdout: is('stdout'), stderr, tty };
}

/** The protocols of exec and attach: SPDY has protocol versions, WebSockets have encodings. */
const SPOKEN = {
  spdy: ['v4.channel.{domain}', 'v3.channel.{domain}', 'v2.channel.{domain}', 'channel.{domain}'],
  websocket: [
    ...['channel.{domain}', 'base64.channel.{domain}'],
    ...['v4.channel.{domain}', 'v4.base64.channel.{domain}'],
  ],
} as const satisfies Record<Upgrade, readonly string[]>;

/** Answers an exec or attach request. Throws 400 if it is not an upgrade request. */
export async function remoteCommand(context: ResourceContext, pod: ApiObject, container: string): Promise<Response> {
  const { server, request, query, info } = context;
  const upgrade = upgradeOf(request);
  if (!upgrade) throw statuses.badRequest('Upgrade request required');
  const options = optionsOf(query);
  if (!options.stdin && !options.stdout && !options.stderr)
    return plain(400, 'you must specify at least 1 of stdin, stdout, stderr');
  const found = await server.nodeStreams?.container(pod, container);
  if (!found) return plain(500, `container not found (${JSON.stringify(container)})`);
  const agreement = agreeOn(upgrade, request, SPOKEN[upgrade].map(server.names.fill));
  if ('refusal' in agreement) return agreement.refusal;
  const run = (streams: Streams): Promise<void> =>
    serveCommand(found, info.subresource === 'attach' ? 'attach' : 'exec', options, streams, agreement.protocol);
  return new SwitchedResponse(sessionOf(upgrade, options, agreement.protocol, server.clock, run), agreement.headers);
}

const plain = (code: number, text: string): Response => textResponse(text, code, 'text/plain; charset=utf-8');

/** The streams of a command by name. */
export interface Streams {
  readonly stdin?: Duplex | undefined;
  readonly stdout?: Duplex | undefined;
  readonly stderr?: Duplex | undefined;
  readonly error?: Duplex | undefined;
  readonly resize?: Duplex | undefined;
  readonly gone: AbortSignal;
}

function sessionOf(
  upgrade: Upgrade,
  options: Options,
  protocol: string,
  clock: Clock,
  run: (streams: Streams) => Promise<void>,
): Session {
  if (upgrade === 'websocket') return webSocketSession(options, protocol, run);
  return {
    speaks: 'spdy',
    serve: async (socket) => {
      const streams = await collectStreams(socket, expectedStreams(options, protocol), clock);
      if (streams) await run({ ...streams, gone: socket.closed });
      socket.close();
    },
  };
}

/** The streams that a client opens, by `streamType`. Versions 3 and 4 support terminal resizing. */
function expectedStreams({ stdin, stdout, stderr, tty }: Options, protocol: string): readonly string[] {
  const resize = tty && /^v[34]\./.test(protocol);
  const wanted = { error: true, stdin, stdout, stderr, resize };
  return Object.entries(wanted).flatMap(([name, is]) => (is ? [name] : []));
}

function webSocketSession(
  { stdin, stdout, stderr, tty }: Options,
  protocol: string,
  run: (streams: Streams) => Promise<void>,
): Session {
  const encoding: Encoding = protocol.includes('base64') ? 'base64' : 'binary';
  const use = (is: boolean, use: ChannelUse): ChannelUse => (is ? use : 'none');
  const uses = [use(stdin, 'write'), use(stdout, 'read'), use(stderr, 'read'), 'read', use(tty, 'write')] as const;
  return {
    speaks: 'websocket',
    serve: async (socket) => {
      const [input, output, errors, error, resize] = openChannels(socket, encoding, uses);
      // An empty message tells the client that the connection is established.
      await (stdout ? output : stderr ? errors : error)?.write(new Uint8Array(0));
      await run({
        stdin: stdin ? input : undefined,
        stdout: output,
        stderr: errors,
        error,
        resize,
        gone: socket.closed,
      });
      socket.close();
    },
  };
}

/** Runs the command, sends its result on the error stream, and ends all streams. */
async function serveCommand(
  container: ContainerStreams,
  what: 'exec' | 'attach',
  options: Options,
  streams: Streams,
  protocol: string,
): Promise<void> {
  const given: CommandStreams = {
    stdin: options.stdin ? streams.stdin : undefined,
    stdout: options.stdout ? streams.stdout : undefined,
    stderr: options.stderr ? streams.stderr : undefined,
    tty: options.tty,
    sizes: terminalSizes(streams.resize),
    gone: streams.gone,
  };
  const result =
    what === 'exec' ? await execResult(container, options.command, given) : await attachResult(container, given);
  const text = protocol.startsWith('v4.') ? JSON.stringify(result) : result.status === 'Success' ? '' : result.message;
  if (text) await streams.error?.write(encodeText(text));
  for (const stream of [streams.stdout, streams.stderr, streams.error, streams.stdin, streams.resize]) stream?.end();
}

/** A Status without kind and version, as sent on the error stream. */
type Result = Pick<Status, 'metadata' | 'status'> & Partial<Status>;

const SUCCESS: Result = { metadata: {}, status: 'Success' };

async function execResult(
  container: ContainerStreams,
  command: readonly string[],
  streams: CommandStreams,
): Promise<Result> {
  try {
    const code = await container.exec(command, streams);
    return code === 0 ? SUCCESS : nonZeroExit(command, code);
  } catch (problem) {
    return internal('error executing command in container', problem);
  }
}

async function attachResult(container: ContainerStreams, streams: CommandStreams): Promise<Result> {
  try {
    await container.attach(streams);
    return SUCCESS;
  } catch (problem) {
    return internal('error attaching to container', problem);
  }
}

function nonZeroExit(command: readonly string[], code: number): Result {
  const why = `error executing command [${command.join(' ')}], exit code ${code}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${why}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function internal(what: string, problem: unknown): Result {
  const why = `${what}: ${problem instanceof Error ? problem.message : String(problem)}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${why}`,
    reason: 'InternalError',
    details: { causes: [{ message: why }] },
    code: 500,
  };
}
