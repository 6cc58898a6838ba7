import type { ApiObject } from '../schema/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import type { ContainerAccess } from './access.ts';
import type { NodeStreams } from './streams.ts';
import { podHost } from './agent.ts';
import { Fleet, type NodesOptions } from './fleet.ts';
import type { ServerTarget } from './serverFetch.ts';
import type { LogOptions } from './logs.ts';
import { logResponse } from './logResponse.ts';
import type { ContainerUse, NodeUse, PodUse } from './usage.ts';

export interface RunningNodes {
  /** What a container has written, as a stream of text; with `follow` it goes on until the container ends. */
  containerLogs(pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal): Promise<Response>;
  /** What reaches into containers: commands, ports, files. */
  access(): Promise<ContainerAccess>;
  /** The same as the API server uses it. */
  streams(): Promise<NodeStreams>;
  /** What the nodes, their pods and containers use now: what a metrics API serves. */
  usage(): readonly NodeUse[];
  /** Makes a request of the API server to a server in the simulated network; undefined before any pod ran. */
  fetch(request: Request, target: ServerTarget): Promise<Response> | undefined;
  /** Writes at once what is kept over a reload: files of volumes, logs. */
  keep(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `count` nodes, each with a simulated agent, and an agent for every other node that asks for one. */
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

export const nodeParts: readonly Loadable[] = [podHost, access, streams, servers];

export type { KeptData } from './keeping/keeper.ts';
export type { ContainerAccess, ContainerUse, LogOptions, NodesOptions, NodeUse, PodUse };
