import type { ApiObject } from '../../schema/index.ts';
import type { ContainerStreams, Duplex, PodRequest } from '../../std/index.ts';

/** How the API server reaches into containers: what it needs of the node agents. */
export interface NodeStreams {
  /** A container that runs; undefined where it doesn't. */
  container(pod: ApiObject, name: string): Promise<ContainerStreams | undefined>;
  /** Connects to a port of a pod, as if from within it. Rejects with an Error that says why it can't. */
  connect(pod: ApiObject, port: number): Promise<Duplex>;
  /** Makes a request to a server in a pod; the body comes as the server sends it. Rejects with an Error that says why it can't be reached. */
  request(pod: ApiObject, request: PodRequest, signal: AbortSignal): Promise<Response>;
  /** Asks a node's agent; the path includes the query. Rejects with an Error that says why it can't be reached. */
  node(name: string, method: string, path: string): Promise<Response>;
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
