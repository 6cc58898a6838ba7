import { randomBytes } from 'node:crypto';
import { withAdministrator } from '../administrator.ts';
import { kubeconfigOf } from '../../kubeconfig.ts';
import { listen } from '../serve.ts';
import { makeCluster, optionsOf, testCluster } from './testCluster.ts';
import type { Listen } from './types.ts';

/** A control plane that answers at a port of the loopback interface. */
export const servedCluster: Listen = async ({ port = 0, tls = true, ...options } = {}) => {
  const token = randomBytes(12).toString('hex');
  const { cluster: asked } = withAdministrator(optionsOf(options), () => token);
  const cluster = await makeCluster(asked);
  const served = await listen(cluster, { port, host: '127.0.0.1', tls, cluster: asked }).catch(async (error) => {
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
