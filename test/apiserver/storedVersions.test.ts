import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';

const PATH = {
  path: '/',
  pathType: 'ImplementationSpecific',
  backend: { serviceName: 'web', servicePort: 80 },
};

// Another server of the same etcd writes what it prefers: the reference at v1.20 stores ingresses as v1beta1.
test('an object stored in another version is read, changed and watched like any other', async () => {
  const cluster = await createCluster({ name: 'versions', naming: 'k8s.io', clock: 'manual', seed: 'versions' });
  const stored = {
    kind: 'Ingress',
    apiVersion: 'networking.k8s.io/v1beta1',
    metadata: { name: 'web', namespace: 'default', uid: 'one', creationTimestamp: '2020-12-08T17:59:43Z' },
    spec: { rules: [{ http: { paths: [PATH] } }] },
    status: { loadBalancer: {} },
  };
  const key = '/registry/networking.k8s.io/ingresses/default/web';
  await cluster.storage.commit([{ type: 'put', key, value: JSON.stringify(stored) }]);
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses/web';
  const ask = cluster.transportAs('admin');
  const read = (await (await ask(path, {})).json()) as { apiVersion: string; spec: object };
  expect(read.apiVersion).toBe('networking.k8s.io/v1');
  const backend = { service: { name: 'web', port: { number: 80 } } };
  expect(read.spec).toMatchObject({ rules: [{ http: { paths: [{ path: '/', backend }] } }] });
  const patched = await ask(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"metadata":{"labels":{"a":"b"}}}',
  });
  expect(patched.status).toBe(200);
  expect(JSON.parse(cluster.storage.get(key)?.value ?? '{}')).toMatchObject({
    metadata: { uid: 'one', labels: { a: 'b' } },
    spec: { rules: [{ http: { paths: [{ backend: expect.anything() as object }] } }] },
  });
  await cluster.stop();
});
