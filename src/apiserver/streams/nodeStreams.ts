import type { ApiObject } from '../../schema/index.ts';
import type { Duplex } from '../../std/index.ts';

/** How the API server reaches into containers: what it needs of the node agents. */
export interface NodeStreams {
  /** A container that runs; undefined where it doesn't. */
  container(pod: ApiObject, name: string): Promise<ContainerStreams | undefined>;
  /** Connects to a port of a pod, as if from within it. Rejects with an Error that says why it can't. */
  connect(pod: ApiObject, port: number): Promise<Duplex>;
  /** Makes a request to a server in a pod. Rejects with an Error that says why it can't be reached. */
  request(pod: ApiObject, request: PodRequest, signal: AbortSignal): Promise<PodResponse>;
  /** Asks a node's agent; the path includes the query. Rejects with an Error that says why it can't be reached. */
  node(name: string, method: string, path: string): Promise<PodResponse>;
}

export interface PodRequest {
  readonly tls: boolean;
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface PodResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

export interface ContainerStreams {
  /** Runs a command and resolves to its exit code, when everything that it wrote has been passed on. Rejects where it can't be started. */
  exec(command: readonly string[], streams: CommandStreams): Promise<number>;
  /** Joins the container's own program; resolves when it ends, or the client is gone. */
  attach(streams: CommandStreams): Promise<void>;
}

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

export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly sinceTime: string | undefined;
}

/** The server's ways to what runs on nodes. */
export interface NodeAccess {
  /** What a container wrote, from its node's agent; undefined where no agents run. */
  readonly containerLogs?:
    ((pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal) => Promise<Response>) | undefined;
  /** The ways into containers; undefined where no agents run. */
  readonly nodeStreams?: NodeStreams | undefined;
}
