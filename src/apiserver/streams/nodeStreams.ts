import type { ApiObject } from '../../schema/index.ts';
import type { ContainerStreams, Duplex, PodRequest } from '../../std/index.ts';

/** Access to containers, which the node agents provide. */
export interface NodeStreams {
  /** A running container; undefined if it doesn't run. */
  container(pod: ApiObject, name: string): Promise<ContainerStreams | undefined>;
  /** Connects to a port of a pod, as if from within it. Rejects with an Error that says why not. */
  connect(pod: ApiObject, port: number): Promise<Duplex>;
  /**
   * Sends a request to a server in a pod; the body is streamed. Rejects with an Error that says why the server can't be
   * reached.
   */
  request(pod: ApiObject, request: PodRequest, signal: AbortSignal): Promise<Response>;
  /**
   * Sends a request to a node's agent; the path includes the query. Rejects with an Error that says why the agent can't
   * be reached.
   */
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

/** The server's access to nodes. */
export interface NodeAccess {
  /** Reads a container's output from its node's agent; undefined if there are no agents. */
  readonly containerLogs?:
    ((pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal) => Promise<Response>) | undefined;
  /** Access to containers; undefined if there are no agents. */
  readonly nodeStreams?: NodeStreams | undefined;
}
