/** A cluster of a test as a client reaches it, with an administrator's token. */
import type { Transport } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { useSession } from '../../src/ui/stores/session.ts';

export const administratorFlags = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
export const administratorFiles = { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' };

/** A cluster in memory that an administrator reaches; only the controllers that are named run. */
export const clusterFor = (naming: 'k8s.io' | 'cluster.io', controllers: readonly string[] = []): Promise<Cluster> =>
  createCluster({
    name: 'page',
    naming,
    apiserver: administratorFlags,
    controllerManager: [`--controllers=${controllers.length > 0 ? controllers.join(',') : '-*'}`],
    files: administratorFiles,
    storage: 'memory',
  });

export const asTransport =
  (cluster: Cluster): Transport =>
  (path, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', 'Bearer admintoken');
    return cluster.fetch(new Request(new URL(path, 'http://page.test'), { ...init, headers }));
  };

/** Makes the page believe that the cluster is open in it. */
export function openInPage(cluster: Cluster, naming: 'k8s.io' | 'cluster.io'): void {
  const running = {
    name: 'page',
    options: { name: 'page', naming },
    base: '/clusters/page',
    transport: asTransport(cluster),
    trace: () => () => undefined,
    clock: {} as never,
    stop: () => cluster.stop(),
  };
  useSession.setState({ session: { phase: 'open', cluster: running, names: namesOf(naming) } });
}
