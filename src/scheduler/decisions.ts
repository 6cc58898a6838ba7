import type { Pod } from '../client/index.ts';
import type { NodeInfo, PodInfo } from './framework/nodeInfo.ts';

/** What the scheduler decided about a pod, with what it knew of nodes then. It shares all of that with the cache. */
export interface Decision {
  readonly pod: Pod;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** All nodes as they stood, in the order in which they were asked from `start` on. */
  readonly nodes: readonly NodeInfo[];
  readonly start: number;
  /** Nominated pods by node. */
  readonly reserved: ReadonlyMap<string, readonly PodInfo[]>;
  /** The chosen node; without one, `why` says why there is none. */
  readonly node?: string;
  readonly why?: string;
  /** The plugins that refused it, each once. */
  readonly refusedBy?: readonly string[];
  /** The node on which room is being made. */
  readonly nominated?: string;
  /** The decision by which room was made for it last, where that was an earlier one. */
  readonly madeRoom?: Decision;
}

/** The decision by which room was made for a pod last: this one, or the one that it remembers. */
export const roomOf = (decision: Decision | undefined): Decision | undefined =>
  decision?.nominated === undefined ? decision?.madeRoom : decision;

/** So many decisions are remembered: each keeps a list of nodes alive, nothing more. */
const KEPT = 256;

/** The last decision about each of the pods that were tried last. */
export class Decisions {
  readonly #byUid = new Map<string, Decision>();

  note(decision: Decision): void {
    const { uid = '' } = decision.pod.metadata;
    const room = roomOf(this.#byUid.get(uid));
    this.#byUid.delete(uid);
    this.#byUid.set(uid, { ...decision, ...(room && decision.nominated === undefined && { madeRoom: room }) });
    for (const oldest of this.#byUid.keys()) {
      if (this.#byUid.size <= KEPT) return;
      this.#byUid.delete(oldest);
    }
  }

  of(uid: string): Decision | undefined {
    return this.#byUid.get(uid);
  }
}
