/** Access to the containers of a pod: exec, attach, port forwarding. */
import { decodeText, encodeText, isObject, type Duplex } from '../std/index.ts';
import type { Client } from './client.ts';

export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  /** The pod's first container by default. */
  readonly container?: string | undefined;
}

export interface CommandOptions {
  readonly stdin?: boolean;
  /** Allocates a terminal; its only output is `stdout`. */
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The result of a command. */
export interface CommandResult {
  /** Missing if the command did not run or its connection broke. */
  readonly exitCode: number | undefined;
  /** The error; empty if the exit code is 0. */
  readonly message: string;
}

/** A command running in a container. */
export interface RemoteCommand {
  /** Ignores writes if no input was requested. Ending it ends the command's input. */
  readonly stdin: Pick<Duplex, 'write' | 'end'>;
  readonly stdout: Pick<Duplex, 'read'>;
  /** Ends immediately if there is a terminal. */
  readonly stderr: Pick<Duplex, 'read'>;
  /** Sends the size of the terminal, if there is one. */
  resize(size: TerminalSize): Promise<void>;
  /** Resolves when the command has ended. */
  readonly result: Promise<CommandResult>;
  /** Closes the connection; the command is killed. */
  close(): void;
}

/** Runs a command in a container. Rejects with a StatusError if the server refuses. */
export function execIn(
  client: Client,
  target: ContainerTarget,
  command: readonly string[],
  options: CommandOptions = {},
): Promise<RemoteCommand> {
  return remoteCommand(client, 'exec', target, command, options);
}

/** Attaches to the main process of a container. Rejects with a StatusError if the server refuses. */
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

/** Connects to a port of a pod. When the connection has ended, `problem` resolves to the error or to an empty text. */
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

/** A stream that has ended. */
const nothing: Duplex = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  end: () => undefined,
  reset: () => undefined,
};

/** Reads a stream until it ends. */
export async function readAll(stream: Pick<Duplex, 'read'>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = await stream.read(); bytes; bytes = await stream.read()) chunks.push(new Uint8Array(bytes));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Parses the Status in which the server reports the result of a command. */
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
