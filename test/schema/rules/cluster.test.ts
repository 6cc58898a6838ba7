import { describe, expect, test } from 'vitest';
import { changeProblems, prepared, problems, statusWritten } from './problems.ts';

const topologies = (...terms: unknown[]): Record<string, unknown> => ({
  provisioner: 'x.io/p',
  allowedTopologies: terms,
});

describe('storage classes', () => {
  test.each([
    [{}, ['Required provisioner']],
    [{ provisioner: 'x.io/p' }, []],
    [{ provisioner: 'x.io/p', reclaimPolicy: 'Recycle' }, ['NotSupported reclaimPolicy']],
    [{ provisioner: 'x.io/p', parameters: { '': 'x' } }, ['Invalid parameters']],
    [
      topologies({ matchLabelExpressions: [{ key: 'a', values: ['x', 'x'] }] }),
      ['Duplicate allowedTopologies[0].matchLabelExpressions[0].values[1]'],
    ],
    [topologies({}), ['Duplicate allowedTopologies[0].matchLabelExpressions']],
  ])('%j', (sent, wrong) => {
    expect(problems('StorageClass storage.k8s.io/v1', sent)).toEqual(wrong);
  });

  test('keep where and how they provision', () => {
    const before = { provisioner: 'a.io/p', parameters: { a: 'b' } };
    const after = { provisioner: 'b.io/p', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' };
    expect(changeProblems('StorageClass storage.k8s.io/v1', before, after)).toEqual([
      'Forbidden parameters',
      'Forbidden provisioner',
      'Forbidden reclaimPolicy',
      'Invalid volumeBindingMode',
    ]);
  });
});

describe('what a version allows', () => {
  const attachment = { spec: { attacher: 'a b', nodeName: 'n', source: { persistentVolumeName: 'v' } } };
  test.each([
    ['v1', ['Invalid spec.attacher']],
    ['v1beta1', []],
  ])('attachers of %s', (version, wrong) => {
    expect(problems(`VolumeAttachment storage.k8s.io/${version}`, attachment)).toEqual(wrong);
  });

  const tls = {
    spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } }, tls: [{ secretName: 'A_' }] },
  };
  const oldTls = { spec: { backend: { serviceName: 's', servicePort: 1 }, tls: [{ secretName: 'A_' }] } };
  test('names of secrets of ingresses', () => {
    expect(problems('Ingress networking.k8s.io/v1', tls)).toEqual(['Invalid spec.tls[0].secretName']);
    expect(problems('Ingress networking.k8s.io/v1beta1', oldTls)).toEqual([]);
    expect(changeProblems('Ingress networking.k8s.io/v1', tls, tls)).toEqual([]);
  });

  test('fields of ingresses are reported under the names of the version', () => {
    const rule = { spec: { backend: { serviceName: '', servicePort: 'A_' } } };
    expect(problems('Ingress networking.k8s.io/v1beta1', rule)).toContain('Required spec.backend.serviceName');
  });
});

describe('drivers and the nodes that have them are told everything twice', () => {
  test.each([
    ['CSIDriver storage.k8s.io/v1', { spec: { fsGroupPolicy: 'Any' } }, 'NotSupported spec.fsGroupPolicy'],
    [
      'CSINode storage.k8s.io/v1',
      { spec: { drivers: [{ name: 'd', nodeID: '' }] } },
      'Required spec.drivers[0].nodeID',
    ],
  ])('%s', (type, sent, wrong) => {
    expect(problems(type, sent)).toEqual([wrong, wrong]);
  });
});

describe('priority classes', () => {
  test.each([
    ['system-node-critical', 2000001000, []],
    ['system-node-critical', 5, ['Forbidden metadata.name']],
    ['system-mine', 5, ['Forbidden metadata.name']],
    ['mine', 1_000_000_001, ['Forbidden value']],
    ['mine', 1_000_000_000, []],
  ])('%s of %i', (name, value, wrong) => {
    expect(problems('PriorityClass scheduling.k8s.io/v1', { metadata: { name }, value })).toEqual(wrong);
  });
});

