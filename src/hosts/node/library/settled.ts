/** Waits until a new cluster is ready for a test: accounts that pods run as, and nodes that accept pods. */
import type { Cluster } from '../../../cluster/index.ts';
import { getOwn, isObject } from '../../../std/index.ts';

type Holds = (object: Readonly<Record<string, unknown>>) => boolean;

/** Milliseconds without a write after which nothing more is expected, because flags prevent it. */
const QUIET = 5_000;

const ALL = { start: '/registry/', end: '/registry0' };

/** Leases are written as long as the cluster runs. */
export const isLease = (key: string): boolean => key.startsWith('/registry/coordination.');

/**
 * Resolves when the `default` account of `default` and of the system's namespace has its token, and all simulated nodes
 * are ready and accept pods. Flags can prevent this; then it resolves after five seconds without a write.
 */
export async function settled(cluster: Cluster): Promise<void> {
  const { storage } = cluster;
  const missing = expected(cluster);
  const see = (key: string, value: string): void => {
    if (missing.get(key)?.(JSON.parse(value) as Record<string, unknown>)) missing.delete(key);
  };
  for (const key of [...missing.keys()]) see(key, storage.get(key)?.value ?? '{}');
  if (missing.size === 0) return;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(finish, QUIET);
    const watch = storage.watch(
      { ...ALL, from: storage.revision, bufferLimit: Infinity },
      (events) => {
        for (const { key, entry } of events) if (entry && missing.has(key)) see(key, entry.value);
        if (missing.size === 0) return finish();
        if (events.every(({ key }) => isLease(key))) return;
        clearTimeout(timer);
        timer = setTimeout(finish, QUIET);
      },
      finish,
    );
    function finish(): void {
      clearTimeout(timer);
      watch.close();
      resolve();
    }
  });
}

/** What has to hold for the objects at these keys, as far as the running controllers can achieve it. */
function expected({ controllers, names, options }: Cluster): Map<string, Holds> {
  const running = new Set(controllers.view().controllers.map(({ name }) => name));
  const hasToken: Holds = ({ secrets }) => Array.isArray(secrets);
  const exists: Holds = ({ kind }) => kind === 'ServiceAccount';
  const untainted = running.has('nodelifecycle');
  const accounts = running.has('serviceaccount') ? ['default', names.systemNamespace] : [];
  const nodes = Array.from({ length: options.nodes ?? 0 }, (_, at) => `/registry/nodes/node-${at + 1}`);
  return new Map<string, Holds>([
    ...accounts.map((namespace): [string, Holds] => [
      `/registry/serviceaccounts/${namespace}/default`,
      running.has('serviceaccount-token') ? hasToken : exists,
    ]),
    ...nodes.map((key): [string, Holds] => [key, (node) => isReady(node) && !(untainted && isTainted(node))]),
  ]);
}

const isReady: Holds = ({ status }) => {
  const conditions: unknown = isObject(status) ? getOwn(status, 'conditions') : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isObject(each) && each['type'] === 'Ready' && each['status'] === 'True')
  );
};

const isTainted: Holds = ({ spec }) => isObject(spec) && spec['taints'] !== undefined;
