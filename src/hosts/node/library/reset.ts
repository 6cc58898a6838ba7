/** Brings a cluster's objects back to how they were: for between two tests. */
import type { Cluster, Op } from '../../../cluster/index.ts';

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Leases are signs of life: they go on. Ranges of the whole key space end here. */
const GOES_ON = /^\/registry\/coordination\./;
const SERVICES = '/registry/services/';

/** Records all objects after the cluster created its own; returns a function that restores them. */
export async function resetter(cluster: Cluster, fetch: Fetch): Promise<() => Promise<void>> {
  const { storage } = cluster;
  await Promise.all(['default', cluster.names.systemNamespace].map((name) => accountOf(cluster, fetch, name)));
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

/** Waits until pods can be made in a namespace: until it has the account that they run as, with its token. */
async function accountOf({ controllers }: Cluster, fetch: Fetch, namespace: string): Promise<void> {
  const running = new Set(controllers.view().controllers.map(({ name }) => name));
  if (!running.has('serviceaccount')) return;
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const response = await fetch(`${path}?watch=1&fieldSelector=metadata.name%3Ddefault`, {});
  const hasToken = running.has('serviceaccount-token');
  let events = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events += chunk;
    if (hasToken ? events.includes('"secrets":[{') : events.includes('"ADDED"')) return;
  }
}

const changedSince = ({ storage }: Cluster, revision: number): string[] => [
  ...new Set(
    storage
      .changesSince(revision)
      .map(({ key }) => key)
      .filter((key) => !GOES_ON.test(key)),
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
