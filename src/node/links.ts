import type { Transport } from '../client/index.ts';
import { firstOf, Stop, stoppedBy } from '../std/index.ts';

/** A network partition: the requests that it interrupts, and those that wait for its end. */
interface Cut {
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Network partitions of nodes: packets do not reach them, and their agents' requests to the API server wait until the
 * partition ends.
 */
export class NodeLinks {
  readonly #isolated = new Set<string>();
  readonly #cuts = new Map<string, Cut>();
  readonly #watches = new Map<string, Stop>();

  /** The names of partitioned nodes; a live set. */
  get isolated(): ReadonlySet<string> {
    return this.#isolated;
  }

  /** Watches end when the partition begins. */
  set(node: string, isCut: boolean): void {
    if (isCut === this.#isolated.has(node)) return;
    if (!isCut) return this.#join(node);
    this.#isolated.add(node);
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#cuts.set(node, { over, end });
    this.#watches.get(node)?.abort();
    this.#watches.delete(node);
  }

  remove(node: string): void {
    this.#join(node);
    this.#watches.delete(node);
  }

  /** A transport that waits while the node is partitioned. */
  over(node: string, transport: Transport): Transport {
    return async (path, init = {}) => {
      for (let cut = this.#cuts.get(node); cut; cut = this.#cuts.get(node)) await cut.over;
      const stop = init.stop ?? init.signal;
      // Only watches are aborted when a partition begins. Only they have a signal.
      if (!stop) return transport(path, init);
      if (stop.aborted) throw new Error('the request was cancelled');
      const link = this.#watches.get(node) ?? new Stop();
      this.#watches.set(node, link);
      const { method = 'GET', headers = {} } = init;
      return transport(path, stoppedBy(firstOf(stop, link), { method, headers }));
    };
  }

  #join(node: string): void {
    this.#isolated.delete(node);
    this.#cuts.get(node)?.end();
    this.#cuts.delete(node);
  }
}
