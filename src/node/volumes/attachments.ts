import type { Node } from '../../client/index.ts';
import { type Clock, deepEqual, delay, firstOf, type StopSignal } from '../../std/index.ts';

/** The volumes that the pods of a node use, and which of them are attached according to the node's status. */
export class NodeAttachments {
  readonly #node: () => Node;
  /** Called when the set of volumes that the node uses changes. */
  readonly #changed: () => void;
  readonly #uses = new Map<string, number>();
  readonly #waiting = new Set<AbortController>();
  #known: Node['status']['volumesAttached'];

  constructor(node: () => Node, changed: () => void) {
    this.#node = node;
    this.#changed = changed;
  }

  /** The list for the node's status. */
  get inUse(): string[] {
    return [...this.#uses.keys()].sort();
  }

  /** Records that a pod uses a volume until the returned function is called. */
  use(name: string): () => void {
    const count = this.#uses.get(name) ?? 0;
    this.#uses.set(name, count + 1);
    if (count === 0) this.#changed();
    return () => {
      const left = (this.#uses.get(name) ?? 0) - 1;
      if (left > 0) this.#uses.set(name, left);
      else if (this.#uses.delete(name)) this.#changed();
    };
  }

  isAttached(name: string): boolean {
    return this.#node().status.volumesAttached?.some((attached) => attached.name === name) ?? false;
  }

  /** Handles the node's new status. */
  update({ status }: Node): void {
    if (deepEqual(status.volumesAttached, this.#known)) return;
    this.#known = status.volumesAttached;
    for (const waiting of this.#waiting) waiting.abort();
  }

  /** Resolves when the attached volumes change, the time has passed, or `signal` aborts. */
  async pause(clock: Clock, ms: number, signal: StopSignal): Promise<void> {
    const hurry = new AbortController();
    this.#waiting.add(hurry);
    await delay(clock, ms, firstOf(hurry.signal, signal));
    this.#waiting.delete(hurry);
  }
}
