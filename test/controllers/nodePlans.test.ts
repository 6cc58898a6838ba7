import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../src/client/index.ts';
import { planPlatformLabels, unknownConditions } from '../../src/controllers/nodeLifecycle/nodeLifecycle.ts';
import { evictingTaints, toleratedFor, type Tolerance } from '../../src/controllers/nodeLifecycle/taints.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('k8s.io');

describe('a pod on a tainted node', () => {
  const a = { key: 'a', effect: 'NoExecute' };
  const b = { key: 'b', effect: 'NoExecute' };
  const tolerates = (key: string, tolerationSeconds?: number) => ({
    ...{ key, operator: 'Exists', effect: 'NoExecute' },
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  });
  test.each<[string, object[], object[], Tolerance]>([
    ['stays where nothing evicts', [{ key: 'a', effect: 'NoSchedule' }], [], 'always'],
    ['goes at once from what it does not tolerate', [a], [], 'none'],
    ['goes at once when it tolerates only one of two', [a, b], [tolerates('a', 60)], 'none'],
    ['stays for good', [a], [tolerates('a')], 'always'],
    ['stays for its time', [a], [tolerates('a', 60)], 60_000],
    ['stays for the shortest time', [a, b], [tolerates('a', 60), tolerates('b', 30)], 30_000],
    [
      'stays for the time of one where it tolerates the other for good',
      [a, b],
      [tolerates('a'), tolerates('b', 30)],
      30_000,
    ],
    ['takes the first toleration, not the shortest', [a], [tolerates('a', 60), tolerates('a', 5)], 60_000],
    ['takes the first toleration, not the longest', [a], [tolerates('a', 5), tolerates('a')], 5_000],
    ['goes at once after less than no time', [a], [tolerates('a', -1)], 0],
  ])('%s', (_, taints, tolerations, time) => {
    const evicting = evictingTaints({ spec: { taints } } as unknown as Node);
    expect(toleratedFor({ spec: { tolerations } } as unknown as Pod, evicting)).toBe(time);
  });
});

test.each<[string, Record<string, string>, Record<string, string> | undefined]>([
  ['are missing', { 'kubernetes.io/os': 'linux' }, { 'beta.kubernetes.io/os': 'linux' }],
  ['differ', { 'kubernetes.io/arch': 'arm', 'beta.kubernetes.io/arch': 'amd64' }, { 'beta.kubernetes.io/arch': 'arm' }],
  ['agree', { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'linux' }, undefined],
  ['stand alone', { 'beta.kubernetes.io/os': 'linux' }, undefined],
])('older platform labels that %s', (_, labels, expected) => {
  expect(planPlatformLabels({ metadata: { labels } } as unknown as Node, names)).toEqual(expected);
});

test('a silent node keeps the time of its last heartbeat, even where it had none', () => {
  const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: null }];
  const node = { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' }, status: { conditions } } as unknown as Node;
  const found = unknownConditions(node, 'agent', 0)?.map(({ type, reason, lastHeartbeatTime }) => [
    type,
    reason,
    lastHeartbeatTime,
  ]);
  expect(found).toEqual([
    ['Ready', 'NodeStatusUnknown', null],
    ['MemoryPressure', 'NodeStatusNeverUpdated', '2020-01-01T00:00:00Z'],
    ['DiskPressure', 'NodeStatusNeverUpdated', '2020-01-01T00:00:00Z'],
    ['PIDPressure', 'NodeStatusNeverUpdated', '2020-01-01T00:00:00Z'],
  ]);
});

test('a node that falls silent keeps its conditions in their order', () => {
  const conditions = [
    { type: 'MemoryPressure', status: 'False', reason: 'Enough' },
    { type: 'NetworkUnavailable', status: 'False' },
    { type: 'PIDPressure', status: 'Unknown', reason: 'Mine' },
    { type: 'Ready', status: 'True' },
  ];
  const node = { metadata: {}, status: { conditions } } as unknown as Node;
  expect(unknownConditions(node, 'agent', 0)?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['MemoryPressure', 'Unknown', 'NodeStatusUnknown'],
    ['NetworkUnavailable', 'False', undefined],
    ['PIDPressure', 'Unknown', 'Mine'],
    ['Ready', 'Unknown', 'NodeStatusUnknown'],
    ['DiskPressure', 'Unknown', 'NodeStatusNeverUpdated'],
  ]);
});

test('the conditions of a node whose readiness is unknown stay as they are', () => {
  const conditions = [
    { type: 'Ready', status: 'Unknown' },
    { type: 'MemoryPressure', status: 'False' },
  ];
  expect(unknownConditions({ metadata: {}, status: { conditions } } as unknown as Node, 'agent', 0)).toBeUndefined();
});
