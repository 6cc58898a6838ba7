/** How fast nodes may be emptied, by what of their zone and of the cluster is down. */
import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../src/client/index.ts';
import { awaitsEviction, planTaints, swapsEviction } from '../../src/controllers/nodeLifecycle/taints.ts';
import { ClusterHealth, evictionRate, isExcluded, isReady, zoneOf } from '../../src/controllers/nodeLifecycle/zones.ts';
import { surplusPods } from '../../src/controllers/podCollector.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('k8s.io');

const node = (ready: 'True' | 'False' | 'Unknown' | undefined, taints: readonly object[] = []): Node =>
  ({
    metadata: { name: 'n' },
    spec: { taints },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  }) as unknown as Node;

describe('eviction rates of nodes in a zone', () => {
  // Ready and failed nodes of the zone; ready and failed nodes of the others.
  test.each<[what: string, zone: [number, number], others: [number, number], rate: number]>([
    ['one of ten down', [9, 1], [0, 0], 0.1],
    ['two of three down: too few to be a disruption', [1, 2], [0, 0], 0.1],
    ['just below the threshold', [46, 54], [0, 0], 0.1],
    ['at the threshold, in a large zone', [45, 55], [0, 0], 0.01],
    ['a zone of just the threshold size counts as small', [20, 30], [0, 0], 0],
    ['one node more is large', [20, 31], [0, 0], 0.01],
    ['three of five down, in a small zone', [2, 3], [0, 0], 0],
    ['a whole zone down, others up', [0, 5], [1, 0], 0.1],
    ['a whole large zone down, others up', [0, 60], [1, 5], 0.1],
    ['everything down', [0, 5], [0, 5], 0],
    ['the only node down', [0, 1], [0, 0], 0],
    ['a zone whose nodes are all excluded keeps the normal rate', [0, 0], [0, 5], 0.1],
  ])('%s', (_what, zone, others, rate) => {
    const rates = { normal: 0.1, disrupted: 0.01, threshold: 0.55, largeZone: 50 };
    const health = new ClusterHealth();
    const note = (name: string, [ready, down]: [number, number]): void => {
      for (let i = 0; i < ready + down; i++) health.note(`${name}${i}`, { zone: name, isReady: i < ready });
    };
    note('here', zone);
    note('elsewhere', others);
    expect(evictionRate(health.of('here'), health.isOutage, rates)).toBe(rate);
  });
});

test.each<[labels: Record<string, string> | undefined, zone: string]>([
  [undefined, '/'],
  [{ 'topology.kubernetes.io/zone': 'a', 'topology.kubernetes.io/region': 'r' }, 'r/a'],
  [{ 'failure-domain.beta.kubernetes.io/zone': 'b' }, '/b'],
  [{ 'failure-domain.beta.kubernetes.io/zone': 'b', 'topology.kubernetes.io/zone': 'a' }, '/b'],
])('a node with the labels %j is in the zone %s', (labels, zone) => {
  expect(zoneOf({ metadata: { name: 'n', labels } } as unknown as Node, names)).toBe(zone);
});

describe('nodes that do not count for the health of their zone', () => {
  const label = { 'node.kubernetes.io/exclude-disruption': '' };
  test.each<[name: string, labels: Record<string, string> | undefined, legacyRoles: boolean, label: boolean]>([
    ['master', undefined, true, false],
    ['my-master', undefined, true, false],
    ['master-abc', undefined, true, false],
    ['x-master-abc', undefined, true, false],
    ['master-ab', undefined, false, false],
    ['master-abcd', undefined, false, false],
    ['masters', undefined, false, false],
    ['node', {}, false, false],
    ['node', label, false, true],
    ['master', label, true, true],
  ])('%s with %o', (name, labels, byRole, byLabel) => {
    const metadata = { ...node('True').metadata, name, ...(labels && { labels }) };
    const one = { ...node('True'), metadata };
    const excluded = (legacyRoles: boolean, byLabels: boolean): boolean =>
      isExcluded(one, names, { legacyRoles, label: byLabels });
    expect([excluded(true, false), excluded(false, true), excluded(false, false)]).toEqual([byRole, byLabel, false]);
  });
});

