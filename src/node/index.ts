import type { ApiObject } from '../schema/index.ts';
import type { Loadable } from '../std/index.ts';
import { podHost } from './agent.ts';
import { Fleet, type NodesOptions } from './fleet.ts';
import type { LogOptions } from './logs.ts';
import { logResponse } from './logResponse.ts';

export interface RunningNodes {
  /** What a container has written, as a stream of text; with `follow` it goes on until the container ends. */
  containerLogs(pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts `count` nodes, each with a simulated agent, and an agent for every other node that asks for one. */
export function startNodes(options: NodesOptions): RunningNodes {
  const fleet = new Fleet(options);
  void fleet.start();
  return {
    containerLogs: (pod, container, logOptions, signal) => {
      const lines = fleet.logs(pod, container, logOptions, signal);
      return Promise.resolve(logResponse(lines, logOptions.limitBytes));
    },
    stop: () => {
      fleet.stop();
      return Promise.resolve();
    },
  };
}

export const nodeParts: readonly Loadable[] = [podHost];

export type { LogOptions, NodesOptions };
