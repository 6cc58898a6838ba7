import { describe, expect, it } from 'vitest';
import { namesOf } from '../../src/names/index.ts';
import { convertText } from '../../src/ui/editor/convert.ts';
import { convertName, convertValue } from '../../src/ui/editor/convertNames.ts';

/** Kinds at versions, as a server of v1.20 has them. */
const served = new Set([
  'CronJob batch/v1beta1',
  'HorizontalPodAutoscaler autoscaling/v2beta2',
  'PodDisruptionBudget policy/v1beta1',
  'Deployment apps/v1',
  'NetworkPolicy networking.k8s.io/v1',
  'PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta1',
  'Role rbac.authorization.k8s.io/v1',
  'ConfigMap v1',
]);
const serves = (apiVersion: string, kind: string): boolean =>
  served.has(`${kind} ${apiVersion.replace('.cluster.io/', '.k8s.io/')}`);
const field = namesOf('k8s.io');
const neutral = namesOf('cluster.io');

describe('an identifier', () => {
  it.each([
    ['rbac.authorization.k8s.io/v1', 'rbac.authorization.cluster.io/v1'],
    ['networking.k8s.io', 'networking.cluster.io'],
    ['flowcontrol.apiserver.k8s.io/v1beta1', 'flowcontrol.apiserver.cluster.io/v1beta1'],
    ['kubernetes.io/hostname', 'cluster.io/hostname'],
    ['node.kubernetes.io/not-ready', 'node.cluster.io/not-ready'],
    ['kubectl.kubernetes.io/last-applied-configuration', 'clusterctl.cluster.io/last-applied-configuration'],
    ['kubernetes.io/kube-apiserver-client', 'cluster.io/cluster-apiserver-client'],
    ['kube-system', 'cluster-system'],
    ['system:kube-scheduler', 'system:cluster-scheduler'],
  ])('%s is %s under the neutral names', (inField, inNeutral) => {
    expect(convertName(inField, 'cluster.io')).toBe(inNeutral);
    expect(convertName(inNeutral, 'k8s.io')).toBe(inField);
    expect(convertName(inField, 'k8s.io')).toBe(inField);
  });

  it.each([
    'apps/v1',
    'app.kubernetes.io/name',
    'gateway.networking.k8s.io/v1',
    'snapshot.storage.k8s.io/v1',
    'see https://kubernetes.io/docs for more',
    'k8s.io.example.com',
    'mykube-system',
  ])('%s stays', (text) => {
    expect(convertName(text, 'cluster.io')).toBe(text);
  });

  it('is converted wherever it stands in an object, as key too', () => {
    const object = { metadata: { labels: { 'kubernetes.io/os': 'linux' } }, groups: ['storage.k8s.io'], count: 3 };
    expect(convertValue(object, 'cluster.io')).toEqual({
      metadata: { labels: { 'cluster.io/os': 'linux' } },
      groups: ['storage.cluster.io'],
      count: 3,
    });
  });
});

const role = `# Reads pods.
apiVersion: rbac.authorization.k8s.io/v1   # the usual group
kind: Role
metadata:
  name: r
  annotations: { "kubernetes.io/description": 'kept as it is' }
rules:
    - apiGroups: [ "", "networking.k8s.io" ]
      resources: [pods]
      verbs: [get]
`;

describe('a text', () => {
  it('gets the names of the cluster; comments, quotes and indentation stay', () => {
    const converted = convertText(role, neutral, serves);
    expect(converted?.text).toBe(
      role
        .replace('rbac.authorization.k8s.io', 'rbac.authorization.cluster.io')
        .replace('networking.k8s.io', 'networking.cluster.io')
        .replace('kubernetes.io/description', 'cluster.io/description'),
    );
    expect(converted?.changes).toContain('rbac.authorization.k8s.io/v1 → rbac.authorization.cluster.io/v1');
    expect(convertText(converted?.text ?? '', field, serves)?.text).toBe(role);
  });

  it.each([
    ['that fits', role],
    ['that is empty', ''],
    ['of a kind that nobody knows', 'apiVersion: example.com/v9\nkind: Thing\nmetadata: { name: a }\n'],
    ['that can’t be read', 'a: [\n'],
  ])('%s stays', (_what, text) => {
    expect(convertText(text, field, serves)).toBeUndefined();
  });

  it.each([
    [
      'a CronJob of batch/v1',
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a }\nspec:\n  schedule: "* * * * *"\n  timeZone: Europe/Berlin # there\n  suspend: true\n',
      'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: { name: a }\nspec:\n  schedule: "* * * * *"\n  suspend: true\n',
      'spec.timeZone is left out: batch/v1beta1 does not have it.',
    ],
    [
      'an autoscaler of autoscaling/v2',
      'kind: HorizontalPodAutoscaler\napiVersion: "autoscaling/v2"\n',
      'kind: HorizontalPodAutoscaler\napiVersion: "autoscaling/v2beta2"\n',
      undefined,
    ],
    [
      'a budget of policy/v1',
      'apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: { unhealthyPodEvictionPolicy: AlwaysAllow }\n',
      'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nspec: { unhealthyPodEvictionPolicy: AlwaysAllow }\n',
      'spec.unhealthyPodEvictionPolicy has to be taken out by hand: policy/v1beta1 does not have it.',
    ],
    [
      'a deployment from long ago',
      'apiVersion: extensions/v1beta1\nkind: Deployment\nspec:\n  template:\n    metadata:\n      labels: { app: a }\n',
      'apiVersion: apps/v1\nkind: Deployment\nspec:\n  selector: { matchLabels: {"app":"a"} }\n  template:\n    metadata:\n      labels: { app: a }\n',
      'Its selector is written out: the labels of its template.',
    ],
    [
      'a priority level of later',
      'apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: PriorityLevelConfiguration\nspec:\n  limited:\n    nominalConcurrencyShares: 5\n',
      'apiVersion: flowcontrol.apiserver.k8s.io/v1beta1\nkind: PriorityLevelConfiguration\nspec:\n  limited:\n    assuredConcurrencyShares: 5\n',
      undefined,
    ],
  ])('with %s gets what the server has', (_what, before, after, remark) => {
    const converted = convertText(before, field, serves);
    expect(converted?.text).toBe(after);
    if (remark) expect(converted?.remarks).toContain(remark);
  });

  it('with both other names and another version is changed once', () => {
    const text =
      'apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: PriorityLevelConfiguration\n---\nkind: ConfigMap\napiVersion: v1\n';
    expect(convertText(text, neutral, serves)?.text).toBe(
      'apiVersion: flowcontrol.apiserver.cluster.io/v1beta1\nkind: PriorityLevelConfiguration\n---\nkind: ConfigMap\napiVersion: v1\n',
    );
  });
});
