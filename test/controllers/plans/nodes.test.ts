/** What nodes get by their number and place, and which pods are cleared away. */
import { describe, expect, test } from 'vitest';
import { cidrSetsOf } from '../../../src/controllers/nodeIpam/nodeIpam.ts';
import { stepFor } from '../../../src/controllers/nodeTtl.ts';
import { surplusPods } from '../../../src/controllers/podCollector.ts';
import { Flags } from '../../../src/controllers/runtime/index.ts';
import { namesOf, pod } from './objects.ts';

describe('the time for which a node may cache', () => {
  const after = (...counts: number[]): number | undefined =>
    counts.reduce((step: ReturnType<typeof stepFor>, nodes) => stepFor(nodes, step), undefined)?.seconds;

  test.each<[counts: number[], seconds: number]>([
    [[0], 0],
    [[100], 0],
    [[101], 15],
    [[500], 15],
    [[501], 30],
    [[1000], 30],
    [[1001], 60],
    [[2000], 60],
    [[2001], 300],
    [[100_000], 300],
    // The steps overlap: it takes more to come back.
    [[101, 90], 15],
    [[101, 89], 0],
    [[501, 450], 30],
    [[501, 449], 15],
    [[2001, 1800], 300],
    [[2001, 1799], 60],
    [[2001, 899], 30],
    [[2001, 0], 0],
    [[0, 3000], 300],
    [[95], 0],
  ])('with %j nodes, one after the other: %i seconds', (counts, seconds) => {
    expect(after(...counts)).toBe(seconds);
  });
});

describe('the ranges of nodes', () => {
  const first = (flags: Record<string, string>): (string | undefined)[] => {
    const all: Record<string, string> = {
      'node-cidr-mask-size': '0',
      'node-cidr-mask-size-ipv4': '0',
      'node-cidr-mask-size-ipv6': '0',
      ...flags,
    };
    const given = new Flags({ flags: (name) => all[name], gate: () => false });
    return cidrSetsOf({ flags: given }).map((set) => set.allocate());
  };

  test.each<[flags: Record<string, string>, ranges: string[]]>([
    [{ 'cluster-cidr': '' }, []],
    [{ 'cluster-cidr': 'nonsense' }, []],
    [{ 'cluster-cidr': '10.8.0.0/16' }, ['10.8.0.0/24']],
    [{ 'cluster-cidr': '10.8.0.0/16', 'node-cidr-mask-size': '26' }, ['10.8.0.0/26']],
    [{ 'cluster-cidr': '10.8.0.0/16', 'node-cidr-mask-size-ipv4': '25' }, ['10.8.0.0/25']],
    [{ 'cluster-cidr': '10.8.0.0/16', 'node-cidr-mask-size': '26', 'node-cidr-mask-size-ipv4': '25' }, ['10.8.0.0/26']],
    [{ 'cluster-cidr': '10.8.0.0/16,fd00::/48' }, ['10.8.0.0/24', 'fd00::/64']],
    [
      { 'cluster-cidr': 'fd00::/48', 'node-cidr-mask-size-ipv6': '60', 'node-cidr-mask-size-ipv4': '25' },
      ['fd00::/60'],
    ],
    [{ 'cluster-cidr': '10.8.0.0/16', 'service-cluster-ip-range': '10.8.0.0/24' }, ['10.8.1.0/24']],
    [{ 'cluster-cidr': '10.8.0.0/16', 'service-cluster-ip-range': 'fd00::/112,10.8.0.0/23' }, ['10.8.2.0/24']],
  ])('with %j begin with %j', (flags, ranges) => {
    expect(first(flags)).toEqual(ranges);
  });
});

describe('ended pods above the threshold', () => {
  const all = [
    pod('b', { phase: 'Failed', created: 1 }),
    pod('a', { phase: 'Succeeded', created: 1 }),
    pod('young', { phase: 'Failed', created: 2 }),
    pod('old', { phase: 'Succeeded', created: 0 }),
    pod('running', { created: -5 }),
  ];

  test.each<[threshold: number, surplus: string[]]>([
    [0, []],
    [-1, []],
    [4, []],
    [5, []],
    [3, ['old']],
    [2, ['old', 'a']],
    [1, ['old', 'a', 'b']],
  ])('of %i', (threshold, surplus) => {
    expect(namesOf(surplusPods(all, threshold))).toEqual(surplus);
  });

  test('without a time come first', () => {
    const timeless = { ...pod('z', { phase: 'Failed' }) };
    const bare = { ...timeless, metadata: { ...timeless.metadata, creationTimestamp: null } };
    expect(namesOf(surplusPods([pod('a', { phase: 'Failed', created: 0 }), bare], 1))).toEqual(['z']);
  });
});
