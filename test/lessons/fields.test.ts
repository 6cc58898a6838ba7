import { describe, expect, test } from 'vitest';
import { counts, meets, readPath, showCount } from '../../src/lessons/engine/index.ts';
import { fillKept } from '../../src/lessons/engine/index.ts';
import { showField } from '../../src/lessons/engine/fields.ts';
import { judgeObject } from '../../src/lessons/engine/objects.ts';

const pod = {
  metadata: { labels: { 'example.com/tier': 'front', app: 'web' } },
  spec: { containers: [{ name: 'side' }, { name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

describe('a path reads', () => {
  test.each([
    ['metadata.labels.app', 'web'],
    ['metadata.labels["example.com/tier"]', 'front'],
    ['spec.containers[1].image', 'nginx'],
    ['spec.containers[name=web].ports[0].containerPort', 80],
    ['status.conditions[type=Ready].status', 'True'],
    ['status.conditions[type=Initialized].status', undefined],
    ['spec.containers[9].image', undefined],
    ['spec.containers[*].name', ['side', 'web']],
    ['spec.containers[*].ports[*].containerPort', [80]],
    ['spec.volumes[*].name', undefined],
    ['metadata.constructor', undefined],
    ['spec.containers.length', undefined],
  ])('%s', (path, value) => {
    expect(readPath(pod, path)).toEqual(value);
  });

  test('nothing where it is no path', () => {
    expect(() => readPath(pod, 'spec.containers[')).toThrow('no path');
  });
});

describe('a value', () => {
  test.each([
    [3, { is: 3 }, true],
    ['3', { is: 3 }, false],
    [['a'], { is: ['a'] }, true],
    [3, { not: 4 }, true],
    [3, { not: 3 }, false],
    [3, { atLeast: 3 }, true],
    [2, { atLeast: 3 }, false],
    [undefined, { atLeast: 0 }, false],
    [undefined, { atMost: 0 }, true],
    [1, { atMost: 0 }, false],
    [['get', 'list'], { has: 'list' }, true],
    [['get'], { has: 'list' }, false],
    ['a longer text', { has: 'longer' }, true],
    [undefined, { has: 'x' }, false],
    [['get'], { lacks: 'list' }, true],
    [['get', 'list'], { lacks: 'list' }, false],
    [undefined, { lacks: 'x' }, true],
    [['get', 'list'], { only: ['list', 'get', 'watch'] }, true],
    [['get', 'create'], { only: ['get'] }, false],
    [[], { only: [] }, true],
    [null, { exists: false }, true],
    ['', { exists: true }, true],
    [undefined, { exists: true }, false],
  ] as const)('%j against %j', (value, want, met) => {
    expect(meets(value, want)).toBe(met);
  });
});

describe('a count', () => {
  test.each([
    [2, { is: 2 }, true, '2'],
    [3, { is: 2 }, false, '2'],
    [3, { atLeast: 2 }, true, 'at least 2'],
    [3, { atLeast: 1, atMost: 2 }, false, 'at least 1, at most 2'],
  ])('of %i within %j', (count, want, within, words) => {
    expect(counts(count, want)).toBe(within);
    expect(showCount(want)).toBe(words);
  });
});

test('kept words are filled in; others stay', () => {
  const kept = new Map([['pod', 'web-1']]);
  expect(fillKept({ path: '/pods/<pod>', body: ['<pod>', '<other>'] }, kept)).toEqual({
    path: '/pods/web-1',
    body: ['web-1', '<other>'],
  });
});

test.each([
  ['v1/pods', 'pod'],
  ['networking.k8s.io/v1/networkpolicies', 'networkpolicy'],
  ['scheduling.k8s.io/v1/priorityclasses', 'priorityclass'],
  ['networking.k8s.io/v1/ingresses', 'ingress'],
  ['coordination.k8s.io/v1/leases', 'lease'],
])('one of %s is called %s', (resource, word) => {
  const verdict = judgeObject({ look: 'object', says: '', resource, name: 'web' }, undefined);
  expect(verdict).toEqual({ holds: false, seen: `there is no ${word} web` });
});

test.each([
  ['status.phase', 'status.phase is not set'],
  ['metadata.labels.app', 'metadata.labels.app is web'],
  ['metadata.labels.none', 'metadata.labels.none is empty'],
])('what is seen of the field %s is said in words', (path, seen) => {
  const labels = { ...pod.metadata.labels, none: '' };
  expect(showField({ ...pod, metadata: { labels } }, path)).toBe(seen);
});
