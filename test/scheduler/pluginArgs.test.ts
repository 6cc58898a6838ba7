/** What a profile makes of plugins and their arguments, and what these plugins then do. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import { Fields, profilesOf, readConfiguration, type Profile } from '../../src/scheduler/config/index.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import type { Listers } from '../../src/scheduler/framework/plugin.ts';
import { scoreNodes } from '../../src/scheduler/framework/run.ts';
import { selects } from '../../src/scheduler/framework/podInfo.ts';
import { requestOf, scoredRequestOf, nonZeroUseOf } from '../../src/scheduler/framework/resources.ts';
import { serviceAffinityOf } from '../../src/scheduler/plugins/serviceAffinity.ts';
import { loadYaml } from '../../src/std/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';

beforeAll(loadYaml);

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n';
const profileOf = (text: string): Profile => profilesOf(readConfiguration(HEAD + text))[0] as Profile;
const withArgs = (name: string, args: string, enabled = ''): string =>
  `profiles: [{plugins: {${enabled}}, pluginConfig: [{name: ${name}, args: ${args}}]}]`;
const args = 'profiles[0].pluginConfig[0].args';

describe('arguments that are refused', () => {
  test.each<[name: string, args: string, message: string]>([
    [
      'PodTopologySpread',
      '{defaultConstraints: [{maxSkew: 0}]}',
      `${args}.defaultConstraints[0].maxSkew: Invalid value: 0: must be in range [1-2147483647]`,
    ],
    [
      'PodTopologySpread',
      '{defaultConstraints: [{topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}',
      `${args}.defaultConstraints[0].maxSkew: Invalid value: 0: must be greater than zero`,
    ],
    [
      'PodTopologySpread',
      '{defaultConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]}',
      `${args}.defaultConstraints[0].topologyKey: can not be empty`,
    ],
    [
      'PodTopologySpread',
      '{defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: Never}]}',
      `${args}.defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Never": use DoNotSchedule or ScheduleAnyway`,
    ],
    [
      'PodTopologySpread',
      '{defaultConstraints: [{maxSkew: 1, topologyKey: a}]}',
      `${args}.defaultConstraints[0].whenUnsatisfiable: Unsupported value: "": use DoNotSchedule or ScheduleAnyway`,
    ],
    [
      'PodTopologySpread',
      '{defaultingType: Other}',
      `${args}.defaultingType: Unsupported value: "Other": use System or List`,
    ],
    [
      'PodTopologySpread',
      '{defaultingType: System, defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}',
      `${args}.defaultConstraints: when .defaultingType is System, it has to be empty`,
    ],
    ['RequestedToCapacityRatio', '{}', `${args}.shape: Required value: at least one point must be specified`],
    [
      'RequestedToCapacityRatio',
      '{shape: [{utilization: 50, score: 1}, {utilization: 50, score: 2}]}',
      `${args}.shape[1].utilization: Invalid value: 50: utilization values must be sorted in increasing order`,
    ],
    [
      'RequestedToCapacityRatio',
      '{shape: [{utilization: 0, score: 1}, {utilization: 90, score: 2}, {utilization: 20, score: 2}]}',
      `${args}.shape[2].utilization: Invalid value: 20: utilization values must be sorted in increasing order`,
    ],
    [
      'RequestedToCapacityRatio',
      '{shape: [{utilization: 101, score: 1}]}',
      `${args}.shape[0].utilization: Invalid value: 101: must be in range [0-100]`,
    ],
    [
      'RequestedToCapacityRatio',
      '{shape: [{utilization: 1, score: 11}]}',
      `${args}.shape[0].score: Invalid value: 11: must be in range [0-10]`,
    ],
    ['NodeResourcesLeastAllocated', '{resources: [{name: cpu}]}', `${args}.resources[0].weight: Required value`],
    [
      'NodeResourcesLeastAllocated',
      '{resources: [{name: cpu, weight: 101}]}',
      `${args}.resources[0].weight: Invalid value: 101: must be in range [1-100]`,
    ],
    ['NodeResourcesLeastAllocated', '{resources: {}}', `${args}.resources has to be a list`],
    ['NodeResourcesLeastAllocated', '{resources: [1]}', `${args}.resources[0] has to be a map of fields`],
    ['NodeResourcesFit', '{ignoredResources: [1]}', `${args}.ignoredResources has to be a list of texts`],
    ['NodeResourcesFit', '{ignoredResources: [a, 1]}', `${args}.ignoredResources has to be a list of texts`],
    ['NodeResourcesFit', '{ignoredResources: x}', `${args}.ignoredResources has to be a list of texts`],
    [
      'DefaultPreemption',
      '{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}',
      `${args}: cannot have both minCandidateNodesPercentage and minCandidateNodesAbsolute as zero`,
    ],
    [
      'DefaultPreemption',
      '{minCandidateNodesPercentage: -1}',
      `${args}.minCandidateNodesPercentage: Invalid value: -1: must be in range [0-100]`,
    ],
    [
      'NodeAffinity',
      '{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a}]}]}}}',
      `${args}.addedAffinity is no node affinity`,
    ],
    [
      'NodeAffinity',
      '{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{preference: {}}]}}',
      `${args}.addedAffinity is no node affinity`,
    ],
    [
      'NodeAffinity',
      '{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: a, operator: In, values: [1]}]}]}}}',
      `${args}.addedAffinity is no node affinity`,
    ],
  ])('%s %s', (name, given, message) => {
    const enabled = name === 'RequestedToCapacityRatio' ? 'score: {enabled: [{name: RequestedToCapacityRatio}]}' : '';
    expect(() => profileOf(withArgs(name, given, enabled))).toThrow(message);
  });

  test.each<[text: string, message: string]>([
    ['[1]', 'the file has to be a map of fields'],
    [
      'kind: KubeSchedulerConfiguration\napiVersion: other/v1',
      'no kind "KubeSchedulerConfiguration" is registered for version "other/v1"',
    ],
    ['kind: Other\napiVersion: kubescheduler.config.k8s.io/v1beta1', 'no kind "Other" is registered'],
    ['kind: 1', 'kind has to be a text'],
    [
      `${HEAD}profiles: [{schedulerName: a}, {schedulerName: b}, {schedulerName: b}]`,
      'profiles[2].schedulerName: Duplicate value: "b"',
    ],
    [
      `${HEAD}profiles: [{plugins: {queueSort: {disabled: [{name: PrioritySort}]}}}]`,
      'profile "default-scheduler": no queue sort plugin is enabled',
    ],
    [
      `${HEAD}podInitialBackoffSeconds: 0`,
      'podInitialBackoffSeconds: Invalid value: 0: must be in range [1-2147483647]',
    ],
  ])('%s', (text, message) => {
    expect(() => profilesOf(readConfiguration(text))).toThrow(message);
  });
});

describe('arguments that are taken', () => {
  test.each<[name: string, args: string]>([
    ['DefaultPreemption', '{apiVersion: x/v1, kind: DefaultPreemptionArgs, minCandidateNodesPercentage: 0}'],
    ['DefaultPreemption', '{minCandidateNodesAbsolute: 0}'],
    ['NodeResourcesFit', '{apiVersion: x/v1, kind: NodeResourcesFitArgs, ignoredResources: []}'],
    ['NodeAffinity', '{addedAffinity: {}}'],
    ['NodeAffinity', '{}'],
    ['PodTopologySpread', '{defaultingType: List}'],
    ['PodTopologySpread', '{defaultingType: System}'],
  ])('%s %s', (name, given) => {
    expect(profileOf(withArgs(name, given)).name).toBe('default-scheduler');
  });

  test('the numbers of preemption, with defaults for those that are missing', () => {
    expect(profileOf(withArgs('DefaultPreemption', '{minCandidateNodesPercentage: 30}')).preemption).toEqual({
      minCandidateNodesPercentage: 30,
      minCandidateNodesAbsolute: 100,
    });
    expect(profileOf(withArgs('DefaultPreemption', '{minCandidateNodesAbsolute: 5}')).preemption).toEqual({
      minCandidateNodesPercentage: 10,
      minCandidateNodesAbsolute: 5,
    });
    expect(profileOf('profiles: [{plugins: {postFilter: {disabled: [{name: "*"}]}}}]').preemption).toBeUndefined();
    expect(
      profileOf('profiles: [{plugins: {postFilter: {disabled: [{name: "*"}], enabled: [{name: DefaultPreemption}]}}}]')
        .preemption,
    ).toBeDefined();
  });

  test('equal back-offs are allowed', () => {
    expect(readConfiguration(`${HEAD}podInitialBackoffSeconds: 10`).backoff).toEqual({
      first: 10_000,
      longest: 10_000,
    });
  });
});

describe('a plugin of a profile', () => {
  const parts = (text: string, name: string): Record<string, boolean | number> => {
    const plugin = profileOf(text).plugins.find((each) => each.name === name);
    const has = [
      'filter',
      'prepareFilter',
      'concerns',
      'copyState',
      'movePod',
      'facts',
      'score',
      'prepareScore',
      'normalize',
    ] as const;
    return {
      ...Object.fromEntries(has.filter((part) => plugin?.[part]).map((part) => [part, true])),
      ...(plugin?.weight !== undefined && { weight: plugin.weight }),
    };
  };
  const filtering = { filter: true, prepareFilter: true, copyState: true, movePod: true, facts: true };
  const scoring = { score: true, prepareScore: true, normalize: true };

  test.each<[string, text: string, expected: Record<string, boolean | number>]>([
    ['filters and scores', '', { ...filtering, ...scoring, weight: 1 }],
    [
      'only filters',
      'profiles: [{plugins: {score: {disabled: [{name: InterPodAffinity}]}}}]',
      { ...filtering, weight: 1 },
    ],
    [
      'only scores',
      'profiles: [{plugins: {filter: {disabled: [{name: InterPodAffinity}]}}}]',
      { ...scoring, weight: 1 },
    ],
    [
      'scores with another weight',
      'profiles: [{plugins: {score: {disabled: [{name: "*"}], enabled: [{name: InterPodAffinity, weight: 7}]}}}]',
      { ...filtering, ...scoring, weight: 7 },
    ],
  ])('%s', (_, text, expected) => {
    expect(parts(text, 'InterPodAffinity')).toEqual(expected);
  });
});

const scoresOf = (
  profile: Profile,
  name: string,
  wanted: Pod,
  nodes: readonly NodeInfo[],
): readonly number[] | undefined =>
  scoreNodes(profile.plugins, cycle(wanted, nodes), nodes).columns.find(({ plugin }) => plugin === name)?.normalized;

test.each<[string, shape: string, scores: number[]]>([
  ['rises', '[{utilization: 0, score: 0}, {utilization: 100, score: 10}]', [10, 50, 100, 100]],
  ['is constant beyond its ends', '[{utilization: 20, score: 3}, {utilization: 60, score: 5}]', [30, 45, 50, 50]],
  ['falls', '[{utilization: 0, score: 10}, {utilization: 100, score: 0}]', [90, 50, 0, 0]],
])('the shape of a requested share that %s', (_, shape, scores) => {
  const enabled = 'score: {enabled: [{name: RequestedToCapacityRatio}]}';
  const profile = profileOf(
    withArgs('RequestedToCapacityRatio', `{shape: ${shape}, resources: [{name: cpu, weight: 1}]}`, enabled),
  );
  const nodes = ['0', '4', '9', '10'].map((used, i) =>
    withPods(node(`n${i}`, { allocatable: { cpu: '10' } }), pod(`u${i}-${shape}`, { requests: { cpu: used } })),
  );
  expect(scoresOf(profile, 'RequestedToCapacityRatio', pod('p', { requests: { cpu: '1' } }), nodes)).toEqual(scores);
});

test('the shape of a requested share takes what a node lacks, or has too little of, as used up', () => {
  const shape = '[{utilization: 0, score: 2}, {utilization: 100, score: 8}]';
  const enabled = 'score: {enabled: [{name: RequestedToCapacityRatio}]}';
  const profile = profileOf(
    withArgs('RequestedToCapacityRatio', `{shape: ${shape}, resources: [{name: a.org/x, weight: 1}]}`, enabled),
  );
  const nodes = [{}, { 'a.org/x': '1' }, { 'a.org/x': '2' }, { 'a.org/x': '4' }].map((allocatable, i) =>
    withPods(node(`n${i}`, { allocatable })),
  );
  const wanted = pod('p', { requests: { 'a.org/x': '2' } });
  expect(scoresOf(profile, 'RequestedToCapacityRatio', wanted, nodes)).toEqual([80, 80, 80, 50]);
});

test('resources that are managed elsewhere are not counted', () => {
  const all = { 'a.org/x': '5', 'b.org/y': '5', memory: '99Gi' };
  const fit = (text: string, requests: Record<string, string> = all): (string | undefined)[] => {
    const wanted = pod('p', { requests });
    const nodes = [withPods(node('n'))];
    return [
      Filters.prepare(profileOf(text).plugins, cycle(wanted, nodes))
        .check(nodes[0] as NodeInfo)
        ?.refusal.reasons.join(),
    ];
  };
  expect(fit('')).toEqual(['Insufficient memory,Insufficient a.org/x,Insufficient b.org/y']);
  expect(fit(withArgs('NodeResourcesFit', '{ignoredResources: [a.org/x, memory]}'))).toEqual([
    'Insufficient memory,Insufficient b.org/y',
  ]);
  expect(fit(withArgs('NodeResourcesFit', '{ignoredResources: [hugepages-2Mi]}'), { 'hugepages-2Mi': '1' })).toEqual([
    'Insufficient hugepages-2Mi',
  ]);
  expect(fit(withArgs('NodeResourcesFit', '{ignoredResourceGroups: [b.org]}'))).toEqual([
    'Insufficient memory,Insufficient a.org/x',
  ]);
  const extender =
    'extenders: [{urlPrefix: "http://e", filterVerb: f, managedResources: [{name: a.org/x, ignoredByScheduler: true}, {name: b.org/y}]}]';
  expect(fit(extender)).toEqual(['Insufficient memory,Insufficient b.org/y']);
  expect(fit(`${withArgs('NodeResourcesFit', '{ignoredResources: [b.org/y]}')}\n${extender}`)).toEqual([
    'Insufficient memory',
  ]);
});

describe('service affinity', () => {
  const services = {
    servicesFor: () => [{ metadata: { name: 's' }, spec: { selector: { app: 'web' } } }],
  } as unknown as Partial<Listers>;
  const web = (name: string, more: object = {}): Pod => pod(name, { labels: { app: 'web' }, ...more });
  const [x, y, bare] = [
    withPods(node('x', { labels: { rack: 'x' } })),
    withPods(node('y', { labels: { rack: 'y' } })),
    withPods(node('bare')),
  ];
  const plugin = serviceAffinityOf({ affinityLabels: ['rack'], antiAffinityLabels: ['rack'] });
  const fits = (filters: Filters, nodes: readonly NodeInfo[]): string[] =>
    nodes.filter((each) => !filters.check(each)).map(({ name }) => name);

  test('keeps the pods of a service together, with pods that are supposed to come or go', () => {
    const there = web('there');
    const nodes = [withPods(x.node, there), y, bare];
    const filters = Filters.prepare([plugin], cycle(web('p'), nodes, services));
    expect(fits(filters, nodes)).toEqual(['x']);
    const supposed = filters.suppose(nodes[1] as NodeInfo);
    const without = filters.suppose(nodes[0] as NodeInfo);
    without.remove(podInfoOf(there));
    expect([supposed.check() !== undefined, without.check()]).toEqual([true, undefined]);
    const free = Filters.prepare([plugin], cycle(web('q'), [x, y, bare], services));
    expect(fits(free, [x, y, bare])).toEqual(['x', 'y', 'bare']);
    const onY = free.suppose(y);
    onY.add(podInfoOf(web('new')));
    expect(onY.check()).toBeUndefined();
    const onBare = free.suppose(bare);
    onBare.add(podInfoOf(pod('other')));
    expect(onBare.check()).toBeUndefined();
    expect(fits(free, [x, y, bare])).toEqual(['x', 'y', 'bare']);
  });

  test.each<[string, wanted: Pod, listers: Partial<Listers>, fits: string[]]>([
    ['follows the node selector first', web('p', { spec: { nodeSelector: { rack: 'y' } } }), services, ['y']],
    ['binds no pod without a service', web('p'), {}, ['x', 'y', 'bare']],
    [
      'does not look at other namespaces',
      pod('p', { labels: { app: 'web' }, namespace: 'other' }),
      services,
      ['x', 'y', 'bare'],
    ],
  ])('%s', (_, wanted, listers, expected) => {
    const nodes = [withPods(x.node, web('there')), y, bare];
    expect(fits(Filters.prepare([plugin], cycle(wanted, nodes, listers)), nodes)).toEqual(expected);
  });

  test('spreads pods over the values of a label', () => {
    const leaving = { ...web('l'), metadata: { ...web('l').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const nodes = [
      withPods(x.node, web('a'), web('b'), web('c')),
      withPods(y.node, web('d'), leaving),
      withPods(node('x2', { labels: { rack: 'x' } })),
      bare,
    ];
    const columns = (given: readonly NodeInfo[]): readonly number[] | undefined =>
      scoreNodes([plugin], cycle(web('p'), given, services), given).columns[0]?.normalized;
    expect(columns(nodes)).toEqual([25, 75, 25, 0]);
    expect(columns([x, y, bare])).toEqual([100, 100, 0]);
  });
});

describe('what a pod asks for', () => {
  const container = (cpu?: string, memory?: string): object => ({
    name: 'c',
    resources: { requests: { ...(cpu && { cpu }), ...(memory && { memory }) } },
  });
  const MIB = 1024 * 1024;
  test.each<[string, spec: object, request: [number, number], scored: [number, number], used: [number, number]]>([
    ['one container', { containers: [container('1', '1Mi')] }, [1000, MIB], [1000, MIB], [1000, MIB]],
    [
      'two containers, one without requests',
      { containers: [container('1', '1Mi'), { name: 'd' }] },
      [1000, MIB],
      [1100, 201 * MIB],
      [1100, 201 * MIB],
    ],
    [
      'the largest init container',
      { containers: [container('1', '4Mi')], initContainers: [container('3', '1Mi'), container('2', '2Mi')] },
      [3000, 4 * MIB],
      [3000, 4 * MIB],
      [3000, 4 * MIB],
    ],
    [
      'overhead',
      { containers: [container('1', '1Mi')], overhead: { cpu: '2', memory: '1Mi' } },
      [3000, 2 * MIB],
      [1002, 2 * MIB],
      [3000, 2 * MIB],
    ],
    [
      'overhead of memory alone',
      { containers: [container('1', '1Mi')], overhead: { memory: '1Mi' } },
      [1000, 2 * MIB],
      [1000, 2 * MIB],
      [1000, 2 * MIB],
    ],
    ['nothing', { containers: [] }, [0, 0], [0, 0], [0, 0]],
  ])('%s', (_, spec, request, scored, used) => {
    const asking = pod('p', { spec: spec as Partial<Pod['spec']> });
    const pair = ({ cpu, memory }: { cpu: number; memory: number }): [number, number] => [cpu, memory];
    expect([pair(requestOf(asking)), pair(scoredRequestOf(asking)), pair(nonZeroUseOf(asking))]).toEqual([
      request,
      scored,
      used,
    ]);
  });
});

describe('an affinity term', () => {
  const withTerm = (name: string, kind: string, term: object): Pod =>
    pod(name, {
      spec: {
        affinity: {
          [kind]: {
            requiredDuringSchedulingIgnoredDuringExecution: [term],
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 3, podAffinityTerm: term }],
          },
        },
      },
    });
  const term = { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: 'zone' };
  test.each<[string, namespaces: string[] | undefined, selected: string[]]>([
    ['means the namespace of its pod', undefined, ['ns']],
    ['with an empty list as well', [], ['ns']],
    ['means the namespaces that it names', ['a', 'b'], ['a', 'b']],
  ])('%s', (name, namespaces, selected) => {
    for (const [kind, required, preferred] of [
      ['podAffinity', 'requiredAffinity', 'preferredAffinity'],
      ['podAntiAffinity', 'requiredAntiAffinity', 'preferredAntiAffinity'],
    ] as const) {
      const info = podInfoOf(withTerm(`${name}-${kind}`, kind, { ...term, ...(namespaces && { namespaces }) }));
      const [first] = info[required];
      expect([first?.weight, info[preferred][0]?.weight, info[required].length, info[preferred].length]).toEqual([
        1, 3, 1, 1,
      ]);
      expect(
        ['ns', 'a', 'b', 'c'].filter((namespace) => first && selects(first, { namespace, labels: { app: 'x' } })),
      ).toEqual(selected);
      expect(first && selects(first, { namespace: selected[0] ?? '', labels: { app: 'y' } })).toBe(false);
    }
    const free = podInfoOf(pod('free'));
    expect([
      free.requiredAffinity,
      free.requiredAntiAffinity,
      free.preferredAffinity,
      free.preferredAntiAffinity,
    ]).toEqual([[], [], [], []]);
  });
});

test('fields are read once and by their type', () => {
  const fields = new Fields({ n: 1, t: 'a', list: [{}], none: null }, 'at');
  expect([
    fields.number('n', 1, 1),
    fields.text('t'),
    fields.text('none'),
    fields.text('gone'),
    fields.texts('gone'),
  ]).toEqual([1, 'a', undefined, undefined, []]);
  expect(() => fields.text('n')).toThrow('at.n has to be a text');
  expect(() => new Fields(null, 'x')).toThrow('x has to be a map of fields');
  expect(() => fields.end()).toThrow('unknown field "at.list"');
  expect(fields.list('list')[0]?.path).toBe('at.list[0]');
});
