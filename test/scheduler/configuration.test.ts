import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, profilesOf, readConfiguration, type Profile } from '../../src/scheduler/config/index.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { scoreNodes, weightedScores } from '../../src/scheduler/framework/run.ts';
import { DEFAULT_PREEMPTION_ARGS } from '../../src/scheduler/preemption.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { loadYaml } from '../../src/std/index.ts';
import { cycle, node, pod, withPods } from './objects.ts';

beforeAll(loadYaml);

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n';
const ZONE = '{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}';
const profiles = (text: string): readonly Profile[] => profilesOf(readConfiguration(HEAD + text));
const profileOf = (text: string): Profile => profiles(text)[0] as Profile;

describe('a configuration file', () => {
  it('that says nothing leaves everything as it is', () => {
    const profile = profileOf('');
    expect([profile.name, profile.preemption]).toEqual(['default-scheduler', DEFAULT_PREEMPTION_ARGS]);
    // Filters are told apart from plugins that only score; the order within each stays.
    const names = (all: Profile['plugins'], what: 'filter' | 'score'): string[] =>
      all.filter((plugin) => plugin[what]).map(({ name }) => name);
    expect(names(profile.plugins, 'filter')).toEqual(names(plugins, 'filter'));
    expect(names(profile.plugins, 'score').sort()).toEqual(names(plugins, 'score').sort());
  });

  it('is understood under either naming profile', () => {
    const text = HEAD.replace('k8s.io', 'cluster.io');
    expect(readConfiguration(text).profiles).toHaveLength(1);
  });

  it('says how nodes are sampled and how long failed pods wait', () => {
    const { percentageOfNodesToScore, backoff } = readConfiguration(
      `${HEAD}percentageOfNodesToScore: 30\npodInitialBackoffSeconds: 2\npodMaxBackoffSeconds: 20\nleaderElection: {leaderElect: false}`,
    );
    expect({ percentageOfNodesToScore, backoff }).toEqual({
      percentageOfNodesToScore: 30,
      backoff: { first: 2000, longest: 20_000 },
    });
  });

  it.each([
    ['kind: Pod', 'no kind "Pod" is registered for version "": use kubescheduler.config.cluster.io/v1beta1'],
    [`${HEAD}colour: red`, 'strict decoder error: unknown field "colour"'],
    [`${HEAD}percentageOfNodesToScore: 101`, 'percentageOfNodesToScore: Invalid value: 101: must be in range [0-100]'],
    [`${HEAD}podInitialBackoffSeconds: soon`, 'podInitialBackoffSeconds has to be a whole number'],
    [
      `${HEAD}podInitialBackoffSeconds: 60`,
      'podMaxBackoffSeconds: Invalid value: must be greater than or equal to PodInitialBackoffSeconds',
    ],
    [`${HEAD}profiles: [{schedulerName: a}, {schedulerName: a}]`, 'profiles[1].schedulerName: Duplicate value: "a"'],
    [`${HEAD}profiles: [{schedulerName: a}, {}]`, 'profiles[1].schedulerName: Required value'],
    [
      `${HEAD}profiles: [{plugins: {score: {enabled: [{name: Nope}]}}}]`,
      'profile "default-scheduler": plugin "Nope" does not exist',
    ],
    [
      `${HEAD}profiles: [{plugins: {filter: {enabled: [{name: ImageLocality}]}}}]`,
      'plugin "ImageLocality" does not extend filter plugin',
    ],
    [
      `${HEAD}profiles: [{plugins: {score: {enabled: [{name: ImageLocality}]}}}]`,
      'plugin "ImageLocality" already registered as "score"',
    ],
    [
      `${HEAD}profiles: [{plugins: {bind: {disabled: [{name: "*"}]}}}]`,
      'profile "default-scheduler": at least one bind plugin is needed',
    ],
    [`${HEAD}profiles: [{plugins: {sort: {}}}]`, 'strict decoder error: unknown field "profiles[0].plugins.sort"'],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]`,
      'profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: must be in range [0-100]',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: NodeName, args: {x: 1}}]}]`,
      'strict decoder error: unknown field "profiles[0].pluginConfig[0].args.x"',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: [1]}}]}]`,
      'profiles[0].pluginConfig[0].args.addedAffinity is no node affinity',
    ],
    [`${HEAD}extenders: [{urlPrefix: x}]`, 'extenders[0].urlPrefix: "x" is no URL'],
    [
      `${HEAD}extenders: [{urlPrefix: "https://x", prioritizeVerb: p}]`,
      'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
    ],
    [
      `${HEAD}extenders: [{urlPrefix: "https://x", bindVerb: b}, {urlPrefix: "https://y", bindVerb: b}]`,
      'extenders: Invalid value: found 2 extenders implementing bind',
    ],
    [
      `${HEAD}extenders: [{urlPrefix: "https://x", httpTimeout: soon}]`,
      'extenders[0].httpTimeout: invalid duration "soon"',
    ],
    [
      `${HEAD}profiles: [{plugins: {score: {enabled: [{name: RequestedToCapacityRatio}]}}}]`,
      'RequestedToCapacityRatio.shape: Required value: at least one point must be specified',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}]}]`,
      'cannot have both minCandidateNodesPercentage and minCandidateNodesAbsolute as zero',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: NodeResourcesLeastAllocated, args: {resources: [{name: cpu}]}}]}]`,
      'args.resources[0].weight: Required value',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: NodeLabel, args: {presentLabels: [a, b], absentLabels: [b]}}]}]`,
      'label "b" is in both the present and the absent list',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultingType: System, defaultConstraints: [${ZONE}]}}]}]`,
      'when .defaultingType is System, it has to be empty',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [${ZONE}, ${ZONE}]}}]}]`,
      'args.defaultConstraints[1]: Duplicate value: "{zone, ScheduleAnyway}"',
    ],
    [
      `${HEAD}profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{topologyKey: z, whenUnsatisfiable: ScheduleAnyway}]}}]}]`,
      'args.defaultConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
    ],
    [`${HEAD}profiles: 7`, 'profiles has to be a list'],
    ['- 1', 'the file has to be a map of fields'],
  ])('is refused: %s', (text, message) => {
    const read = (): unknown => profilesOf(readConfiguration(text));
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(message);
  });
});

