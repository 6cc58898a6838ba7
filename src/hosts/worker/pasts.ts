import type { Cluster, Past } from '../../cluster/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** The maximum number of open past states; the most recently used ones are kept. */
const MOST_OPEN = 3;

/** The past states of a cluster that are in use. */
export class Pasts {
  readonly #cluster: Cluster;
  readonly #open = new Map<number, Promise<Past>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Opens a past state, or reuses it. Rejects if its revision is not kept. */
  at(revision: number): Promise<Past> {
    const opening = this.#open.get(revision) ?? this.#cluster.at(revision);
    // The most recently used one is last.
    this.#open.delete(revision);
    this.#open.set(revision, opening);
    inBackground(opening, () => this.#open.delete(revision));
    for (const [oldest, past] of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(oldest);
      inBackground(
        past.then((each) => each.stop()),
        throwToHost,
      );
    }
    return opening;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#open.values()].map((past) => past.then((each) => each.stop())));
  }
}
