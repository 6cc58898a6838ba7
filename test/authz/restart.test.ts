/** What a restart makes of default roles and bindings that somebody changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

let cluster: Cluster;

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await cluster.transportAs('system:apiserver')(`${RBAC}/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': type } }),
  });
  return { code: response.status, ...((await response.json()) as object) };
}

beforeAll(async () => {
  const disk = memoryDisk();
  const boot = (): Promise<Cluster> =>
    createCluster(
      { name: 'restart', naming: 'k8s.io', clock: 'manual', controllerManager: ['--controllers=-*'] },
      { backend: memoryBackend(disk) },
    );
  cluster = await boot();
  const changes: [string, string, object?][] = [
    ['DELETE', 'clusterroles/system:discovery'],
    ['PATCH', 'clusterroles/system:basic-user', { rules: [{ verbs: ['get'], nonResourceURLs: ['/mine'] }] }],
    ['PATCH', 'clusterroles/system:heapster', { metadata: { labels: null, annotations: null } }],
    ['PATCH', 'clusterroles/system:monitoring', { rules: [], metadata: { annotations: { [AUTOUPDATE]: 'false' } } }],
    ['PATCH', 'clusterroles/view', { aggregationRule: null }],
    ['PATCH', 'clusterrolebindings/system:discovery', { subjects: [{ kind: 'User', name: 'mine' }] }],
    [
      'PATCH',
      'clusterrolebindings/system:monitoring',
      { subjects: [], metadata: { annotations: { [AUTOUPDATE]: 'false' } } },
    ],
    ['DELETE', 'clusterrolebindings/system:basic-user'],
    [
      'POST',
      'clusterrolebindings',
      {
        metadata: { name: 'system:basic-user', labels: { mine: 'x' } },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'User', name: 'mine' }],
      },
    ],
    ['DELETE', 'namespaces/kube-public/rolebindings/system:controller:bootstrap-signer'],
    ['DELETE', 'clusterroles/system:aggregate-to-edit'],
    [
      'PATCH',
      'clusterroles/edit',
      { aggregationRule: null, rules: [{ verbs: ['get'], apiGroups: ['mine'], resources: ['things'] }] },
    ],
    ['DELETE', 'clusterrolebindings/system:public-info-viewer'],
  ];
  for (const [method, path, body] of changes) {
    const { code } = await call(method, path, body);
    if (Number(code) >= 300) throw new Error(`${method} ${path}: ${String(code)}`);
  }
  await cluster.stop();
  cluster = await boot();
}, 60_000);

afterAll(() => cluster.stop());

const bootstrapping = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

describe('after a restart', () => {
  it.each<[string, string, object]>([
    [
      'a role that was deleted is there',
      'clusterroles/system:discovery',
      { code: 200, metadata: { labels: bootstrapping } },
    ],
    [
      'a role has its rules again beside what was added',
      'clusterroles/system:basic-user',
      {
        rules: [
          { verbs: ['get'], nonResourceURLs: ['/mine'] },
          { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'] },
          { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'] },
        ],
      },
    ],
    [
      'labels and annotations are back',
      'clusterroles/system:heapster',
      { metadata: { labels: bootstrapping, annotations: { [AUTOUPDATE]: 'true' } } },
    ],
    [
      'a role that is kept from updates is as it was',
      'clusterroles/system:monitoring',
      { rules: null, metadata: { annotations: { [AUTOUPDATE]: 'false' } } },
    ],
    [
      'a role gathers again',
      'clusterroles/view',
      {
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
        },
      },
    ],
    [
      'a binding has its subjects again beside what was added',
      'clusterrolebindings/system:discovery',
      {
        subjects: [
          { kind: 'User', name: 'mine' },
          { kind: 'Group', name: 'system:authenticated' },
        ],
      },
    ],
    [
      'a binding of another role is the default, and nobody else is in it',
      'clusterrolebindings/system:basic-user',
      {
        metadata: { labels: bootstrapping },
        roleRef: { name: 'system:basic-user' },
        subjects: [{ kind: 'Group', name: 'system:authenticated' }],
      },
    ],
    [
      'what a role for people had come to hold is now gathered from where its rules stand',
      'clusterroles/system:aggregate-to-edit',
      {
        metadata: { labels: { ...bootstrapping, 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } },
        rules: expect.arrayContaining([
          { verbs: ['get'], apiGroups: ['mine'], resources: ['things'] },
          { verbs: ['impersonate'], apiGroups: [''], resources: ['serviceaccounts'] },
        ]) as unknown,
      },
    ],
    [
      'a binding that was a part of another has its subjects',
      'clusterrolebindings/system:public-info-viewer',
      {
        roleRef: { name: 'system:public-info-viewer' },
        subjects: [
          { kind: 'User', name: 'mine' },
          { kind: 'Group', name: 'system:authenticated' },
          { kind: 'Group', name: 'system:unauthenticated' },
        ],
      },
    ],
    [
      'a binding in a namespace is there',
      'namespaces/kube-public/rolebindings/system:controller:bootstrap-signer',
      { code: 200, subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name: 'bootstrap-signer' }] },
    ],
  ])('%s', async (_what, path, expected) => {
    expect(await call('GET', path)).toMatchObject(expected);
  });

  it('a protected binding has no subjects', async () => {
    expect(await call('GET', 'clusterrolebindings/system:monitoring')).not.toHaveProperty('subjects');
  });
});
