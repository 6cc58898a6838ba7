import type { Client, EventRecorder, Node, Pod, Service } from '../../client/index.ts';
import type { Clock, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import type { Cpu, Network, PidNamespace, Tree } from '../../programs/index.ts';
import type { NetworkSettings } from '../../network/index.ts';
import type { Names } from '../../names/index.ts';
import type { PodAddresses } from '../addresses.ts';
import type { Keeper } from '../keeping/keeper.ts';
import type { ImageStore } from '../imageStore.ts';
import type { Rejection } from './admission.ts';
import type { NodeAttachments } from '../volumes/attachments.ts';
import type { ObjectCache } from '../volumes/objectCache.ts';

/** What a node's agent provides to its pods. */
export interface AgentEnvironment {
  readonly node: string;
  readonly hostIP: string;
  readonly client: Client;
  readonly clock: Clock;
  /** The current time, as the clock says. All files of the cluster share this function. */
  readonly now: () => number;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly recorder: EventRecorder;
  /** Called for each failure; `pod` is its namespace and name. */
  readonly onProblem: (pod: string, problem: unknown) => void;
  readonly images: ImageStore;
  readonly addresses: PodAddresses;
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
  /** File trees that outlive pods: directories of the node, volumes of the cluster. */
  readonly kept: Map<string, Tree>;
  /** The node's allocatable resources. */
  readonly allocatable: () => NonNullable<Node['status']['allocatable']>;
  /** Why the node rejects a pod; undefined if it admits it. */
  readonly admit: (pod: Pod) => Rejection | undefined;
  /** Whether so many requests wait that a pod's first status is not written if it runs soon. */
  readonly isCrowded: () => boolean;
  /** The network as seen from a pod's address. */
  readonly networkOf: (address: string, owner: { readonly pod: Pod }) => Network;
  /** The network settings, with the name server. */
  readonly network: NetworkSettings;
  readonly services: () => Promise<readonly Service[]>;
}
