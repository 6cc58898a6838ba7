import { keyOf, type Pod } from '../client/index.ts';
import { podInfoOf, type PodInfo } from './framework/nodeInfo.ts';
import { priorityOf } from './priority.ts';

/** Pods for which room was made on a node, until they get there: others of less importance must not take it. */
export class Nominations {
  readonly #nominated = new Map<string, { readonly pod: Pod; readonly node: string }>();

  set(pod: Pod, node: string): void {
    this.#nominated.set(keyOf(pod), { pod, node });
  }

  remove(pod: Pod): void {
    this.#nominated.delete(keyOf(pod));
  }

  nodeOf(pod: Pod): string {
    return this.#nominated.get(keyOf(pod))?.node ?? '';
  }

  /** Pods nominated for a node that matter at least as much as `pod`, itself left out. */
  reservedOn(node: string, pod: Pod): PodInfo[] {
    return this.#on(node, pod, (other) => priorityOf(other) >= priorityOf(pod)).map(podInfoOf);
  }

  /** Pods nominated for a node that matter less than `pod`. */
  lessImportantOn(node: string, pod: Pod): Pod[] {
    return this.#on(node, pod, (other) => priorityOf(other) < priorityOf(pod));
  }

  #on(node: string, pod: Pod, matters: (other: Pod) => boolean): Pod[] {
    if (this.#nominated.size === 0) return [];
    const here = [...this.#nominated.values()].filter((nomination) => nomination.node === node);
    return here
      .map(({ pod: other }) => other)
      .filter((other) => other.metadata.uid !== pod.metadata.uid && matters(other));
  }
}