describe('network policies', () => {
  const to = (peer: object): object => ({ spec: { podSelector: {}, egress: [{ to: [peer] }] } });
  const block = (cidr: string, ...except: string[]): object => to({ ipBlock: { cidr, except } });
  test.each([
    [to({}), ['Required spec.egress[0].to[0]']],
    [block('10.0.0.0/8', '10.1.0.0/16'), []],
    [block('10.0.0.0/8', '10.0.0.0/8'), ['Invalid spec.egress[0].to[0].ipBlock.except[0]']],
    [
      block('10.0.0.0/8', '12.0.0.0/16', 'bad', '13.0.0.0/16'),
      ['Invalid spec.egress[0].to[0].ipBlock.except[0]', 'Invalid spec.egress[0].to[0].ipBlock.except[1]'],
    ],
    [to({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }), ['Forbidden spec.egress[0].to[0]']],
  ])('%j', (sent, wrong) => {
    expect(problems('NetworkPolicy networking.k8s.io/v1', { ...sent })).toEqual(wrong);
  });
});

describe('roles and bindings', () => {
  const ref = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
  test.each([
    ['Role', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, ['Invalid rules[0].nonResourceURLs']],
    ['ClusterRole', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] }, []],
    [
      'ClusterRole',
      { rules: [{ verbs: [] }] },
      ['Required rules[0].verbs', 'Required rules[0].apiGroups', 'Required rules[0].resources'],
    ],
    ['RoleBinding', { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 's' }] }, []],
    [
      'ClusterRoleBinding',
      { roleRef: ref, subjects: [{ kind: 'ServiceAccount', name: 's' }] },
      ['Required subjects[0].namespace'],
    ],
    ['ClusterRoleBinding', { roleRef: { ...ref, kind: 'Role' } }, ['NotSupported roleRef.kind']],
  ])('%s %j', (kind, sent, wrong) => {
    expect(problems(`${kind} rbac.authorization.k8s.io/v1`, sent)).toEqual(wrong);
  });

  test('a binding stays with its role', () => {
    const after = { roleRef: { ...ref, name: 'other' } };
    expect(changeProblems('ClusterRoleBinding rbac.authorization.k8s.io/v1', { roleRef: ref }, after)).toEqual([
      'Invalid roleRef',
    ]);
  });
});

describe('flow control', () => {
  const limited = (limited: object): Record<string, unknown> => ({ spec: { type: 'Limited', limited } });
  const queues = (queuing: object): Record<string, unknown> => limited({ limitResponse: { type: 'Queue', queuing } });
  const queuing = 'spec.limited.limitResponse.queuing';
  test.each([
    [limited({}), ['NotSupported spec.limited.limitResponse.type']],
    [limited({ limitResponse: { type: 'Reject' } }), []],
    [limited({ limitResponse: { type: 'Queue' } }), [`Required ${queuing}`]],
    [queues({ queues: 64, handSize: 8 }), []],
    [queues({ queues: 4, handSize: 8 }), [`Invalid ${queuing}.handSize`]],
    [queues({ queues: 1024, handSize: 7 }), [`Invalid ${queuing}.handSize`]],
    [{ spec: { type: 'Exempt' } }, ['Invalid spec.type']],
  ])('%j', (sent, wrong) => {
    expect(problems('PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta1', sent)).toEqual(wrong);
  });
});

describe('API services', () => {
  const spec = { group: 'a.example', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  const metadata = { name: 'v1.a.example' };
  test.each([
    [{ metadata, spec }, []],
    [{ metadata: { name: 'other' }, spec }, ['Invalid metadata.name']],
    [{ metadata, spec: { ...spec, caBundle: 'AAAA' } }, ['Invalid spec.caBundle']],
    [{ metadata, spec: { ...spec, service: {} } }, ['Required spec.service.namespace', 'Required spec.service.name']],
  ])('%j', (sent, wrong) => {
    expect(problems('APIService apiregistration.k8s.io/v1', sent)).toEqual(wrong);
  });

  test('that are local are available at once', () => {
    const { status } = prepared('APIService apiregistration.k8s.io/v1', { metadata, spec });
    expect(status).toMatchObject({ conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] });
  });
});

