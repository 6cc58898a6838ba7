import { describe, expect, test } from 'vitest';
import { changeProblems, prepared, problems } from './problems.ts';

const container = { name: 'c', image: 'nginx' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const selector = { matchLabels: { a: 'b' } };

describe('metadata', () => {
  test.each([
    [{ name: 'A_' }, ['Invalid metadata.name']],
    [{ name: '' }, ['Required metadata.name']],
    [{ labels: { 'a b': 'c' } }, ['Invalid metadata.labels']],
    [{ annotations: { 'a/b/c': 'd' } }, ['Invalid metadata.annotations']],
    [{ finalizers: ['nodomain'] }, ['Invalid metadata.finalizers[0]']],
    [
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] },
      ['Invalid metadata.ownerReferences.uid'],
    ],
  ])('%j', (metadata, wrong) => {
    expect(problems('ConfigMap', { metadata })).toEqual(wrong);
  });

  test('stays what it was', () => {
    const before = { metadata: { name: 'x' }, data: { a: 'b' } };
    expect(changeProblems('ConfigMap', before, { metadata: { name: 'y' } })).toContain('Invalid metadata.name');
  });
});

describe('pods', () => {
  test.each([
    [{ containers: [] }, ['Required spec.containers']],
    [{ containers: [{ name: 'c' }] }, ['Required spec.containers[0].image']],
    [{ containers: [container, container] }, ['Duplicate spec.containers[1].name']],
    [{ containers: [container], restartPolicy: 'Sometimes' }, ['NotSupported spec.restartPolicy']],
    [
      { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
      ['NotFound spec.containers[0].volumeMounts[0].name'],
    ],
    [
      { containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
      ['Invalid spec.containers[0].resources.requests'],
    ],
  ])('%j', (spec, wrong) => {
    expect(problems('Pod', { spec })).toEqual(wrong);
  });

  test.each([
    [{}, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
  ])('with resources %j are %s', (resources, qosClass) => {
    const { status } = prepared('Pod', { spec: { containers: [{ ...container, resources }] } });
    expect(status).toMatchObject({ phase: 'Pending', qosClass });
  });

  test('change little but their images', () => {
    const before = { spec: { containers: [container] } };
    const other = { spec: { containers: [{ ...container, image: 'other' }] } };
    const moved = { spec: { containers: [container], nodeName: 'n' } };
    expect(changeProblems('Pod', before, other)).toEqual([]);
    expect(changeProblems('Pod', before, moved)).toEqual(['Forbidden spec']);
  });
});

describe('workloads', () => {
  test.each([
    ['Deployment', { replicas: -1, selector, template }, ['Invalid spec.replicas']],
    ['Deployment', { selector: { matchLabels: { a: 'c' } }, template }, ['Invalid spec.template.metadata.labels']],
    ['ReplicaSet', { selector, template }, []],
    [
      'StatefulSet',
      { selector, template, serviceName: 's', podManagementPolicy: 'X' },
      ['Invalid spec.podManagementPolicy'],
    ],
  ])('%s %j', (kind, spec, wrong) => {
    expect(problems(`${kind} apps/v1`, { spec })).toEqual(wrong);
  });

  test('keep their selector', () => {
    const other = { matchLabels: { a: 'b', c: 'd' } };
    const both = { ...template, metadata: { labels: { a: 'b', c: 'd' } } };
    const after = { spec: { selector: other, template: both } };
    expect(changeProblems('Deployment apps/v1', { spec: { selector, template } }, after)).toEqual([
      'Invalid spec.selector',
    ]);
  });
});

describe('jobs', () => {
  const job = { template: { spec: { containers: [container], restartPolicy: 'Never' } } };
  test('are tied to their pods by their uid', () => {
    const { spec } = prepared('Job batch/v1', { spec: job });
    const uid = '00000000-1111-2222-3333-444444444444';
    expect(spec).toMatchObject({
      selector: { matchLabels: { 'controller-uid': uid } },
      template: { metadata: { labels: { 'controller-uid': uid, 'job-name': 'x' } } },
    });
  });

  test('do not run forever', () => {
    const spec = { template: { spec: { containers: [container] } } };
    expect(problems('Job batch/v1', { spec })).toEqual(['Required spec.template.spec.restartPolicy']);
  });
});

describe('nodes', () => {
  test('have one block where there is one IP family', () => {
    const { spec } = prepared('Node', { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] } });
    expect(spec).toMatchObject({ podCIDRs: ['10.1.0.0/24'] });
  });
});

describe('events', () => {
  const event = { involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' }, reason: 'r', message: 'm' };
  test('the core version takes what the newer group refuses', () => {
    expect(problems('Event', event)).toEqual([]);
    const regarding = { regarding: event.involvedObject, reason: 'r', note: 'm' };
    expect(problems('Event events.k8s.io/v1', regarding)).toContain('Required eventTime');
  });
});
