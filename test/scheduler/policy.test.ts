import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, profilesOf, type Profile } from '../../src/scheduler/config/index.ts';
import { readPolicy } from '../../src/scheduler/config/policy.ts';
import { loadYaml } from '../../src/std/index.ts';

beforeAll(loadYaml);

const read = (fields: object): Profile =>
  profilesOf(readPolicy(JSON.stringify({ kind: 'Policy', apiVersion: 'v1', ...fields }), ''))[0] as Profile;
const filters = (profile: Profile): string[] => profile.plugins.filter((p) => p.filter).map(({ name }) => name);
const weights = (profile: Profile): Record<string, number> =>
  Object.fromEntries(profile.plugins.filter((p) => p.score).map(({ name, weight = 0 }) => [name, weight]));

const ALWAYS = ['NodeUnschedulable', 'TaintToleration'];
const predicates = (...names: string[]): object => ({ predicates: names.map((name) => ({ name })) });
const labels = (name: string, presence: boolean, ...of: string[]): object => ({
  name,
  argument: { labelsPresence: { labels: of, presence } },
});

describe('the predicates of a policy', () => {
  it.each<[string, object, string[]]>([
    ['none leave those that always hold', { predicates: [] }, ALWAYS],
    [
      'are asked in the order of the scheduler, not of the file',
      predicates('MatchInterPodAffinity', 'HostName', 'GeneralPredicates', 'NoDiskConflict'),
      [
        ...['NodeUnschedulable', 'NodeResourcesFit', 'NodeName', 'NodePorts', 'NodeAffinity', 'VolumeRestrictions'],
        ...['TaintToleration', 'InterPodAffinity'],
      ],
    ],
    ['an older name is known', predicates('PodFitsPorts'), ['NodeUnschedulable', 'NodePorts', 'TaintToleration']],
    [
      'with labels share a plugin',
      { predicates: [labels('a', true, 'ssd'), labels('b', false, 'old')] },
      [...ALWAYS, 'NodeLabel'],
    ],
    [
      'of a known name are that, whatever their argument',
      { predicates: [labels('HostName', true, 'ssd')] },
      ['NodeUnschedulable', 'NodeName', 'TaintToleration'],
    ],
    [
      'that are not given are the usual ones, resources first',
      {},
      [
        ...['NodeUnschedulable', 'NodeResourcesFit', 'NodeName', 'NodePorts', 'NodeAffinity', 'VolumeRestrictions'],
        ...['TaintToleration', 'EBSLimits', 'GCEPDLimits', 'NodeVolumeLimits', 'AzureDiskLimits', 'VolumeBinding'],
        ...['VolumeZone', 'PodTopologySpread', 'InterPodAffinity'],
      ],
    ],
  ])('%s', (_, fields, expected) => {
    expect(filters(read(fields))).toEqual(expected);
  });
});

describe('the priorities of a policy', () => {
  const spread = { name: 'SelectorSpreadPriority', weight: 3 };
  const even = { name: 'EvenPodsSpreadPriority', weight: 2 };
  const label = (name: string, of: string): object => ({
    name,
    weight: 2,
    argument: { labelPreference: { label: of, presence: true } },
  });

  it.each<[string, object[], Record<string, number>]>([
    ['score by their plugins', [{ name: 'MostRequestedPriority', weight: 4 }], { NodeResourcesMostAllocated: 4 }],
    ['that are equal for all nodes are left out', [{ name: 'EqualPriority', weight: 1 }], {}],
    ['spread owners by the plugin for constraints', [spread], { PodTopologySpread: 3 }],
    ['have the weight of even spreading where both are named', [spread, even], { PodTopologySpread: 2 }],
    ['whatever their order', [even, spread], { PodTopologySpread: 2 }],
    ['with labels count as often as they are named', [label('a', 'x'), label('b', 'y')], { NodeLabel: 4 }],
    [
      'named twice have the last weight',
      [
        { name: 'ImageLocalityPriority', weight: 7 },
        { name: 'ImageLocalityPriority', weight: 1 },
      ],
      { ImageLocality: 1 },
    ],
  ])('%s', (_, priorities, expected) => {
    expect(weights(read({ predicates: [], priorities }))).toEqual(expected);
  });

  it('are the usual ones where none are given', () => {
    expect(weights(read({}))).toMatchObject({ PodTopologySpread: 2, NodePreferAvoidPods: 10_000 });
  });
});

describe('a policy', () => {
  it.each<[object, boolean]>([
    [{}, false],
    [{ alwaysCheckAllPredicates: false }, false],
    [{ alwaysCheckAllPredicates: true }, true],
  ])('%j says whether every filter is asked: %s', (fields, expected) => {
    expect(read(fields).asksAll).toBe(expected);
  });

  it.each<[object, string]>([
    [{ kind: 'Pod' }, 'no kind "Pod" is registered for version "v1"'],
    [predicates('Nope'), 'invalid predicate "Nope"'],
    [{ priorities: [{ name: 'Nope', weight: 1 }] }, 'invalid priority "Nope"'],
    [{ priorities: [{ name: 'ImageLocalityPriority' }] }, 'should have a positive weight'],
    [{ predicates: [{ name: 'x', argument: {} }] }, 'exactly one predicate argument is required'],
  ])('is refused: %j', (fields, message) => {
    expect(() => read(fields)).toThrow(ConfigurationError);
    expect(() => read(fields)).toThrow(message);
  });
});
