import type { Cluster, Past } from '../../cluster/index.ts';
import { restoreDatabase } from '../../cluster/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** A request that carries it is answered as the cluster was at that revision. */
export const AT_HEADER = 'x-vitrine-at';

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

/** A moment that was opened. */
export interface PastMoment {
  readonly revision: number;
  /** What the cluster's clock showed; milliseconds since the epoch. */
  readonly now: number;
}

/** A change that came after a revision. */
export interface LaterChange {
  readonly revision: number;
  /** The storage key, such as `/registry/pods/default/web`. */
  readonly key: string;
  readonly type: 'created' | 'changed' | 'deleted';
}

type Route = (request: Request, url: URL) => Response | Promise<Response>;

const MOST_CHANGES = 200;

/** Heartbeats: they come all the time and tell nothing. */
const isBeat = (key: string): boolean => key.startsWith('/registry/leases/') || !key.startsWith('/registry/');

/** What the host offers of a cluster's past; see `createControl`. */
export function pastRoutes(cluster: Cluster, pasts: Pasts): Readonly<Record<string, Route>> {
  return {
    'POST /past': answering(async (request) => {
      const { revision } = (await request.json()) as { revision: number };
      const { now } = await pasts.at(revision);
      return { revision, now } satisfies PastMoment;
    }),
    'GET /past/next': answering((_request, url) => laterChanges(cluster, Number(url.searchParams.get('revision')))),
    'POST /past/fork': answering(async (request) => {
      const { revision, name } = (await request.json()) as { revision: number; name: string };
      await restoreDatabase(name, (await pasts.at(revision)).export());
      return {};
    }),
  };
}

/** A question whose failure is an answer too. */
function answering(answer: (request: Request, url: URL) => unknown): Route {
  return async (request, url) => {
    try {
      return Response.json(await answer(request, url));
    } catch (error) {
      return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status: 400 });
    }
  };
}

function laterChanges({ storage }: Cluster, revision: number): readonly LaterChange[] {
  return storage
    .changesSince(revision)
    .filter(({ key }) => !isBeat(key))
    .slice(0, MOST_CHANGES)
    .map((event) => ({
      revision: event.revision,
      key: event.key,
      type: event.type === 'delete' ? 'deleted' : event.previous ? 'changed' : 'created',
    }));
}
