/** Brings a cluster's objects back to how they were: for between two tests. */
import type { Cluster, Op } from '../../../cluster/index.ts';
import { isLease, settled } from './settled.ts';

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

const SERVICES = '/registry/services/';

/**
 * Records all objects after the cluster created its own; returns a function that restores them. Leases are not restored.
 */
export async function resetter(cluster: Cluster, fetch: Fetch): Promise<() => Promise<void>> {
  const { storage } = cluster;
  await settled(cluster);
  /** What the objects are to be, again and again: each reset leads there. */
  let start = storage.revision;
  return async () => {
    // Services release their addresses and ports.
    for (const key of changedSince(cluster, start).filter((each) => each.startsWith(SERVICES)))
      if (!storage.get(key, start)) await removeService(fetch, key.slice(SERVICES.length));
    for (let left = 3; left > 0; left--) {
      const ops = changedSince(cluster, start).flatMap((key) => backOf(cluster, key, start) ?? []);
      if (ops.length === 0) break;
      await storage.commit(ops);
    }
    start = storage.revision;
  };
}

const changedSince = ({ storage }: Cluster, revision: number): string[] => [
  ...new Set(
    storage
      .changesSince(revision)
      .map(({ key }) => key)
      .filter((key) => !isLease(key)),
  ),
];

function backOf({ storage }: Cluster, key: string, revision: number): Op | undefined {
  const [before, now] = [storage.get(key, revision), storage.get(key)];
  if (before?.value === now?.value) return undefined;
  return before ? { type: 'put', key, value: before.value } : { type: 'delete', key };
}

async function removeService(fetch: Fetch, path: string): Promise<void> {
  const [namespace, name] = path.split('/');
  await fetch(`/api/v1/namespaces/${namespace}/services/${name}`, { method: 'DELETE' });
}
