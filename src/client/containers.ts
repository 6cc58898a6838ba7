/** Ways into the containers of a pod: commands, their own program, ports. */
import { decodeText, encodeText, isObject, type Duplex } from '../std/index.ts';
import type { Client } from './client.ts';

export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  /** The pod's first one where nothing is said. */
  readonly container?: string | undefined;
}

export interface CommandOptions {
  readonly stdin?: boolean;
  /** A terminal, whose one output is `stdout`. */
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** How a command ended. */
export interface CommandResult {
  /** Missing where the command did not run or its connection broke. */
  readonly exitCode: number | undefined;
  /** What went wrong; empty where the exit code is 0. */
  readonly message: string;
}

/** A command that runs in a container. */
export interface RemoteCommand {
  /** Takes nothing where no input was asked for. Its end is the end of the command's input. */
  readonly stdin: Pick<Duplex, 'write' | 'end'>;
  readonly stdout: Pick<Duplex, 'read'>;
  /** At its end at once where there is a terminal. */
  readonly stderr: Pick<Duplex, 'read'>;
  /** Tells the size of the terminal, where there is one. */
  resize(size: TerminalSize): Promise<void>;
  /** Resolves when the command has ended. */
  readonly result: Promise<CommandResult>;
  /** Breaks off: the command is killed. */
  close(): void;
}

/** Runs a command in a container. Rejects with a StatusError where the server refuses to. */
export function execIn(
  client: Client,
  target: ContainerTarget,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<RemoteCommand> {
  return remoteCommand(client, 'exec', target, command, options);
}

/** Joins the program of a container. Rejects with a StatusError where the server refuses to. */
export function attachTo(
  client: Client,
  target: ContainerTarget,
  options: CommandOptions = {},
): Promise<RemoteCommand> {
  return remoteCommand(client, 'attach', target, [], options);
}

async function remoteCommand(
  client: Client,
  subresource: 'exec' | 'attach',
  target: ContainerTarget,
  command: readonly string[],
  { stdin = false, tty = false, signal }: CommandOptions,
): Promise<RemoteCommand> {
  const query = new URLSearchParams({ stdin: String(stdin), stdout: 'true', stderr: String(!tty), tty: String(tty) });
  if (target.container !== undefined) query.set('container', target.container);
  for (const word of command) query.append('command', word);
  const path = `${pathOfPod(target)}/${subresource}?${query.toString()}`;
  const { connection } = await client.connect(path, [client.names.fill('v4.channel.{domain}')], signal);
  const open = (streamType: string): Duplex => connection.open({ streamType });
  const error = open('error');
  const input = stdin ? open('stdin') : nothing;
  const output = open('stdout');
  const errors = tty ? nothing : open('stderr');
  const sizes = tty ? open('resize') : nothing;
  error.end();
  return {
    stdin: input,
    stdout: output,
    stderr: errors,
    resize: ({ columns, rows }) => sizes.write(encodeText(JSON.stringify({ Width: columns, Height: rows }))),
    result: readAll(error).then(resultOf),
    close: () => connection.close(),
  };
}

/** Connects to a port of a pod. `problem` resolves when the connection has ended: to what went wrong, or an empty text. */
export async function forwardPort(
  client: Client,
  target: Omit<ContainerTarget, 'container'>,
  port: number,
  signal?: AbortSignal,
): Promise<Duplex & { readonly problem: Promise<string> }> {
  const path = `${pathOfPod(target)}/portforward`;
  const { connection } = await client.connect(path, [client.names.fill('portforward.{domain}')], signal);
  const headers = { port: String(port), requestID: '0' };
  const error = connection.open({ ...headers, streamType: 'error' });
  const data = connection.open({ ...headers, streamType: 'data' });
  error.end();
  return {
    read: () => data.read(),
    write: (bytes) => data.write(bytes),
    end: () => data.end(),
    reset: () => connection.close(),
    problem: readAll(error).then((bytes) => decodeText(bytes).trim()),
  };
}

const pathOfPod = ({ namespace, pod }: Pick<ContainerTarget, 'namespace' | 'pod'>): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}`;

/** A stream that is at its end. */
const nothing: Duplex = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  end: () => undefined,
  reset: () => undefined,
};

/** All that a stream says until it ends. */
export async function readAll(stream: Pick<Duplex, 'read'>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) chunks.push(new Uint8Array(bytes));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Reads the Status with which the server says how a command ended. */
function resultOf(bytes: Uint8Array): CommandResult {
  const status = parsed(decodeText(bytes));
  if (!isObject(status)) return { exitCode: undefined, message: 'the connection was closed' };
  if (status.status === 'Success') return { exitCode: 0, message: '' };
  const details = isObject(status.details) ? status.details : {};
  const causes: readonly unknown[] = Array.isArray(details.causes) ? details.causes : [];
  const cause = causes.filter(isObject).find(({ reason }) => reason === 'ExitCode');
  const code = Number(cause?.message);
  return { exitCode: cause && Number.isInteger(code) ? code : undefined, message: String(status.message ?? '') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
