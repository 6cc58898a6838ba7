import { restoreDatabase, type Cluster } from '../../cluster/index.ts';
import type { Pasts } from './pasts.ts';

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
