import type { Cluster, ClusterOptions } from '../../../src/cluster/index.ts';
import { createCluster } from '../../../src/cluster/index.ts';
import { headers, clusterOptions } from '../objects.ts';

/** Runs `work` on a cluster of its own, when its default namespace is ready for pods. */
export async function onCluster<T>(
  work: (cluster: Cluster) => Promise<T>,
  options: Omit<ClusterOptions, 'name'> = clusterOptions,
): Promise<T> {
  const cluster = await createCluster({ name: 'bench', ...options });
  // A cluster's clock does not keep the process alive, so it would end while pods wait for a timer.
  const alive = setInterval(() => undefined, 60_000);
  try {
    await accountIn(cluster);
    return await work(cluster);
  } finally {
    clearInterval(alive);
    await cluster.stop();
  }
}

/** Pods are refused until the service account that they run as is there. */
async function accountIn(cluster: Cluster): Promise<void> {
  const account = 'http://bench.local/api/v1/namespaces/default/serviceaccounts/default';
  for (;;) {
    const response = await cluster.fetch(new Request(account, { headers }));
    if ((await response.text()).includes('"secrets"')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
