import type { ApiObject } from '../schema/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import type { ContainerAccess } from './access.ts';
import type { NodeStreams } from './streams.ts';
import { podHost } from './agent.ts';
import { beating, Fleet, type NodesOptions } from './fleet.ts';
import type { ServerTarget } from './serverFetch.ts';
import type { LogOptions } from './logs.ts';
import { logResponse } from './logResponse.ts';
import type { ContainerUse, NodeUse, PodUse } from './usage.ts';

export interface RunningNodes {
  /** The log of a container as a stream of text; with `follow` it continues until the container ends. */
  containerLogs(pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal): Promise<Response>;
  /** Access to containers: commands, ports, files. */
  access(): Promise<ContainerAccess>;
  /** The same with the interface of the API server. */
  streams(): Promise<NodeStreams>;
  /** The current usage of nodes, pods and containers, for a metrics API. */
  usage(): readonly NodeUse[];
  /** Sends a request of the API server to a server in the simulated network; undefined before any pod ran. */
  fetch(request: Request, target: ServerTarget): Promise<Response> | undefined;
  /** Saves immediately what survives a reload: files of volumes, logs. */
  keep(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `count` nodes, each with a simulated agent, and an agent for every other node that requests one. */
export function startNodes(options: NodesOptions): RunningNodes {
  const fleet = new Fleet(options);
  fleet.start();
  const waysIn = async (): Promise<ContainerAccess> => new (await access.load()).ContainerAccess(fleet);
  return {
    containerLogs: async (pod, container, logOptions, signal) => {
      fleet.checkReach(pod, container);
      const lines = fleet.logs(pod, container, logOptions, signal);
      return logResponse(lines, logOptions.limitBytes);
    },
    access: waysIn,
    usage: () => fleet.usage(),
    streams: async () => (await streams.load()).nodeStreams(waysIn, (name) => fleet.agentView(name)),
    fetch: (request, target) => {
      const network = fleet.serverNetwork;
      return network && servers.load().then(({ serverFetch }) => serverFetch(network, request, target));
    },
    keep: () => fleet.keep(),
    stop: () => fleet.stop(),
  };
}

const access = new Part(() => import('./access.ts'));
const streams = new Part(() => import('./streams.ts'));

const servers = new Part(() => import('./serverFetch.ts'));

export const nodeParts: readonly Loadable[] = [podHost, beating, access, streams, servers];

export type { KeptData } from './keeping/keeper.ts';
export type { ContainerAccess, ContainerUse, LogOptions, NodesOptions, NodeUse, PodUse };
