/** NodeRestriction: what the agent of node-1 may do. */
import { describe, expect, it } from 'vitest';
import { alice, node1, pluginIn, pod, request, verdictOf, type Asked, type Raw, type World } from './helpers.ts';

const world: World = {
  objects: {
    pods: [
      pod({ nodeName: 'node-1' }, { name: 'mine', uid: 'u-mine', namespace: 'ns' }),
      pod({ nodeName: 'node-2' }, { name: 'other', uid: 'u-other', namespace: 'ns' }),
    ],
    nodes: [{ metadata: { name: 'node-1', uid: 'u-node' } }],
  },
};

const mirror = { 'kubernetes.io/config.mirror': 'x' };
const owner = { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'u-node', controller: true };
const mirrorPod = (spec: Raw = {}, metadata: Raw = {}): Raw =>
  pod({ nodeName: 'node-1', ...spec }, { annotations: mirror, ownerReferences: [owner], ...metadata });
const node = (metadata: Raw = {}, spec: Raw = {}): Raw => ({ metadata: { name: 'node-1', ...metadata }, spec });
const claim = (status: Raw, metadata: Raw = {}): Raw => ({ metadata: { name: 'v', ...metadata }, spec: {}, status });
const token = (boundObjectRef?: Raw): Raw => ({
  metadata: {},
  spec: { audiences: ['a'], ...(boundObjectRef ? { boundObjectRef } : {}) },
});
const lease = (name: string): Raw => ({ metadata: { name }, spec: {} });
const said = (what: string, who = 'node "node-1"'): string => `${who} ${what}`;

