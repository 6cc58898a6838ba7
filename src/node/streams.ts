import {
  BaseStream,
  pipe,
  SystemError,
  type Connection,
  type Stream,
  type Terminal,
  type TerminalSize,
} from '../programs/index.ts';
import type { ApiObject } from '../schema/index.ts';
import {
  encodeText,
  inBackground,
  WholeResponse,
  type CommandStreams,
  type ContainerStreams,
  type Duplex,
  type PodRequest,
} from '../std/index.ts';
import type { ContainerAccess } from './access.ts';
import { agentAnswer } from './agentServer.ts';
import type { Fleet } from './fleet.ts';
import { streamed } from './serverFetch.ts';

export interface NodeStreams {
  container(pod: ApiObject, name: string): Promise<ContainerStreams | undefined>;
  connect(pod: ApiObject, port: number): Promise<Duplex>;
  request(pod: ApiObject, target: PodRequest, signal: AbortSignal): Promise<Response>;
  /** Sends a request to a node's agent. Rejects with an Error if it does not run. */
  node(name: string, method: string, path: string): Promise<Response>;
}

/** Used until the client has sent the size of its terminal. */
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

const ignore = (): void => undefined;

/** The exit code of a command that can't be started. */
const NOT_STARTED = 126;

/**
 * Runs a command and resolves to its exit code after all its output was forwarded. If it can't be started, the output
 * says why.
 */
async function exec(
  access: ContainerAccess,
  pod: ApiObject,
  container: string,
  command: readonly string[],
  streams: CommandStreams,
): Promise<number> {
  try {
    return await start(access, pod, container, command, streams);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    const why = `OCI runtime exec failed: exec failed: starting container process caused: ${notStarted(command, problem)}`;
    await (streams.stderr ?? streams.stdout)?.write(encodeText(`${why}: unknown\r\n`));
    return NOT_STARTED;
  }
}

function notStarted([program = '']: readonly string[], { code }: SystemError): string {
  const isPath = program.includes('/');
  if (code !== 'ENOENT') return `exec: ${JSON.stringify(program)}: permission denied`;
  const why = isPath ? `stat ${program}: no such file or directory` : 'executable file not found in $PATH';
  return `exec: ${JSON.stringify(program)}: ${why}`;
}

async function start(
  access: ContainerAccess,
  pod: ApiObject,
  container: string,
  command: readonly string[],
  streams: CommandStreams,
): Promise<number> {
  if (streams.tty) return execInTerminal(access, pod, container, command, streams);
  const { stdin, stdout, stderr, gone } = streams;
  const given = {
    ...(stdin && { stdin: inputFrom(stdin) }),
    ...(stdout && { stdout: new Output(stdout) }),
    ...(stderr && { stderr: new Output(stderr) }),
  };
  const running = access.exec(pod, container, command, given);
  for (const stream of Object.values(given)) stream.release();
  gone.addEventListener('abort', () => running.kill(), { once: true });
  return running.exit;
}

async function execInTerminal(
  access: ContainerAccess,
  pod: ApiObject,
  container: string,
  command: readonly string[],
  { stdin, stdout, sizes, gone }: CommandStreams,
): Promise<number> {
  const { exit, kill, terminal } = access.execInTerminal(pod, container, command, USUAL_SIZE);
  gone.addEventListener('abort', kill, { once: true });
  inBackground(typeInto(terminal, stdin), ignore);
  inBackground(resize(terminal, sizes), ignore);
  await show(terminal.output, stdout);
  return exit;
}

async function typeInto(terminal: Terminal, stdin: Duplex | undefined): Promise<void> {
  for (let bytes = await stdin?.read(); bytes; bytes = await stdin?.read()) terminal.type(bytes);
  if (stdin) terminal.hangUp();
}

async function resize(terminal: Pick<Terminal, 'resize'>, sizes: AsyncIterable<TerminalSize>): Promise<void> {
  for await (const size of sizes) terminal.resize(size);
}

async function show(output: Stream, stdout: Duplex | undefined): Promise<void> {
  for (let bytes = await output.read(); bytes; bytes = await output.read()) await stdout?.write(bytes);
}

/** Attaches to a container's main process until it ends, or the client disconnects or is detached after its input. */
async function attach(
  access: ContainerAccess,
  pod: ApiObject,
  container: string,
  { stdin, stdout, stderr, sizes, gone }: CommandStreams,
): Promise<void> {
  const joined = access.attach(pod, container);
  const shown = stdout ?? stderr;
  const leave = shown ? joined.listen(new Output(shown)) : ignore;
  inBackground(resize(joined, sizes), ignore);
  const left = new Promise<void>((resolve) => {
    gone.addEventListener('abort', () => resolve(), { once: true });
    const end = (): Promise<void> => joined.inputLeft().then(resolve);
    if (stdin && joined.stdin) inBackground(feed(stdin, joined.stdin.retain()).finally(end), ignore);
  });
  await Promise.race([joined.exit, left]);
  leave();
}

/** Adapts a connection to a duplex byte stream. */
function duplexOf(connection: Connection): Duplex {
  const { stream } = connection;
  return {
    read: () => stream.read().catch(() => undefined),
    write: (bytes) => stream.write(bytes).catch(ignore),
    end: () => connection.end(),
    reset: () => stream.release(),
  };
}

/** A program's input stream, read from the client. */
function inputFrom(client: Duplex): Stream {
  const { input, output } = pipe();
  inBackground(feed(client, output), ignore);
  return input;
}

async function feed(client: Duplex, to: Stream): Promise<void> {
  try {
    for (let bytes = await client.read(); bytes; bytes = await client.read()) await to.write(bytes);
  } finally {
    to.release();
  }
}

/** A program's output stream, written to the client. */
class Output extends BaseStream {
  readonly #client: Duplex;

  constructor(client: Duplex) {
    super();
    this.#client = client;
  }

  override write(bytes: Uint8Array): Promise<void> {
    return this.#client.write(bytes);
  }
}

/** Access to containers with the interface of the API server. */
export function nodeStreams(access: () => Promise<ContainerAccess>, agent: Fleet['agentView']): NodeStreams {
  return {
    container: async (pod, name) => {
      const ways = await access();
      if (!ways.isRunning(pod, name)) return undefined;
      return {
        exec: (command, streams) => exec(ways, pod, name, command, streams),
        attach: (streams) => attach(ways, pod, name, streams),
      };
    },
    connect: async (pod, port) => duplexOf(await (await access()).connect(pod, port)),
    request: async (pod, target, signal) =>
      streamed(await (await access()).request(pod, target, signal), target.method === 'HEAD'),
    node: async (name, method, path) => {
      const view = agent(name);
      if (!view) throw new Error(`dial tcp: no agent runs on node ${name}: connect: connection refused`);
      const { status, headers, body } = await agentAnswer(view, method, path);
      return new WholeResponse(Uint8Array.from(body), { status, headers: [...headers] });
    },
  };
}
