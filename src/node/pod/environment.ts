import type { Client, EventRecorder, Node, Pod, Service } from '../../client/index.ts';
import type { Clock, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import type { Cpu, Network, PidNamespace, Tree } from '../../programs/index.ts';
import type { NetworkSettings } from '../../network/index.ts';
import type { Names } from '../../names/index.ts';
import type { Keeper } from '../keeping/keeper.ts';
import type { ImageStore } from '../imageStore.ts';
import type { Rejection } from './admission.ts';
import type { NodeAttachments } from '../volumes/attachments.ts';
import type { ObjectCache } from '../volumes/objectCache.ts';

/** What a node's agent gives to the pods that run on it. */
export interface AgentEnvironment {
  readonly node: string;
  readonly hostIP: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly recorder: EventRecorder;
  /** Hears of each failure; `pod` is its namespace and name. */
  readonly onProblem: (pod: string, problem: unknown) => void;
  readonly images: ImageStore;
  readonly addresses: { take(): string; keep(address: string): void; give(address: string): void };
  readonly names: Names;
  readonly cpu: Cpu;
  readonly objects: ObjectCache;
  readonly attachments: NodeAttachments;
  /** Starts the simulated storage drivers. */
  readonly startDrivers: () => void;
  /** The processes of the node and of all its containers. */
  readonly pids: PidNamespace;
  /** Saves state that must survive a reload. */
  readonly keeper: Keeper;
  /** Deletes the saved files of volumes that are deleted. */
  readonly keepVolumes: () => void;
  /** Trees of files that outlive pods: directories of the node, volumes of the cluster. */
  readonly kept: Map<string, Tree>;
  /** What the node has for pods. */
  readonly allocatable: () => NonNullable<Node['status']['allocatable']>;
  /** Why the node doesn't run a pod; undefined where it does. */
  readonly admit: (pod: Pod) => Rejection | undefined;
  /** The network as a pod sees it from its address. */
  readonly networkOf: (address: string, pod: () => Pod) => Network;
  /** Where names are asked for. */
  readonly network: NetworkSettings;
  readonly services: () => Promise<readonly Service[]>;
}
