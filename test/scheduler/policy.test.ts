import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, profilesOf, type Fields, type Profile } from '../../src/scheduler/config/index.ts';
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

describe('what a policy tells its plugins', () => {
  const configured = (fields: object): Record<string, object> =>
    Object.fromEntries(
      Array.from(
        readPolicy(JSON.stringify({ kind: 'Policy', apiVersion: 'v1', ...fields }), '').profiles[0]?.args ?? [],
      ).map(([name, args]) => [name, readAll(args)]),
    );
  /** The fields of arguments that a policy can set. */
  function readAll(args: Fields): object {
    const names = [
      ...['defaultingType', 'hardPodAffinityWeight', 'affinityLabels', 'antiAffinityLabelsPreference', 'presentLabels'],
      ...['absentLabels', 'presentLabelsPreference', 'absentLabelsPreference', 'shape', 'resources'],
    ];
    return Object.fromEntries(names.map((name) => [name, args.raw(name)]).filter(([, value]) => value !== undefined));
  }
  const priority = (name: string, argument?: object): object => ({ name, weight: 1, ...(argument && { argument }) });
  const shape = [{ utilization: 0, score: 0 }];

  it.each<[string, object, Record<string, object>]>([
    ['nothing, where it names nothing', {}, {}],
    ['to spread by constraints alone', { priorities: [] }, { PodTopologySpread: { defaultingType: 'List' } }],
    [
      'to spread owners',
      { priorities: [priority('SelectorSpreadPriority')] },
      { PodTopologySpread: { defaultingType: 'System' } },
    ],
    [
      'to spread services',
      { priorities: [priority('ServiceSpreadingPriority')] },
      { PodTopologySpread: { defaultingType: 'System' } },
    ],
    [
      'how much required affinity counts',
      { hardPodAffinitySymmetricWeight: 7 },
      { InterPodAffinity: { hardPodAffinityWeight: 7 } },
    ],
    ['nothing of an affinity that counts nothing', { hardPodAffinitySymmetricWeight: 0 }, {}],
    [
      'labels that nodes must have and must not have',
      { predicates: [labels('a', true, 'x'), labels('b', true, 'y'), labels('c', false, 'z')] },
      { NodeLabel: { presentLabels: ['x', 'y'], absentLabels: ['z'] } },
    ],
    [
      'labels that the pods of a service share',
      { predicates: [{ name: 'a', argument: { serviceAffinity: { labels: ['rack', 'row'] } } }] },
      { ServiceAffinity: { affinityLabels: ['rack', 'row'] } },
    ],
    [
      'labels that it prefers there and away',
      {
        priorities: [
          priority('a', { labelPreference: { label: 'x', presence: true } }),
          priority('b', { labelPreference: { label: 'y', presence: false } }),
          priority('c', { labelPreference: { label: 'z', presence: true } }),
        ],
      },
      {
        NodeLabel: { presentLabelsPreference: ['x', 'z'], absentLabelsPreference: ['y'] },
        PodTopologySpread: { defaultingType: 'List' },
      },
    ],
    [
      'labels over which services are spread',
      { priorities: [priority('a', { serviceAntiAffinity: { label: 'rack' } })] },
      { ServiceAffinity: { antiAffinityLabelsPreference: ['rack'] }, PodTopologySpread: { defaultingType: 'List' } },
    ],
    [
      'how requests are weighed',
      { priorities: [priority('a', { requestedToCapacityRatioArguments: { shape, resources: [] } })] },
      { RequestedToCapacityRatio: { shape, resources: [] }, PodTopologySpread: { defaultingType: 'List' } },
    ],
  ])('%s', (_, fields, expected) => {
    expect(configured(fields)).toEqual(expected);
  });

  it('names its profile as the flag says', () => {
    const nameOf = (flag: string) =>
      readPolicy('{"kind": "Policy", "apiVersion": "v1"}', flag).profiles[0]?.schedulerName;
    expect([nameOf(''), nameOf('mine')]).toEqual(['default-scheduler', 'mine']);
  });

  it.each<[string, string[]]>([
    ['CheckNodeLabelPresence', ['NodeLabel']],
    ['CheckServiceAffinity', ['ServiceAffinity']],
    ['MatchNodeSelector', ['NodeAffinity']],
    ['PodFitsResources', ['NodeResourcesFit']],
    ['PodFitsHostPorts', ['NodePorts']],
    ['MaxEBSVolumeCount', ['EBSLimits']],
    ['MaxGCEPDVolumeCount', ['GCEPDLimits']],
    ['MaxCSIVolumeCountPred', ['NodeVolumeLimits']],
    ['MaxAzureDiskVolumeCount', ['AzureDiskLimits']],
    ['MaxCinderVolumeCount', ['CinderLimits']],
    ['CheckVolumeBinding', ['VolumeBinding']],
    ['NoVolumeZoneConflict', ['VolumeZone']],
    ['EvenPodsSpread', ['PodTopologySpread']],
  ])('%s is asked of %j', (name, expected) => {
    const found = filters(read(predicates(name)));
    expect(found.filter((each) => !ALWAYS.includes(each))).toEqual(expected);
  });

  it.each<[string, string]>([
    ['LeastRequestedPriority', 'NodeResourcesLeastAllocated'],
    ['BalancedResourceAllocation', 'NodeResourcesBalancedAllocation'],
    ['InterPodAffinityPriority', 'InterPodAffinity'],
    ['NodeAffinityPriority', 'NodeAffinity'],
    ['TaintTolerationPriority', 'TaintToleration'],
    ['NodePreferAvoidPodsPriority', 'NodePreferAvoidPods'],
    ['ServiceSpreadingPriority', 'PodTopologySpread'],
  ])('%s scores by %s', (name, plugin) => {
    expect(weights(read({ predicates: [], priorities: [priority(name)] }))).toEqual({ [plugin]: 1 });
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
    [{ apiVersion: 'v2' }, 'no kind "Policy" is registered for version "v2"'],
    [
      { predicates: [{ name: 'x', argument: { serviceAffinity: { labels: [] }, labelsPresence: { labels: [] } } }] },
      'exactly one predicate argument is required',
    ],
    [{ predicates: [{ name: 'x', other: 1 }] }, 'unknown field "predicates[0].other"'],
    [{ priorities: [{ name: 'x', weight: 1, argument: {} }] }, 'exactly one priority argument is required'],
    [
      {
        priorities: [
          { name: 'x', weight: 1, argument: { serviceAntiAffinity: { label: 'a' }, labelPreference: { label: 'b' } } },
        ],
      },
      'exactly one priority argument is required',
    ],
    [{ priorities: [{ name: 'ImageLocalityPriority', weight: 21474837 }] }, 'must be in range [1-21474836]'],
    [{ hardPodAffinitySymmetricWeight: 101 }, 'must be in range [0-100]'],
    [{ other: 1 }, 'unknown field "other"'],
  ])('is refused: %j', (fields, message) => {
    expect(() => read(fields)).toThrow(ConfigurationError);
    expect(() => read(fields)).toThrow(message);
  });
});
