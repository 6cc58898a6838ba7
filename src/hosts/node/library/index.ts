/** The package `vitrine`: a control plane for tests, in process or at a port. */
import { randomBytes } from 'node:crypto';
import { createCluster as create, requireForms, type Cluster, type ClusterOptions } from '../../../cluster/index.ts';
import { withAdministrator } from '../administrator.ts';
import { kubeconfigOf } from '../../kubeconfig.ts';
import { listen as listenTo } from '../serve.ts';
import { resetter } from './reset.ts';
import type { CreateCluster, Listen, Options, TestCluster } from './types.ts';

export type * from './types.ts';

/** Programs without types misspell options, too. */
function optionsOf({ naming = 'k8s.io', ...options }: Options): ClusterOptions {
  requireForms(options);
  return { ...options, naming, name: 'vitrine', storage: 'memory' };
}

/** Makes a control plane in this process. Rejects where a flag is wrong. */
export const createCluster: CreateCluster = async (options = {}) =>
  testCluster(await create(optionsOf(options), { keep: Infinity, partsWhenUsed: true }));

/** Makes a control plane that answers at a port of the loopback interface. */
export const listen: Listen = async ({ port = 0, tls = true, ...options } = {}) => {
  const token = randomBytes(12).toString('hex');
  const { cluster: asked } = withAdministrator(optionsOf(options), () => token);
  const cluster = await create(asked, { keep: Infinity, partsWhenUsed: true });
  const served = await listenTo(cluster, { port, host: '127.0.0.1', tls, cluster: asked }).catch(async (error) => {
    await cluster.stop();
    throw error;
  });
  const { url, authority } = served;
  return {
    ...(await testCluster(cluster)),
    ...{ url, token, authority },
    kubeconfig: kubeconfigOf({ name: 'vitrine', url, authority, user: { token } }),
    stop: () => served.close(),
  };
};

async function testCluster(cluster: Cluster): Promise<TestCluster> {
  const fetch = cluster.transportAs('admin');
  return {
    fetch: (path, init) => fetch(path, init),
    request: (request) => cluster.fetch(request, { from: 'http' }),
    clock: { now: () => cluster.clock.now(), step: (ms) => cluster.clock.step(ms) },
    reset: await resetter(cluster, fetch),
    stop: () => cluster.stop(),
  };
}