describe('taints of a node', () => {
  const noSchedule = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' };
  const noExecute = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
  const foreign = { key: 'mine', effect: 'NoExecute' };
  const pressed = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoExecute' };
  const time = { timeAdded: '1970-01-01T00:00:00Z' };
  test.each<
    [
      what: string,
      ready: 'True' | 'Unknown',
      before: object[],
      'now' | 'later' | 'never' | 'off',
      after: object[] | undefined,
    ]
  >([
    [
      'both come at once',
      'Unknown',
      [],
      'now',
      [
        { ...noSchedule, ...time },
        { ...noExecute, ...time },
      ],
    ],
    ['what evicts has to wait', 'Unknown', [], 'later', [{ ...noSchedule, ...time }]],
    ['what evicts stays while others wait', 'Unknown', [noSchedule, noExecute], 'later', undefined],
    ['what evicts goes when all nodes are down', 'Unknown', [noSchedule, noExecute], 'never', [noSchedule]],
    ['what evicted for another reason goes, too', 'Unknown', [noSchedule, notReady], 'never', [noSchedule]],
    ['others keep theirs', 'Unknown', [noSchedule, foreign, noExecute], 'never', [noSchedule, foreign]],
    ['a taint of the same key as a condition with another effect stays', 'True', [pressed], 'later', undefined],
    ['evicting taints that somebody set stay while evictions by taints are off', 'True', [noExecute], 'off', undefined],
    ['no evicting taint comes while evictions by taints are off', 'Unknown', [noSchedule], 'off', undefined],
    [
      'evicting taints are not swapped while evictions by taints are off',
      'Unknown',
      [noSchedule, notReady],
      'off',
      undefined,
    ],
    ['a node that is ready has none', 'True', [noSchedule, noExecute], 'later', []],
  ])('%s', (_what, ready, before, eviction, after) => {
    expect(planTaints(node(ready, before), names, eviction, 0)).toEqual(after);
  });
});

test.each<
  [what: string, ready: 'True' | 'False' | 'Unknown' | undefined, taint: string, awaits: boolean, swaps: boolean]
>([
  ['waits for its turn', 'False', 'other', true, false],
  ['has its taint', 'False', 'not-ready', false, false],
  ['gets the other taint at once when nobody hears of it any more', 'Unknown', 'not-ready', false, true],
  ['gets the other taint at once when it reports again', 'False', 'unreachable', false, true],
  ['is well', 'True', 'unreachable', false, false],
  ['has not said how it is', undefined, 'unreachable', false, false],
])('a node that %s', (_what, ready, taint, awaits, swaps) => {
  const one = node(ready, [{ key: `node.kubernetes.io/${taint}`, effect: 'NoExecute' }]);
  expect([awaitsEviction(one, names), swapsEviction(one, names)]).toEqual([awaits, swaps]);
});

test.each<['True' | 'False' | 'Unknown' | undefined, boolean]>([
  ['True', true],
  ['False', false],
  ['Unknown', false],
  [undefined, false],
])('a node whose condition Ready is %s: isReady is %s', (ready, expected) => {
  expect(isReady(node(ready))).toBe(expected);
});

test('an outage begins when the last node fails, and ends when one recovers, is added, or the last failed one is deleted', () => {
  const health = new ClusterHealth();
  const steps: readonly [name: string, isReady: boolean | undefined, changed: boolean, isOutage: boolean][] = [
    ['a', true, false, false],
    ['b', true, false, false],
    ['a', false, false, false],
    ['a', false, false, false],
    ['b', false, true, true],
    ['b', false, false, true],
    ['c', true, true, false],
    ['c', undefined, true, true],
    ['b', true, true, false],
    ['b', undefined, true, true],
    ['a', undefined, true, false],
    ['d', false, true, true],
  ];
  for (const [name, isReady, changed, isOutage] of steps) {
    const state = isReady === undefined ? undefined : { zone: '', isReady };
    expect([health.note(name, state), health.isOutage]).toEqual([changed, isOutage]);
  }
});

test('a node that moves to another zone counts there only', () => {
  const health = new ClusterHealth();
  health.note('a', { zone: 'old', isReady: false });
  health.note('a', { zone: 'new', isReady: false });
  health.note('b', { zone: 'new', isReady: true });
  expect([health.of('old'), health.of('new')]).toEqual([
    { nodes: 0, unready: 0 },
    { nodes: 2, unready: 1 },
  ]);
});

describe('terminated pods above the threshold', () => {
  const pod = (name: string, phase: string, second: number): Pod =>
    ({
      metadata: { name, creationTimestamp: `2021-01-01T00:00:0${second}Z` },
      status: { phase },
    }) as unknown as Pod;
  const pods = [
    pod('new', 'Succeeded', 9),
    pod('running', 'Running', 0),
    pod('b', 'Failed', 2),
    pod('pending', 'Pending', 0),
    pod('a', 'Succeeded', 2),
    pod('oldest', 'Failed', 1),
  ];
  test.each<[threshold: number, gone: readonly string[]]>([
    [4, []],
    [3, ['oldest']],
    [2, ['oldest', 'a']],
    [1, ['oldest', 'a', 'b']],
    [0, []],
    [-1, []],
  ])('%i: the oldest are deleted first, by name within a second', (threshold, gone) => {
    expect(surplusPods(pods, threshold).map(({ metadata }) => metadata.name)).toEqual(gone);
  });
});
