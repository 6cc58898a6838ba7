/** The usage of nodes, pods and containers, for a metrics API. */

/** Milliseconds over which `CpuMeter` in `src/programs` averages. */
const WINDOW = 30_000;

export interface Use {
  /** Millicores, averaged over the window. */
  readonly millicores: number;
  /** Bytes. */
  readonly memory: number;
}

export interface ContainerUse extends Use {
  readonly name: string;
}

export interface PodUse {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The running containers. A pod without any is not listed. */
  readonly containers: readonly ContainerUse[];
}

export interface NodeUse extends Use {
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds over which CPU use is averaged. */
  readonly window: number;
  readonly pods: readonly PodUse[];
}

/** The usage of a node's agent and system. */
const OWN: Use = { millicores: 20, memory: 256 * 1024 * 1024 };

/** The memory of a node whose pods use so much. */
export const memoryWith = (pods: number): number => OWN.memory + pods;

/** The usage of a node: its pods and its system. */
export function nodeUse(node: string, pods: readonly PodUse[], at: number): NodeUse {
  const all = [OWN, ...pods.flatMap(({ containers }) => containers)];
  const sum = (of: (use: Use) => number): number => all.reduce((total, use) => total + of(use), 0);
  return { node, at, window: WINDOW, pods, millicores: sum((use) => use.millicores), memory: sum((use) => use.memory) };
}
