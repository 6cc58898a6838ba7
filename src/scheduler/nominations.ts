import type { Pod } from '../client/index.ts';
import { podInfoOf, type PodInfo } from './framework/nodeInfo.ts';

/** Nominated pods: until they are scheduled, pods of lower priority must not take their space. */
export class Nominations {
  readonly #nodeOf = new Map<string, string>();
  readonly #byNode = new Map<string, Map<string, PodInfo>>();

  set(pod: Pod, node: string): void {
    this.remove(pod);
    const info = podInfoOf(pod);
    this.#nodeOf.set(info.uid, node);
    const there = this.#byNode.get(node);
    if (there) there.set(info.uid, info);
    else this.#byNode.set(node, new Map([[info.uid, info]]));
  }

  remove(pod: Pod): void {
    const { uid = '' } = pod.metadata;
    const node = this.#nodeOf.get(uid) ?? '';
    const there = this.#byNode.get(node);
    this.#nodeOf.delete(uid);
    there?.delete(uid);
    if (there?.size === 0) this.#byNode.delete(node);
  }

  /** Follows the pod's status. A nomination that is not written yet stays, unless the status removes one. */
  follow(pod: Pod, before?: Pod): void {
    const { nominatedNodeName } = pod.status;
    if (nominatedNodeName) this.set(pod, nominatedNodeName);
    else if (before?.status.nominatedNodeName) this.remove(pod);
  }

  /** All current nominations by node. */
  all(): ReadonlyMap<string, readonly PodInfo[]> {
    return new Map(Array.from(this.#byNode, ([node, there]) => [node, [...there.values()]]));
  }

  /** Pods nominated for a node with at least the priority of `pod`, except `pod`. */
  reservedOn(node: string, pod: PodInfo): readonly PodInfo[] {
    return this.#on(node, (other) => other.uid !== pod.uid && other.priority >= pod.priority);
  }

  /** Pods nominated for a node with lower priority than `pod`. */
  lessImportantOn(node: string, pod: PodInfo): Pod[] {
    return this.#on(node, (other) => other.priority < pod.priority).map((info) => info.pod);
  }

  #on(node: string, matters: (other: PodInfo) => boolean): readonly PodInfo[] {
    const there = this.#byNode.get(node);
    return there ? [...there.values()].filter(matters) : [];
  }
}
