import { createCluster, requireForms, type Cluster, type ClusterOptions } from '../../../cluster/index.ts';
import { passForResponses } from '../../../std/index.ts';
import { resetter } from './reset.ts';
import type { Options, TestCluster } from './types.ts';

/** Programs without types misspell options, too. */
export function optionsOf({ naming = 'k8s.io', ...options }: Options): ClusterOptions {
  requireForms(options);
  return { ...options, naming, name: 'vitrine', storage: 'memory' };
}

/** Tokens are signed with an elliptic key: an RSA key takes 100 to 300 ms to make, an elliptic one a millisecond. */
export const makeCluster = (options: ClusterOptions): Promise<Cluster> =>
  createCluster(options, { keep: Infinity, partsWhenUsed: true, signingKey: 'EC' });

/** What a test sees of a cluster. */
export async function testCluster(cluster: Cluster): Promise<TestCluster> {
  const fetch = cluster.transportAs('admin');
  return {
    fetch: (path, init) => {
      passForResponses();
      return fetch(path, init);
    },
    request: (request) => {
      passForResponses();
      return cluster.fetch(request, { from: 'http' });
    },
    clock: { now: () => cluster.clock.now(), step: (ms) => cluster.clock.step(ms) },
    reset: await resetter(cluster, fetch),
    stop: () => cluster.stop(),
  };
}