const table: readonly [string, string, Asked, string][] = [
  // Pods.
  ['a mirror pod', 'CREATE pods', { object: mirrorPod() }, 'allowed'],
  [
    'a pod that mirrors nothing',
    'CREATE pods',
    { object: mirrorPod({}, { annotations: {} }) },
    said('can only create mirror pods', 'pod does not have "kubernetes.io/config.mirror" annotation, node "node-1"'),
  ],
  [
    'a mirror pod elsewhere',
    'CREATE pods',
    { object: mirrorPod({ nodeName: 'node-2' }) },
    said('can only create pods with spec.nodeName set to itself'),
  ],
  [
    'a mirror pod without owner',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [] }) },
    said('can only create pods with an owner reference set to itself'),
  ],
  [
    'a mirror pod of two',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [owner, { ...owner, name: 'x' }] }) },
    said('can only create pods with a single owner reference set to itself'),
  ],
  [
    'a mirror pod of another node',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [{ ...owner, name: 'node-2' }] }) },
    said('can only create pods with an owner reference set to itself'),
  ],
  [
    'a mirror pod that it does not control',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [{ ...owner, controller: false }] }) },
    said('can only create pods with a controller owner reference set to itself'),
  ],
  [
    'a mirror pod that blocks',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }) },
    said('must not set blockOwnerDeletion on an owner reference'),
  ],
  [
    'a mirror pod of a node that was',
    'CREATE pods',
    { object: mirrorPod({}, { ownerReferences: [{ ...owner, uid: 'old' }] }) },
    'node node-1 UID mismatch: expected old got u-node',
  ],
  [
    'a mirror pod with an account',
    'CREATE pods',
    { object: mirrorPod({ serviceAccountName: 'a' }) },
    said('can not create pods that reference a service account'),
  ],
  [
    'a mirror pod with a secret',
    'CREATE pods',
    { object: mirrorPod({ imagePullSecrets: [{ name: 's' }] }) },
    said('can not create pods that reference secrets'),
  ],
  [
    'a mirror pod with a config map',
    'CREATE pods',
    { object: mirrorPod({ containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'm' } }] }] }) },
    said('can not create pods that reference configmaps'),
  ],
  [
    'a mirror pod with a claim',
    'CREATE pods',
    { object: mirrorPod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }) },
    said('can not create pods that reference persistentvolumeclaims'),
  ],
  [
    'an update',
    'UPDATE pods',
    { object: mirrorPod(), old: mirrorPod() },
    said('can only create and delete mirror pods', 'unexpected operation "UPDATE", node "node-1"'),
  ],
  ['its pod’s deletion', 'DELETE pods', { name: 'mine' }, 'allowed'],
  [
    'another’s deletion',
    'DELETE pods',
    { name: 'other' },
    said('can only delete pods with spec.nodeName set to itself'),
  ],
  ['the deletion of what is gone', 'DELETE pods', { name: 'gone' }, '404 pods "gone" not found'],
  ['its pod’s status', 'UPDATE pods/status', { object: mirrorPod(), old: mirrorPod() }, 'allowed'],
  [
    'another’s status',
    'UPDATE pods/status',
    { object: mirrorPod({ nodeName: 'node-2' }), old: mirrorPod({ nodeName: 'node-2' }) },
    said('can only update pod status for pods with spec.nodeName set to itself'),
  ],
  [
    'labels by status',
    'UPDATE pods/status',
    { object: mirrorPod({}, { labels: { a: 'b' } }), old: mirrorPod() },
    said('cannot update labels through pod status'),
  ],
  [
    'its pod’s eviction',
    'CREATE pods/eviction',
    { name: 'mine', object: { metadata: { name: 'mine' } }, body: 'evictions.policy' },
    'allowed',
  ],
  [
    'another’s eviction',
    'CREATE pods/eviction',
    { name: 'other', object: { metadata: { name: 'other' } }, body: 'evictions.policy' },
    'node node-1 can only evict pods with spec.nodeName set to itself',
  ],
  [
    'a binding',
    'CREATE pods/binding',
    { name: 'mine', object: { metadata: { name: 'mine' } }, body: 'bindings' },
    `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
  ],
  // Its node.
  [
    'its node',
    'CREATE nodes',
    {
      object: node({
        labels: {
          'kubernetes.io/hostname': 'a',
          'node.kubernetes.io/x': '',
          'a.kubelet.kubernetes.io/y': '',
          'example.com/z': '',
        },
      }),
    },
    'allowed',
  ],
  [
    'another node',
    'CREATE nodes',
    { object: node({ name: 'node-2' }) },
    said('is not allowed to modify node "node-2"'),
  ],
  [
    'a label that is kept from it',
    'CREATE nodes',
    { object: node({ labels: { 'x.node-restriction.kubernetes.io/a': '' } }) },
    said('is not allowed to set the following labels: x.node-restriction.kubernetes.io/a'),
  ],
  [
    'labels of the product',
    'CREATE nodes',
    { object: node({ labels: { 'b.k8s.io/x': '', 'kubernetes.io/role': '' } }) },
    said('is not allowed to set the following labels: b.k8s.io/x, kubernetes.io/role'),
  ],
  [
    'where its configuration is',
    'CREATE nodes',
    { object: node({}, { configSource: { configMap: { namespace: 'a', name: 'b', kubeletConfigKey: 'c' } } }) },
    said('is not allowed to create pods with a non-nil configSource'),
  ],
  ['an update', 'UPDATE nodes', { object: node({ labels: { a: 'b' } }), old: node() }, 'allowed'],
  [
    'its taints',
    'UPDATE nodes',
    { object: node(), old: node({}, { taints: [{ key: 'a', effect: 'NoSchedule' }] }) },
    said('is not allowed to modify taints'),
  ],
  [
    'a label taken away',
    'UPDATE nodes',
    { object: node(), old: node({ labels: { 'node-restriction.kubernetes.io/a': '' } }) },
    'is not allowed to modify labels: node-restriction.kubernetes.io/a',
  ],
  [
    'a label that stays',
    'UPDATE nodes/status',
    { object: node({ labels: { 'kubernetes.io/role': '' } }), old: node({ labels: { 'kubernetes.io/role': '' } }) },
    'allowed',
  ],
  ['its deletion', 'DELETE nodes', { name: 'node-1' }, 'allowed'],
  ['another’s deletion', 'DELETE nodes', { name: 'node-2' }, said('is not allowed to modify node "node-2"')],
  // Claims, tokens, leases, drivers.
  [
    'the size of a claim',
    'UPDATE persistentvolumeclaims/status',
    {
      object: claim({ capacity: { storage: '2Gi' }, phase: 'Bound' }),
      old: claim({ capacity: { storage: '1Gi' }, phase: 'Bound' }),
    },
    'allowed',
  ],
  [
    'a claim’s phase',
    'UPDATE persistentvolumeclaims/status',
    { object: claim({ phase: 'Lost' }), old: claim({ phase: 'Bound' }) },
    said('is not allowed to update fields other than status.capacity and status.conditions'),
  ],
  [
    'a claim’s labels',
    'UPDATE persistentvolumeclaims/status',
    { object: claim({}, { labels: { a: 'b' } }), old: claim({}) },
    said('is not allowed to update fields other than status.capacity and status.conditions'),
  ],
  ['a claim', 'UPDATE persistentvolumeclaims', { object: claim({}), old: claim({}) }, 'may only update PVC status'],
  [
    'its pod’s token',
    'CREATE serviceaccounts/token',
    {
      name: 'a',
      body: 'tokenrequests.authentication.k8s.io',
      object: token({ apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'u-mine' }),
    },
    'allowed',
  ],
  [
    'a token for nobody',
    'CREATE serviceaccounts/token',
    { name: 'a', body: 'tokenrequests.authentication.k8s.io', object: token() },
    'node requested token not bound to a pod',
  ],
  [
    'a token for any such pod',
    'CREATE serviceaccounts/token',
    {
      name: 'a',
      body: 'tokenrequests.authentication.k8s.io',
      object: token({ apiVersion: 'v1', kind: 'Pod', name: 'mine' }),
    },
    'node requested token with a pod binding without a uid',
  ],
  [
    'a token for a pod that was',
    'CREATE serviceaccounts/token',
    {
      name: 'a',
      body: 'tokenrequests.authentication.k8s.io',
      object: token({ apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'old' }),
    },
    'the UID in the bound object reference (old) does not match the UID in record (u-mine). The object might have been deleted and then recreated',
  ],
  [
    'a token for another’s pod',
    'CREATE serviceaccounts/token',
    {
      name: 'a',
      body: 'tokenrequests.authentication.k8s.io',
      object: token({ apiVersion: 'v1', kind: 'Pod', name: 'other', uid: 'u-other' }),
    },
    'node requested token bound to a pod scheduled on a different node',
  ],
  [
    'its lease',
    'CREATE leases.coordination.k8s.io',
    { object: lease('node-1'), namespace: 'kube-node-lease' },
    'allowed',
  ],
  [
    'another’s lease',
    'UPDATE leases.coordination.k8s.io',
    { object: lease('node-2'), old: lease('node-2'), namespace: 'kube-node-lease' },
    'can only access node lease with the same name as the requesting node',
  ],
  [
    'a lease elsewhere',
    'CREATE leases.coordination.k8s.io',
    { object: lease('node-1') },
    'can only access leases in the "kube-node-lease" system namespace',
  ],
  [
    'its drivers',
    'CREATE csinodes.storage.k8s.io',
    { object: { metadata: { name: 'node-1' }, spec: { drivers: [] } } },
    'allowed',
  ],
  [
    'another’s drivers',
    'DELETE csinodes.storage.k8s.io',
    { name: 'node-2' },
    'can only access CSINode with the same name as the requesting node',
  ],
  ['anything else', 'CREATE configmaps', { object: { metadata: { name: 'm' } } }, 'allowed'],
];

describe('NodeRestriction', () => {
  it.each(table)('%s: %s', async (_what, what, asked, expected) => {
    const verdict = await verdictOf(pluginIn('NodeRestriction', world), request(what, { user: node1, ...asked }));
    if (expected === 'allowed' || expected.startsWith('404')) expect(verdict).toBe(expected);
    else expect(verdict.replace(/^403 [a-z.0-9]+ "[^"]+" is forbidden: /, '')).toBe(expected);
  });

  it.each([
    ['anyone else', alice, 'allowed'],
    [
      'a node that says not which',
      { ...node1, name: 'system:node:' },
      '403 nodes "node-2" is forbidden: could not determine node from user "system:node:"',
    ],
    ['a name alone', { ...node1, groups: [] }, 'allowed'],
  ])('%s', async (_what, user, expected) => {
    expect(await verdictOf(pluginIn('NodeRestriction', world), request('DELETE nodes', { user, name: 'node-2' }))).toBe(
      expected,
    );
  });

  it('keeps the size of claims where volumes can’t be expanded', async () => {
    const plugin = pluginIn('NodeRestriction', { ...world, off: ['ExpandPersistentVolumes'] });
    const attributes = request('UPDATE persistentvolumeclaims/status', {
      user: node1,
      object: claim({}),
      old: claim({}),
    });
    expect(await verdictOf(plugin, attributes)).toContain('is not allowed to update persistentvolumeclaim metadata');
  });
});
