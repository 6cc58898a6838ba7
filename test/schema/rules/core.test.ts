/** Rules of the core group where the reference is not what one would guess. */
import { describe, expect, test } from 'vitest';
import { changeProblems, problems, statusWritten } from './problems.ts';

const container = { name: 'c', image: 'nginx' };
const pod = (spec: object, annotations: object = {}): Record<string, unknown> => ({
  metadata: { annotations },
  spec: { containers: [container], ...spec },
});

describe('annotations that hold JSON', () => {
  const key = 'scheduler.alpha.kubernetes.io/tolerations';

  test.each([
    ['null', []],
    ['[]', []],
    ['[{"key":"a","operator":"Exists"}]', []],
    ['[{"key":"a","operator":"Sometimes"}]', [`NotSupported metadata.annotations.${key}[0].operator`]],
    ['[{"key":null,"operator":"Exists"}]', []],
    ['[{"key":5}]', ['Invalid metadata.annotations']],
    ['[{"tolerationSeconds":"5"}]', ['Invalid metadata.annotations']],
    ['[null]', [`Invalid metadata.annotations.${key}[0].operator`]],
    ['{}', ['Invalid metadata.annotations']],
    ['x', ['Invalid metadata.annotations']],
  ])('tolerations %s', (text, wrong) => {
    expect(problems('Pod', pod({}, { [key]: text }))).toEqual(wrong);
  });

  test.each([
    ['null', []],
    ['[{"key":"a","value":null,"effect":"NoSchedule"}]', []],
    ['[{"key":"a"}]', ['Required metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect']],
    ['[{"key":5}]', ['Invalid metadata.annotations']],
    ['{}', ['Invalid metadata.annotations']],
  ])('taints %s', (text, wrong) => {
    const annotations = { 'scheduler.alpha.kubernetes.io/taints': text };
    expect(problems('Node', { metadata: { annotations } })).toEqual(wrong);
  });
});

describe('a seccomp profile', () => {
  const path = 'spec.securityContext.seccompProfile';

  test.each([
    ['Unconfined', 'unconfined', []],
    ['Unconfined', 'runtime/default', [`Forbidden ${path}.type`]],
    ['Sideways', 'unconfined', [`NotSupported ${path}.type`]],
  ])('of type %s beside the annotation %s', (type, annotation, wrong) => {
    const spec = { securityContext: { seccompProfile: { type } } };
    expect(problems('Pod', pod(spec, { 'seccomp.security.alpha.kubernetes.io/pod': annotation }))).toEqual(wrong);
  });
});

describe('a volume of the cluster on the host', () => {
  const recycled = (path: string): Record<string, unknown> => ({
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Recycle',
      hostPath: { path },
    },
  });
  const forbidden = 'Forbidden spec.persistentVolumeReclaimPolicy';

  test.each([
    ['/', [forbidden]],
    ['//./', [forbidden]],
    ['/a/..', ['Invalid spec.hostPath.path', forbidden]],
    ['/...', []],
    ['/a', []],
    ['.', []],
  ])('at %s', (path, wrong) => {
    expect(problems('PersistentVolume', recycled(path))).toEqual(wrong);
  });
});

describe('load balancers', () => {
  const one = { ports: [{ name: 'a', port: 1 }], type: 'LoadBalancer' };
  const two = {
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2, protocol: 'UDP' },
    ],
    type: 'LoadBalancer',
  };
  const strange = { ports: [{ name: 'a', port: 1, protocol: 'HTTP' }], type: 'LoadBalancer' };

  test.each([
    [one, []],
    [two, ['Invalid spec.ports']],
    [strange, ['NotSupported spec.ports[0].protocol']],
    [{ ...two, externalTrafficPolicy: 'Nowhere' }, ['Invalid spec.externalTrafficPolicy', 'Invalid spec.ports']],
  ])('%j', (spec, wrong) => {
    expect(problems('Service', { spec })).toEqual(wrong);
  });

  test('may go on with the protocols that they had', () => {
    expect(changeProblems('Service', { spec: one }, { spec: two })).toEqual(['Invalid spec.ports']);
    expect(changeProblems('Service', { spec: two }, { spec: { ...two, sessionAffinity: 'ClientIP' } })).toEqual([]);
  });

  test('may be told their ports and conditions whatever the gates say', () => {
    const status = {
      loadBalancer: { ingress: [{ ip: '1.2.3.4', ports: [{ port: 1, protocol: 'TCP' }] }] },
      conditions: [{ type: 'A', status: 'True', reason: 'B', message: '', lastTransitionTime: null }],
    };
    expect(statusWritten('Service', { spec: one }, { spec: one, status })['status']).toEqual(status);
  });
});

test('several sources of one volume may not fill the same path', () => {
  const items = [{ key: 'k', path: 'p' }];
  const sources = [{ secret: { name: 's', items } }, { configMap: { name: 'c', items } }];
  expect(problems('Pod', pod({ volumes: [{ name: 'v', projected: { sources } }] }))).toEqual([
    'Invalid spec.volumes[0].projected',
  ]);
});

test('a registry is a list of hosts with ports', () => {
  const volumes = (registry: string) => [{ name: 'v', quobyte: { registry, volume: 'v' } }];
  const wrong = 'Invalid spec.volumes[0].quobyte.registry';
  expect(problems('Pod', pod({ volumes: volumes('a:1,[::1]:2') }))).toEqual([]);
  expect(problems('Pod', pod({ volumes: volumes('a:b],c') }))).toEqual([wrong, wrong]);
});
