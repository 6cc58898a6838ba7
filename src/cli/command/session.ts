/** What a command has around it: a server, a place to write to, and what is kept between commands. */
import type { RemoteCommand, Transport } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { Clock } from '../../std/index.ts';

/** Small files in folders; paths are given as they were typed. */
export interface Files {
  /** The path from the root. */
  absolute(path: string): string;
  /** Undefined where there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** As `read`, for files that may be no text. */
  bytes(path: string): Promise<Uint8Array | undefined>;
  /** Makes the folders that lead there. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** The paths of the files in a folder and in those below it, in order; undefined where there is no such folder. */
  list(path: string): Promise<readonly string[] | undefined>;
  /** The paths of the folders in a folder and in those below it, in order. */
  folders(path: string): Promise<readonly string[]>;
  /** Makes a folder, and those that lead there. */
  makeFolder(path: string): Promise<void>;
}

export interface Session {
  /** How the command is called in its own messages: `kubectl`, `clusterctl`. */
  readonly program: string;
  readonly names: Names;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly files: Files;
  /** Aborts when the person interrupts the command. */
  readonly signal: AbortSignal;
  /** The key under which answers about the server are cached: the same object for all commands of one terminal. By default the session itself. */
  readonly memory?: object;
  /** The path of the configuration that `config` writes; by default `.kube/config`. */
  readonly kubeconfig?: string;
  /** Where and as whom the commands ask as long as no other context is chosen. */
  readonly context?: {
    readonly name: string;
    readonly cluster: string;
    readonly user: string;
    readonly server: string;
  };
  /** The namespace of that context, for commands that name none; `config set-context` changes it. */
  namespace: string;
  out(text: string): void;
  err(text: string): void;
  /** The next piece of what is piped into the command or typed while it runs; empty at its end. */
  input(): Promise<string>;
  /** Opens a text in an editor; resolves to undefined if it was not changed. Absent if there is no editor. */
  edit?(title: string, text: string): Promise<string | undefined>;
  /** Connects the person's terminal to a command in a container until it ends. Absent if there is no terminal. */
  interact?(command: RemoteCommand): Promise<void>;
  /** Shows the pages of a server in the cluster. Absent if they cannot be shown. */
  browse?(server: Server): void;
}

/** Everything that is piped into the command. */
export async function wholeInput(session: Session): Promise<string> {
  let whole = '';
  for (let piece = await session.input(); piece !== ''; piece = await session.input()) whole += piece;
  return whole;
}

/** A port of a pod or service. */
export interface Server {
  readonly kind: 'pods' | 'services';
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}
