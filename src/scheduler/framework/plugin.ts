import type {
  Labelled,
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

/** Why a node rejects a pod. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether removing other pods could help. */
  readonly resolvable: boolean;
}

/** A rejection that removing other pods might resolve. */
export const refuse = (...reasons: string[]): Refusal => ({ reasons, resolvable: true });
/** A rejection that other pods do not affect. */
export const refuseForGood = (...reasons: string[]): Refusal => ({ reasons, resolvable: false });

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'reasons' in value && 'resolvable' in value;
}

/** Objects besides pods and nodes that plugins read. */
export interface Listers {
  readonly names: Names;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumesOfClass(storageClass: string): readonly PersistentVolume[];
  /** Volumes that are being bound for scheduled pods. */
  readonly assumed: Pick<AssumedVolumes, 'isTaken' | 'nodeOf'>;
  storageClass(name: string): StorageClass | undefined;
  csiNode(name: string): CSINode | undefined;
  /** All that select the pod, and possibly a few that do not. */
  servicesFor(pod: Labelled): readonly Service[];
  /** As for services. */
  replicationControllersFor(pod: Labelled): readonly ReplicationController[];
  /** As for services. */
  replicaSetsFor(pod: Labelled): readonly ReplicaSet[];
  /** As for services. */
  statefulSetsFor(pod: Labelled): readonly StatefulSet[];
}

/** The input of all plugins in one scheduling cycle. */
export interface Cycle {
  readonly pod: Pod;
  readonly info: PodInfo;
  readonly snapshot: Snapshot;
  readonly listers: Listers;
}

/** A pod that is hypothetically added to a node (1) or removed from it (-1), for preemption and nominations. */
export interface PodMove {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  readonly by: 1 | -1;
}

/** The numbers behind a result, one row for each comparison. */
export type Facts = readonly Readonly<Record<string, string | number | boolean>>[];

/**
 * A scheduling plugin. `prepare…` computes once what the other methods need for each node; all are pure functions.
 * After `normalize` scores range from 0 to 100.
 */
export interface Plugin<F = unknown, S = unknown> {
  readonly name: string;
  /**
   * Whether what it says of a node depends on nothing but the node, the pod's specification and controller, and the number of nodes, so that it holds
   * for all pods of a template until the node changes.
   */
  readonly isLocal?: boolean;
  /** Whether the filter might reject this pod; otherwise it is skipped. Always true by default. */
  concerns?(cycle: Cycle): boolean;
  /** Rejects the pod on every node, or returns the state for `filter`. */
  prepareFilter?(cycle: Cycle): F | Refusal;
  filter?(cycle: Cycle, node: NodeInfo, state: F): Refusal | undefined;
  /**
   * A copy of the state that `movePod` may modify; plugins whose state depends on pods of other nodes implement both.
   */
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

/** Scales scores to the largest; inverted if `reverse` is set. */
export function normalized(scores: readonly number[], reverse = false): readonly number[] {
  const largest = scores.reduce((most, score) => Math.max(most, score), 0);
  if (largest === 0) return reverse ? scores.map(() => MAX_SCORE) : scores;
  return scores.map((score) => {
    const share = Math.floor((MAX_SCORE * score) / largest);
    return reverse ? MAX_SCORE - share : share;
  });
}

/** Checks that the state types of a plugin match; the framework treats the states as opaque. */
export function plugin<F, S>(declaration: Plugin<F, S>): Plugin {
  return declaration as Plugin<never, never> as Plugin;
}
