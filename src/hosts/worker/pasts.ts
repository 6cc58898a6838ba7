import type { Cluster, Past } from '../../cluster/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** So many moments are kept open; those that were asked for last. */
const MOST_OPEN = 3;

/** The moments of a cluster's past that somebody looks at. */
export class Pasts {
  readonly #cluster: Cluster;
  readonly #open = new Map<number, Promise<Past>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Opens a moment, or goes on with it. Rejects where its revision is not kept. */
  at(revision: number): Promise<Past> {
    const opening = this.#open.get(revision) ?? this.#cluster.at(revision);
    // What was asked for last stands at the end.
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
