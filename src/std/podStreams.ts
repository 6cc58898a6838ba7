/** The requests of the API server to node agents: commands in containers, and requests to servers in pods. */
import type { Duplex } from './duplex.ts';

/** The client's side of a command. */
export interface CommandStreams {
  readonly stdin: Duplex | undefined;
  readonly stdout: Duplex | undefined;
  readonly stderr: Duplex | undefined;
  /** Whether the command gets a terminal. */
  readonly tty: boolean;
  /** The sizes of the client's terminal as they change. */
  readonly sizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A container that runs. */
export interface ContainerStreams {
  /** Runs a command and resolves to its exit code, when everything that it wrote has been passed on. Rejects where it can't be started. */
  exec(command: readonly string[], streams: CommandStreams): Promise<number>;
  /** Joins the container's own program; resolves when it ends, or the client is gone. */
  attach(streams: CommandStreams): Promise<void>;
}

/** A request for a server in a pod. */
export interface PodRequest {
  readonly tls: boolean;
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}