describe('webhooks', () => {
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  const good = {
    name: 'a.b.example',
    clientConfig: { url: 'https://x.example' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules,
  };
  const at = (resources: string[]): object => ({ ...good, rules: [{ ...rules[0], resources }] });
  const service = { namespace: 'n', name: '', port: 0, path: 'a//b' };
  test.each([
    [good, []],
    [{ ...good, name: 'a.b' }, ['Invalid webhooks[0].name']],
    [{ ...good, sideEffects: 'Some' }, ['NotSupported webhooks[0].sideEffects']],
    [{ ...good, clientConfig: {} }, ['Required webhooks[0].clientConfig']],
    [
      { ...good, clientConfig: { url: 'http://x.example/?a=b' } },
      ['Invalid webhooks[0].clientConfig.url', 'Invalid webhooks[0].clientConfig.url'],
    ],
    [at(['pods/*', 'pods/status']), ['Invalid webhooks[0].rules[0].resources[1]']],
    [at(['*', 'pods']), ['Invalid webhooks[0].rules[0].resources']],
    [at(['*/*', 'pods']), ['Invalid webhooks[0].rules[0].resources']],
    [
      { ...good, clientConfig: { service } },
      // The reference takes the name for the namespace, and skips the first character as if it were the slash.
      [
        'Required webhooks[0].clientConfig.service.namespace',
        'Invalid webhooks[0].clientConfig.service.port',
        'Invalid webhooks[0].clientConfig.service.path',
        'Invalid webhooks[0].clientConfig.service.path',
        'Invalid webhooks[0].clientConfig.service.path',
      ],
    ],
  ])('%j', (webhook, wrong) => {
    const type = 'ValidatingWebhookConfiguration admissionregistration.k8s.io/v1';
    expect(problems(type, { webhooks: [webhook] })).toEqual(wrong);
  });

  test('may keep side effects that they had', () => {
    const type = 'MutatingWebhookConfiguration admissionregistration.k8s.io/v1';
    const had = { webhooks: [{ ...good, sideEffects: 'Some' }] };
    expect(changeProblems(type, had, had)).toEqual([]);
    expect(changeProblems(type, { webhooks: [good] }, had)).toEqual(['NotSupported webhooks[0].sideEffects']);
  });
});

describe('pod security policies', () => {
  const any = { rule: 'RunAsAny' };
  const spec = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any };
  test.each([
    [{}, []],
    [{ runAsUser: { rule: 'MustRunAs', ranges: [{ min: 5, max: 1 }] } }, ['Invalid spec.runAsUser.ranges[0].min']],
    [{ runAsGroup: { rule: 'MustRunAs' } }, ['Invalid spec.runAsGroup.ranges']],
    [
      { requiredDropCapabilities: ['X'], allowedCapabilities: ['X', '*'] },
      ['Invalid requiredDropCapabilities', 'Invalid allowedCapabilities'],
    ],
    [{ allowedUnsafeSysctls: ['net.*'], forbiddenSysctls: ['net.core.a'] }, ['Invalid spec.forbiddenSysctls[0]']],
    [{ allowedUnsafeSysctls: ['net.core.*'], forbiddenSysctls: ['net.*'] }, ['Invalid spec.allowedUnsafeSysctls[0]']],
    [{ allowedUnsafeSysctls: ['*', 'a'] }, ['Forbidden spec.allowedUnsafeSysctls.items']],
  ])('%j', (more, wrong) => {
    expect(problems('PodSecurityPolicy policy/v1beta1', { spec: { ...spec, ...more } })).toEqual(wrong);
  });
});

describe('what a write to the status leaves alone', () => {
  test.each([
    ['FlowSchema flowcontrol.apiserver.k8s.io/v1beta1', { labels: { a: '1' } }],
    ['PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1beta1', { labels: { a: '1' } }],
    ['DaemonSet apps/v1', { labels: { a: '2' } }],
  ])('%s', (type, kept) => {
    const before = { metadata: { labels: { a: '1' } }, spec: {} };
    expect(statusWritten(type, before, { metadata: { labels: { a: '2' } }, spec: {} }).metadata).toMatchObject(kept);
  });
});
