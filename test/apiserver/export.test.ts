/** Objects as one would write them to make them anew. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { asRoot, Call, smallCluster } from './flowCluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await smallCluster();
});
afterAll(() => cluster.stop());

type Sent = Readonly<Record<string, unknown>>;

async function exported(collection: string, object: Sent & { metadata: { name: string } }, query = ''): Promise<Sent> {
  await asRoot(cluster, 'POST', collection, object);
  const path = `${collection}/${object.metadata.name}?export=true${query}`;
  const found = (await asRoot(cluster, 'GET', path)) as { metadata: Record<string, unknown> };
  const { managedFields: _, ...metadata } = found.metadata;
  return { ...found, metadata };
}

const inDefault = (group: string, resource: string): string => `${group}/namespaces/default/${resource}`;

test('have no identity, and no namespace unless requested', async () => {
  const maps = inDefault('/api/v1', 'configmaps');
  const object = { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } };
  const { metadata } = await exported(maps, object);
  expect(metadata).toEqual({ name: 'a', labels: { x: 'y' }, creationTimestamp: null });
  const exact = await exported(maps, { ...object, metadata: { ...object.metadata, name: 'b' } }, '&exact=true');
  expect(exact['metadata']).toMatchObject({ name: 'b', namespace: 'default' });
});

test('have no status', async () => {
  const container = { name: 'c', image: 'i' };
  const spec = {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
  };
  const made = await exported(inDefault('/apis/apps/v1', 'replicasets'), { metadata: { name: 'r' }, spec });
  expect(made).toMatchObject({ metadata: { generation: 1 }, status: { replicas: 0 } });
  const node = { metadata: { name: 'n' }, status: { capacity: { cpu: '1' } } };
  expect((await exported('/api/v1/nodes', node))['status']).not.toHaveProperty('capacity');
});

test('have no allocated addresses and ports', async () => {
  const services = inDefault('/api/v1', 'services');
  const spec = { type: 'NodePort', ports: [{ port: 1 }] };
  const made = (await exported(services, { metadata: { name: 's' }, spec })) as { spec: Record<string, unknown> };
  expect(made.spec).not.toHaveProperty('clusterIP');
  expect(made.spec['ports']).toEqual([{ port: 1, protocol: 'TCP', targetPort: 1 }]);
  const headless = { clusterIP: 'None', ports: [{ port: 1 }] };
  const none = await exported(services, { metadata: { name: 'h' }, spec: headless });
  expect(none['spec']).toMatchObject({ clusterIP: 'None' });
});

test.each([
  ['/api/v1/namespaces/default/secrets/token?export=true', 422],
  ['/api/v1/namespaces/default/secrets/token?export=true&exact=true', 200],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles/view?export', 400],
  ['/api/v1/componentstatuses/scheduler?export=1', 400],
  ['/api/v1/nodes/n/status?export=true', 400],
  ['/api/v1/namespaces/default?export=false', 200],
  ['/api/v1/namespaces/none?export=true', 404],
])('%s is answered with %d', async (path, code) => {
  const metadata = { name: 'token', annotations: { 'kubernetes.io/service-account.uid': 'x' } };
  await new Call(cluster, 'root', '/api/v1/namespaces/default/secrets', {
    method: 'POST',
    body: JSON.stringify({ metadata }),
  }).answered;
  expect((await new Call(cluster, 'root', path).answered).status).toBe(code);
});
