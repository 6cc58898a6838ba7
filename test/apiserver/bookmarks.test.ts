/** The object of a bookmark: empty, but for what the reference's conversion adds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await createCluster({ name: 'bookmarks', naming: 'k8s.io', clock: 'manual' });
});
afterAll(() => cluster.stop());

interface Marked {
  readonly type: string;
  readonly object: { readonly metadata: { readonly annotations?: object }; readonly spec?: Record<string, unknown> };
}

async function bookmarkOf(path: string): Promise<Marked> {
  const query = 'watch=1&allowWatchBookmarks=true&timeoutSeconds=4&fieldSelector=metadata.name%3Dnone';
  const response = await cluster.transportAs('admin')(`${path}?${query}`);
  const text = response.text();
  await cluster.clock.step(4000);
  return JSON.parse((await text).split('\n')[0] ?? '') as Marked;
}

test.each<[string, object | undefined, object]>([
  ['/api/v1/replicationcontrollers', undefined, { replicas: 0 }],
  ['/apis/apps/v1/deployments', undefined, { replicas: 0, selector: null }],
  ['/apis/apps/v1/replicasets', undefined, { replicas: 0, selector: null }],
  ['/apis/apps/v1/statefulsets', undefined, { replicas: 0, serviceName: '' }],
  ['/apis/apps/v1/daemonsets', { 'deprecated.daemonset.template.generation': '0' }, { selector: null }],
  ['/apis/policy/v1beta1/podsecuritypolicies', undefined, { allowPrivilegeEscalation: false }],
  ['/apis/batch/v1/jobs', undefined, {}],
])('of %s', async (path, annotations, spec) => {
  const { type, object } = await bookmarkOf(path);
  expect(type).toBe('BOOKMARK');
  expect(object.metadata.annotations).toEqual(annotations);
  expect(object.spec).toMatchObject(spec);
});
