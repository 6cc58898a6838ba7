import type { LogOptions } from './logs.ts';
import { Fleet, type NodesOptions } from './fleet.ts';

export interface RunningNodes {
  /** What a container has written, line by line; undefined where no agent knows of it. */
  logs(
    node: string,
    namespace: string,
    pod: string,
    container: string,
    options: LogOptions,
    signal?: AbortSignal,
  ): AsyncIterable<string> | undefined;
  stop(): Promise<void>;
}

/** Starts `count` nodes, each with a simulated agent, and an agent for every other node that asks for one. */
export function startNodes(options: NodesOptions): RunningNodes {
  const fleet = new Fleet(options);
  void fleet.start();
  return {
    logs: (node, namespace, pod, container, logOptions, signal) =>
      fleet.logs(node, namespace, pod, container, logOptions, signal),
    stop: () => {
      fleet.stop();
      return Promise.resolve();
    },
  };
}

export type { LogOptions, NodesOptions };
