/** What a cluster has before anybody uses it. */
import { afterEach, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';

let cluster: Cluster | undefined;
afterEach(() => cluster?.stop());

const boot = async (disk = memoryDisk()): Promise<Cluster> =>
  (cluster = await createCluster(
    {
      name: 'first',
      clock: 'manual',
      controllerManager: ['--controllers=-*'],
      apiserver: ['--disable-admission-plugins=ServiceAccount'],
    },
    { backend: memoryBackend(disk) },
  ));

const LIMITS = '/api/v1/namespaces/default/limitranges/limits';
const call = (path: string, method = 'GET', body?: object): Promise<Response> =>
  (cluster as Cluster).transportAs('system:apiserver')(path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

it('containers in the default namespace request a tenth of a CPU by default', async () => {
  await boot();
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const pod = await call('/api/v1/namespaces/default/pods?dryRun=All', 'POST', {
    metadata: { name: 'p' },
    spec,
  });
  expect(await pod.json()).toMatchObject({ spec: { containers: [{ resources: { requests: { cpu: '100m' } } }] } });
});

it('does not restore deleted limits', async () => {
  const disk = memoryDisk();
  await boot(disk);
  expect((await call(LIMITS, 'DELETE')).status).toBe(200);
  await cluster?.stop();
  await boot(disk);
  expect((await call(LIMITS)).status).toBe(404);
});

it('advertises the API server’s address from the flags', async () => {
  await boot();
  const endpoints = await (await call('/api/v1/namespaces/default/endpoints/cluster')).json();
  expect(endpoints).toMatchObject({ subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 6443 }] }] });
  const slices = await (await call('/apis/discovery.cluster.io/v1beta1/namespaces/default/endpointslices')).json();
  expect(slices).toMatchObject({ items: [{ endpoints: [{ addresses: ['192.0.2.1'] }] }] });
});

it('creates the objects of a new cluster without reading them first, and reads them in a reopened one', async () => {
  const disk = memoryDisk();
  const reads = async (): Promise<string[]> => {
    const text = await (await call('/metrics')).text();
    const lines = text.split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
    return lines.filter((line) => line.includes('resource="clusterroles"') && line.includes('verb="GET"'));
  };
  await boot(disk);
  expect(await reads()).toEqual([]);
  await cluster?.stop();
  await boot(disk);
  expect(await reads()).toEqual([expect.stringContaining('code="200"')]);
});

it('completes a cluster whose first start was interrupted', async () => {
  const disk = memoryDisk();
  await boot(disk);
  const missing = '/apis/rbac.authorization.cluster.io/v1/clusterroles/cluster-admin';
  expect((await call(missing, 'DELETE')).status).toBe(200);
  await cluster?.stop();
  await boot(disk);
  expect((await call(missing)).status).toBe(200);
});