describe('a profile', () => {
  const empty = withPods(node('empty'));
  const half = withPods(node('half'), pod('x', { requests: { cpu: '2', memory: '4Gi' } }));

  /** The node with the highest score of the plugins of that name. */
  const preferred = (profile: Profile, plugin: string): string | undefined => {
    const scored = scoreNodes(profile.plugins, cycle(pod('p'), [empty, half]), [empty, half]);
    const score = (i: number): number => weightedScores(scored, i)[plugin] ?? 0;
    return score(0) > score(1) ? 'empty' : 'half';
  };

  it('can prefer full nodes to empty ones', () => {
    const packing = profileOf(`
profiles:
- plugins:
    score:
      disabled: [{name: NodeResourcesLeastAllocated}]
      enabled: [{name: NodeResourcesMostAllocated, weight: 5}]
`);
    expect(preferred(profileOf(''), 'NodeResourcesLeastAllocated')).toBe('empty');
    expect(preferred(packing, 'NodeResourcesMostAllocated')).toBe('half');
    expect(packing.plugins.find(({ name }) => name === 'NodeResourcesMostAllocated')?.weight).toBe(5);
    expect(packing.plugins.some(({ name }) => name === 'NodeResourcesLeastAllocated')).toBe(false);
  });

  const refuses = (profile: Profile, target = node('n'), wanted = pod('p', { requests: { cpu: '100' } })): boolean => {
    const nodes = [withPods(target)];
    return Filters.prepare(profile.plugins, cycle(wanted, nodes)).check(nodes[0]!) !== undefined;
  };

  it('can leave filters out, all of them or one', () => {
    expect(refuses(profileOf(''))).toBe(true);
    expect(refuses(profileOf('profiles: [{plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}}]'))).toBe(false);
    expect(refuses(profileOf('profiles: [{plugins: {filter: {disabled: [{name: "*"}]}}}]'))).toBe(false);
  });

  it('can leave out preemption', () => {
    expect(profileOf('profiles: [{plugins: {postFilter: {disabled: [{name: "*"}]}}}]').preemption).toBeUndefined();
  });

  it('can keep its pods to some nodes', () => {
    const added = `{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}`;
    const profile = profileOf(`profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: ${added}}}]}]`);
    expect(refuses(profile, node('hdd'), pod('p'))).toBe(true);
    expect(refuses(profile, node('ssd', { labels: { disk: 'ssd' } }), pod('p'))).toBe(false);
  });

  it('takes constraints of its own without a word about defaulting', () => {
    const args = `{defaultConstraints: [${ZONE}]}`;
    expect(() => profileOf(`profiles: [{pluginConfig: [{name: PodTopologySpread, args: ${args}}]}]`)).not.toThrow();
  });

  it('can weigh a ratio beyond a hundred', () => {
    const args = '{shape: [{utilization: 0, score: 5}], resources: [{name: cpu, weight: 200}]}';
    expect(() =>
      profileOf(`profiles: [{pluginConfig: [{name: RequestedToCapacityRatio, args: ${args}}]}]`),
    ).not.toThrow();
  });

  it('can ignore resources', () => {
    const wanted = pod('p', { requests: { 'example.org/gpu': '1' } });
    expect(refuses(profileOf(''), node('n'), wanted)).toBe(true);
    const ignoring =
      'profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResourceGroups: [example.org]}}]}]';
    expect(refuses(profileOf(ignoring), node('n'), wanted)).toBe(false);
  });
});
