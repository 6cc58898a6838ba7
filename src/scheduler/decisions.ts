import type { Pod } from '../client/index.ts';
import type { PodInfo } from './framework/nodeInfo.ts';
import type { NodeList } from './framework/nodeList.ts';

/** The scheduler's decision about a pod, with the nodes at that time. It shares all data with the cache. */
export interface Decision {
  readonly pod: Pod;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** All nodes at that time, in the order in which they were checked from `start` on. */
  readonly nodes: NodeList;
  readonly start: number;
  /** Nominated pods by node. */
  readonly reserved: ReadonlyMap<string, readonly PodInfo[]>;
  /** The chosen node; without one, `why` has the reason. */
  readonly node?: string;
  readonly why?: string;
  /** The plugins that rejected it, each once. */
  readonly refusedBy?: readonly string[];
  /** The nominated node. */
  readonly nominated?: string;
  /** The last decision that preempted pods for it, if that was an earlier one. */
  readonly preemption?: Decision;
}

/** The last decision that preempted pods for a pod: this one, or the earlier one that it refers to. */
export const preemptionDecisionOf = (decision: Decision | undefined): Decision | undefined =>
  decision?.nominated === undefined ? decision?.preemption : decision;

/** The number of decisions that are kept: each keeps a list of nodes alive, with the pods that stood on them. */
const KEPT = 256;

/** The latest decision about each of the most recently tried pods that still exist. */
export class Decisions {
  readonly #byUid = new Map<string, Decision>();

  note(decision: Decision): void {
    const { uid = '' } = decision.pod.metadata;
    const room = preemptionDecisionOf(this.#byUid.get(uid));
    this.#byUid.delete(uid);
    this.#byUid.set(uid, { ...decision, ...(room && decision.nominated === undefined && { preemption: room }) });
    for (const oldest of this.#byUid.keys()) {
      if (this.#byUid.size <= KEPT) return;
      this.#byUid.delete(oldest);
    }
  }

  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  of(uid: string): Decision | undefined {
    return this.#byUid.get(uid);
  }
}
