/** Where the reference looks first, how often it tells, and under which name. */
import { describe, expect, test } from 'vitest';
import { changeProblems, problems } from './problems.ts';

const container = { name: 'c', image: 'nginx' };
const labels = { a: 'b' };
const iscsi = { targetPortal: '', iqn: 'x', lun: 300 };
const capacity = { storage: '1Gi' };
const volume = (source: object, more: object = {}): Record<string, unknown> => ({
  spec: { capacity, accessModes: ['ReadWriteOnce'], ...source, ...more },
});

describe('volumes', () => {
  test('of pods and of the cluster look at the target in their own order', () => {
    const pod = { spec: { containers: [container], volumes: [{ name: 'v', iscsi }] } };
    const at = (path: string, ...fields: string[]): string[] => fields.map((field) => `${path}.iscsi.${field}`);
    expect(problems('Pod', pod).map((wrong) => wrong.split(' ')[1])).toEqual(
      at('spec.volumes[0]', 'targetPortal', 'iqn', 'lun'),
    );
    expect(problems('PersistentVolume', volume({ iscsi })).map((wrong) => wrong.split(' ')[1])).toEqual(
      at('spec', 'targetPortal', 'iqn', 'lun'),
    );
  });

  test.each([
    [
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      ['Invalid spec.glusterfs.endpointsNamespace'],
    ],
    [{ glusterfs: { endpoints: 'e', path: 'p' } }, []],
    [{ local: { path: '/x' } }, ['Required spec.nodeAffinity']],
    [{ nfs: { server: 's', path: '/p' }, local: { path: '/x' } }, ['Forbidden spec.local']],
  ])('%j', (source, wrong) => {
    expect(problems('PersistentVolume', volume(source))).toEqual(wrong);
  });
});

describe('templates', () => {
  const pod = (spec: object, annotations: object = {}): Record<string, unknown> => ({
    metadata: { labels, annotations },
    spec: { containers: [container], ...spec },
  });
  const set = (template: object): Record<string, unknown> => ({
    spec: { selector: { matchLabels: labels }, template },
  });
  const confined = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };

  test('say the same in annotations and fields', () => {
    const key = 'seccomp.security.alpha.kubernetes.io/pod';
    expect(problems('ReplicaSet apps/v1', set(pod(confined, { [key]: 'unconfined' })))).toEqual([
      'Forbidden spec.template.spec.securityContext.seccompProfile.type',
    ]);
    expect(problems('ReplicaSet apps/v1', set(pod(confined, { [key]: 'runtime/default' })))).toEqual([]);
  });

  test('may still call the node the host', () => {
    const env = [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.host' } } }];
    expect(problems('Pod', pod({ containers: [{ ...container, env }] }))).toEqual([]);
  });
});

test('a pod that loses its image is told so twice', () => {
  const pulled = { ...container, imagePullPolicy: 'Always' };
  const before = { spec: { containers: [pulled] } };
  const after = { spec: { containers: [{ ...pulled, image: '' }] } };
  expect(changeProblems('Pod', before, after)).toEqual([
    'Required spec.containers[0].image',
    'Required spec.containers[0].image',
  ]);
});

describe('autoscalers', () => {
  const scaler = (more: object): Record<string, unknown> => ({
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 2, ...more },
  });
  const metric = (target: object): object => ({ metrics: [{ type: 'Pods', pods: { metric: { name: 'm' }, target } }] });
  test.each([
    [metric({ type: 'Value' }), ['Required spec.metrics[0].pods.target.averageValue']],
    [metric({ type: 'AverageValue', averageValue: '1' }), []],
    [{ behavior: { scaleUp: { policies: [] } } }, ['Required spec.behavior.scaleUp.policies']],
    [{ behavior: { scaleUp: {} } }, []],
  ])('%j', (more, wrong) => {
    expect(problems('HorizontalPodAutoscaler autoscaling/v2beta2', scaler(more))).toEqual(wrong);
  });
});

describe('services', () => {
  const service = (more: object): Record<string, unknown> => ({ spec: { ports: [{ port: 1 }], ...more } });
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30001 };

  test('behind load balancers have protocols that balancers know, which is told once', () => {
    const odd = service({ type: 'LoadBalancer', ports: [{ port: 1, protocol: 'X' }] });
    expect(problems('Service', odd)).toEqual(['NotSupported spec.ports[0].protocol']);
  });

  test('give their health check port up with what it was for', () => {
    const after = service({ type: 'ClusterIP', healthCheckNodePort: 30002 });
    expect(changeProblems('Service', service(local), after)).toEqual([]);
  });
});

test('webhooks say what happens when they fail', () => {
  const webhook = {
    name: 'a.b.example',
    clientConfig: { url: 'https://x.example' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: '',
    matchPolicy: '',
  };
  const type = 'ValidatingWebhookConfiguration admissionregistration.k8s.io/v1';
  expect(problems(type, { webhooks: [webhook] })).toEqual([
    'NotSupported webhooks[0].failurePolicy',
    'NotSupported webhooks[0].matchPolicy',
  ]);
});

test('policies name their drivers oddly', () => {
  const any = { rule: 'RunAsAny' };
  const spec = {
    seLinux: any,
    runAsUser: any,
    supplementalGroups: any,
    fsGroup: any,
    allowedCSIDrivers: [{ name: '' }],
  };
  expect(problems('PodSecurityPolicy policy/v1beta1', { spec })).toEqual([
    'Required spec.allowedCSIDrivers.allowedCSIDriver[0].name',
    'Invalid spec.allowedCSIDrivers.allowedCSIDriver[0].name',
  ]);
});

test('parameters too many hide those that are wrong', () => {
  const parameters = Object.fromEntries(Array.from({ length: 513 }, (_, i) => [i === 0 ? '' : `p${i}`, 'x']));
  expect(problems('StorageClass storage.k8s.io/v1', { provisioner: 'x.io/p', parameters })).toEqual([
    'TooLong parameters',
  ]);
});
