import type { Transport } from '../client/index.ts';

/** Which nodes are cut off: packets don't reach them, and their agents don't reach the API server. */
export class NodeLinks {
  readonly #cut = new Set<string>();
  readonly #watches = new Map<string, AbortController>();

  /** Nodes that are cut off, by name. It changes as they do. */
  get isolated(): ReadonlySet<string> {
    return this.#cut;
  }

  /** Watches end when the node is cut off. */
  set(node: string, isCut: boolean): void {
    if (isCut === this.#cut.has(node)) return;
    if (!isCut) this.#cut.delete(node);
    else {
      this.#cut.add(node);
      this.#watches.get(node)?.abort(unreachable(node));
      this.#watches.delete(node);
    }
  }

  remove(node: string): void {
    this.#cut.delete(node);
    this.#watches.delete(node);
  }

  /** A transport that works while the node isn't cut off. */
  over(node: string, transport: Transport): Transport {
    return (path, init = {}) => {
      if (this.#cut.has(node)) return Promise.reject(unreachable(node));
      // Only what can last is ended: watches, which have a signal.
      if (!init.signal) return transport(path, init);
      const link = this.#watches.get(node) ?? new AbortController();
      this.#watches.set(node, link);
      return transport(path, { ...init, signal: AbortSignal.any([init.signal, link.signal]) });
    };
  }
}

const unreachable = (node: string): Error => new Error(`${node} does not reach the API server: the network is split`);
