/** Requests of the API server to node agents: commands in containers, and requests to servers in pods. */
import type { Duplex } from './duplex.ts';

/** The client's end of a command. */
export interface CommandStreams {
  readonly stdin: Duplex | undefined;
  readonly stdout: Duplex | undefined;
  readonly stderr: Duplex | undefined;
  /** Whether the command has a terminal. */
  readonly tty: boolean;
  /** The sizes of the client's terminal, whenever they change. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client has disconnected. */
  readonly gone: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A running container. */
export interface ContainerStreams {
  /**
   * Runs a command and resolves to its exit code after all its output was forwarded. Rejects if it can't be started.
   */
  exec(command: readonly string[], streams: CommandStreams): Promise<number>;
  /** Attaches to the container's main process; resolves when the process ends or the client disconnects. */
  attach(streams: CommandStreams): Promise<void>;
}

/** A request to a server in a pod. */
export interface PodRequest {
  readonly tls: boolean;
  readonly port: number;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}
