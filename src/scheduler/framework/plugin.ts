import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  ReplicationController,
  Service,
  StatefulSet,
  StorageClass,
  CSINode,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { AssumedVolumes } from '../assumedVolumes.ts';
import type { NodeInfo, PodInfo } from './nodeInfo.ts';
import type { Snapshot } from './snapshot.ts';

/** Why a pod can't go to a node. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether it could go there if other pods went away. */
  readonly resolvable: boolean;
}

/** Refused as things are; other pods may be in the way. */
export const refuse = (...reasons: string[]): Refusal => ({ reasons, resolvable: true });
/** Refused whatever other pods do. */
export const refuseForGood = (...reasons: string[]): Refusal => ({ reasons, resolvable: false });

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'reasons' in value && 'resolvable' in value;
}

/** Objects other than pods and nodes that plugins look at. */
export interface Listers {
  readonly names: Names;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumesOfClass(storageClass: string): readonly PersistentVolume[];
  /** Volumes that are being bound for pods that have a node already. */
  readonly assumed: Pick<AssumedVolumes, 'isTaken' | 'nodeOf'>;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  servicesIn(namespace: string): readonly Service[];
  replicationControllersIn(namespace: string): readonly ReplicationController[];
  replicaSetsIn(namespace: string): readonly ReplicaSet[];
  statefulSetsIn(namespace: string): readonly StatefulSet[];
}

/** What all plugins are given in one scheduling cycle. */
export interface Cycle {
  readonly pod: Pod;
  readonly info: PodInfo;
  readonly snapshot: Snapshot;
  readonly listers: Listers;
}

/** A pod that comes to a node (1) or leaves it (-1), as preemption and nominations suppose. */
export interface PodMove {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  readonly by: 1 | -1;
}

/** The numbers behind a verdict, a row for each thing that was compared. */
export type Facts = readonly Readonly<Record<string, string | number | boolean>>[];

/**
 * A rule of placement. `prepare…` reads once what the others need for each node; all are pure functions of what they
 * are given. Scores go from 0 to 100 after `normalize`.
 */
export interface Plugin<F = unknown, S = unknown> {
  readonly name: string;
  /** Whether the filter can refuse this pod anywhere; where it can't, it isn't asked. Always where nothing is said. */
  concerns?(cycle: Cycle): boolean;
  /** Refuses the pod on every node, or returns what `filter` needs. */
  prepareFilter?(cycle: Cycle): F | Refusal;
  filter?(cycle: Cycle, node: NodeInfo, state: F): Refusal | undefined;
  /** A copy of the state that `movePod` may change; plugins whose state depends on pods of other nodes have both. */
  copyState?(state: F): F;
  movePod?(state: F, cycle: Cycle, move: PodMove): void;
  /** What the filter compares on a node. */
  facts?(cycle: Cycle, node: NodeInfo, state: F): Facts;
  readonly weight?: number;
  prepareScore?(cycle: Cycle, feasible: readonly NodeInfo[]): S;
  score?(cycle: Cycle, node: NodeInfo, state: S): number;
  normalize?(scores: readonly number[], cycle: Cycle, feasible: readonly NodeInfo[], state: S): readonly number[];
}

export const MAX_SCORE = 100;

/** Scores as shares of the largest; the other way round where `reverse` is set. */
export function normalized(scores: readonly number[], reverse = false): readonly number[] {
  const largest = scores.reduce((most, score) => Math.max(most, score), 0);
  if (largest === 0) return reverse ? scores.map(() => MAX_SCORE) : scores;
  return scores.map((score) => {
    const share = Math.floor((MAX_SCORE * score) / largest);
    return reverse ? MAX_SCORE - share : share;
  });
}

/** Keeps the types of a plugin's own states together; the framework hands them back without looking. */
export function plugin<F, S>(declaration: Plugin<F, S>): Plugin {
  return declaration as Plugin<never, never> as Plugin;
}
