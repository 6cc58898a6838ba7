/** What an explanation tells of extenders, reservations and preemption. */
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import { Extender } from '../../src/scheduler/extender/index.ts';
import { podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { refuse, refuseForGood, type Plugin } from '../../src/scheduler/framework/plugin.ts';
import { Snapshot } from '../../src/scheduler/framework/snapshot.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { explainNode, explainPlacement, type Situation, type Verdict } from '../../src/scheduler/questions/index.ts';
import { manualClock } from '../../src/std/index.ts';
import { answering, configured } from './extenders.ts';
import { cycle, node, pod, withPods } from './objects.ts';

function situation(nodes: readonly NodeInfo[], more: Partial<Situation> = {}): Situation {
  const { listers } = cycle(pod('p'), nodes);
  return { snapshot: new Snapshot(nodes), listers, plugins, ...more };
}

const asking = (name: string, cpu: string, spec: Partial<Pod['spec']> = {}): Pod =>
  pod(name, { requests: { cpu }, spec });
const filtering = (url: string, answer: unknown, more: object = {}): Extender =>
  answering({ urlPrefix: url, filterVerb: 'f', ...more }, answer).extender;
/** What extenders say of each node, as `URL`, or as `URL: REASON` where it is left out. */
const outside = (verdicts: readonly Verdict[]): string[] =>
  verdicts
    .filter(({ plugin }) => plugin.startsWith('https'))
    .map(({ plugin, reasons, isFirst }) => `${plugin}${isFirst ? `: ${reasons.join()}` : ''}`);

describe('extenders', () => {
  const nodes = [
    withPods(node('a')),
    withPods(node('b')),
    withPods(node('c')),
    withPods(node('full', { allocatable: { pods: '0' } })),
  ];
  const extenders = [
    filtering('https://1', { nodeNames: ['a', 'b'], failedNodes: { c: 'no disk' } }),
    filtering('https://other', {}, { managedResources: [{ name: 'x.io/gpu' }] }),
    answering({ urlPrefix: 'https://scores', prioritizeVerb: 'p', weight: 1 }, [{ host: 'a', score: 3 }]).extender,
    filtering('https://2', { nodeNames: ['a'] }),
  ];

  test('tell of each node that passes the filters, up to the one that leaves it out', async () => {
    const explained = await explainPlacement(situation(nodes, { extenders }), pod('p'));
    expect(explained.nodes.map(({ node: name, fits, verdicts }) => [name, fits, outside(verdicts)])).toEqual([
      ['a', true, ['https://1', 'https://2']],
      ['b', false, ['https://1', 'https://2: left out, without a reason']],
      ['c', false, ['https://1: no disk']],
      ['full', false, []],
    ]);
    expect(explained.winners).toEqual(['a']);
    const [, b, c] = explained.nodes;
    expect(b?.verdicts.slice(-2)).toEqual([
      { plugin: 'https://1', reasons: [], isFirst: false, facts: [] },
      { plugin: 'https://2', reasons: ['left out, without a reason'], resolvable: true, isFirst: true, facts: [] },
    ]);
    expect(c?.isReserved).toBe(false);
  });

  test('count in the reasons that are given, and in the scores', async () => {
    const [first, , scores] = extenders as [Extender, Extender, Extender];
    const small = situation(nodes.slice(2), { extenders: [first] });
    expect((await explainPlacement(small, pod('p'))).why).toBe('0/2 nodes are available: 1 Too many pods, 1 no disk.');
    const scored = await explainPlacement(situation(nodes, { extenders: [scores] }), pod('p'));
    expect(scored.nodes.map(({ scores: parts }) => parts?.find(({ plugin }) => plugin === 'https://scores'))).toEqual([
      ...[3, 0, 0].map((raw) => ({
        ...{ plugin: 'https://scores', raw, normalized: raw * 10, weight: 1, weighted: raw * 10 },
      })),
      undefined,
    ]);
    expect(scored.winners).toEqual(['a']);
    expect(scored).not.toHaveProperty('why');
    expect(scored).not.toHaveProperty('preemption');
  });

  test.each<[string, Extender, why: string]>([
    ['answers with an error', filtering('https://1', { error: 'no idea' }), 'no idea'],
    [
      'fails with no error at all',
      new Extender(configured({ filterVerb: 'f' }), {
        clock: manualClock(),

        fetch: () => Promise.reject('broken'),
      }),
      'broken',
    ],
  ])('that %s end the attempt, without preemption', async (_, extender, why) => {
    const explained = await explainPlacement(
      situation(nodes, { extenders: [extender] }),
      pod('p', { spec: { priority: 9 } }),
    );
    expect(explained).toMatchObject({ winners: [], why, preemption: { barredBy: 'extender', candidates: [] } });
    expect(explained.nodes.map(({ fits, isReserved, verdicts }) => [fits, isReserved, outside(verdicts)])).toEqual(
      Array(4).fill([false, false, []]),
    );
    expect(explained.nodes.some(({ scores }) => scores !== undefined)).toBe(false);
  });

  const taken = [withPods(node('a'), asking('low', '3'))];
  test.each<[string, Extender[], victims: string[]]>([
    ['are asked about victims', [answering({ preemptVerb: 'e' }, {}).extender], []],
    ['that fail then prevent it', [answering({ preemptVerb: 'e' }, {}, 500).extender], []],
    ['without a say in it do not matter', [answering({}, {}, 500).extender], ['a']],
  ])('%s', async (_, all, candidates) => {
    const now = situation(taken, { extenders: all });
    const { preemption } = await explainPlacement(now, asking('p', '3', { priority: 9 }));
    expect(preemption?.candidates.map((each) => each.node)).toEqual(candidates);
    expect(preemption?.node).toBe(candidates[0]);
    expect(preemption).not.toHaveProperty('barredBy');
    expect(preemption).not.toHaveProperty('decidedBy');
  });
});

describe('a preemption', () => {
  const low = asking('low', '3', { priority: 1 });
  const wanted = asking('p', '3', { priority: 9 });
  const leaving: Pod = { ...low, metadata: { ...low.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const nominated: Pod = { ...wanted, status: { nominatedNodeName: 'a' } };

  test.each<[string, there: Pod, wanted: Pod, more: Partial<Situation>, expected: object]>([
    ['is told with its node', low, wanted, {}, { node: 'a', candidates: [{ node: 'a' }] }],
    ['that the profile forbids', low, wanted, { preemption: undefined }, { barredBy: 'profile', candidates: [] }],
    [
      'that the pod forbids',
      low,
      { ...wanted, spec: { ...wanted.spec, preemptionPolicy: 'Never' } },
      {},
      { barredBy: 'policy', candidates: [] },
    ],
    ['whose victims still leave', leaving, nominated, {}, { barredBy: 'leaving', candidates: [] }],
  ])('%s', async (_, there, one, more, expected) => {
    const { preemption } = await explainPlacement(situation([withPods(node('a'), there)], more), one);
    expect(preemption).toMatchObject(expected);
    expect(Object.hasOwn(preemption ?? {}, 'barredBy')).toBe('barredBy' in expected);
  });

  test('spares pods that a budget protects, and says so', async () => {
    const guarded = pod('guarded', { labels: { app: 'a' }, requests: { cpu: '3' } });
    const budget = {
      metadata: { name: 'b', namespace: 'ns' },
      spec: { selector: { matchLabels: { app: 'a' } } },
      status: { disruptionsAllowed: 0 },
    } as never;
    const nodes = [withPods(node('a'), guarded), withPods(node('b'), asking('low', '3'))];
    const explained = await explainPlacement(situation(nodes, { budgets: [budget] }), wanted);
    expect(explained.preemption).toMatchObject({
      candidates: [
        { node: 'b', violations: 0 },
        { node: 'a', violations: 1, victims: [{ pod: 'ns/guarded', priority: 0 }] },
      ],
      node: 'b',
      decidedBy: 'fewest violated disruption budgets',
    });
  });
});

describe('a node', () => {
  const always: Plugin = { name: 'Always', filter: () => undefined, facts: () => [{ fact: 1 }] };
  const never: Plugin = { name: 'Never', filter: () => refuseForGood('never') };
  const perhaps: Plugin = { name: 'Perhaps', filter: () => refuse('perhaps') };

  test('has the verdict of each filter, the first refusal marked, with the facts where there are some', async () => {
    const now = situation([withPods(node('a'))], { plugins: [always, never, perhaps] });
    const explained = await explainNode(now, pod('p'), 'a');
    expect(explained).toEqual({
      node: 'a',
      verdicts: [
        { plugin: 'Always', reasons: [], isFirst: false, facts: [{ fact: 1 }] },
        { plugin: 'Never', reasons: ['never'], resolvable: false, isFirst: true, facts: [] },
        { plugin: 'Perhaps', reasons: ['perhaps'], resolvable: true, isFirst: false, facts: [] },
      ],
      fits: false,
      isReserved: false,
    });
    expect(await explainNode(now, pod('p'), 'b')).toBeUndefined();
    const refusedFirst = situation([withPods(node('a'))], { plugins: [never, always] });
    expect(await explainNode(refusedFirst, pod('p'), 'a')).toMatchObject({ fits: false, isReserved: false });
  });

  test('has no verdict where the pod is refused everywhere', async () => {
    const nowhere: Plugin = { name: 'Nowhere', prepareFilter: () => refuseForGood('nowhere') };
    const explained = await explainPlacement(
      situation([withPods(node('a'))], { plugins: [always, nowhere, never] }),
      pod('p'),
    );
    expect(explained).toMatchObject({
      nodes: [{ node: 'a', verdicts: [], fits: false, isReserved: false }],
      refusedEverywhere: { plugin: 'Nowhere', reasons: ['nowhere'] },
      why: '0/1 nodes are available: 1 nowhere.',
    });
    const elsewhere = await explainPlacement(situation([withPods(node('a'))], { plugins: [always] }), pod('p'));
    expect(elsewhere).not.toHaveProperty('refusedEverywhere');
  });

  test('that is kept for another pod is told apart from one that is full', async () => {
    const first = podInfoOf(asking('first', '3', { priority: 10 }));
    const reservedOn = (name: string) => (name === 'kept' ? [first] : []);
    const nodes = [withPods(node('kept')), withPods(node('full'), asking('x', '3')), withPods(node('free'))];
    const explained = await explainPlacement(situation(nodes, { reservedOn }), asking('p', '3'));
    expect(explained.nodes.map(({ fits, isReserved }) => [fits, isReserved])).toEqual([
      [false, true],
      [false, false],
      [true, false],
    ]);
    expect(explained.nodes.map(({ scores }) => scores)).toEqual([undefined, undefined, undefined]);
  });

  test('that fits without being asked has no score', async () => {
    const nodes = Array.from({ length: 102 }, (_, i) => withPods(node(`n${i}`)));
    const explained = await explainPlacement(situation(nodes, { percentage: 1, start: 1 }), pod('p'));
    expect(
      explained.nodes.flatMap(({ node: name, fits, total }) => (fits && total === undefined ? [name] : [])),
    ).toEqual(['n0', 'n101']);
  });

  test('has its scores by plugin', async () => {
    const scores: Plugin[] = [
      {
        name: 'Half',
        score: (_, { name }) => (name === 'a' ? 5 : 9),
        normalize: (all) => all.map((each) => each / 2),
        weight: 3,
      },
      { name: 'Whole', score: () => 1 },
    ];
    const { nodes, winners } = await explainPlacement(
      situation([withPods(node('a')), withPods(node('b'))], { plugins: scores }),
      pod('p'),
    );
    expect(winners).toEqual(['b']);
    expect(nodes[0]).toEqual({
      ...{ node: 'a', verdicts: [], fits: true, isReserved: false, total: 8.5 },
      scores: [
        { plugin: 'Half', raw: 5, normalized: 2.5, weight: 3, weighted: 7.5 },
        { plugin: 'Whole', raw: 1, normalized: 1, weight: 1, weighted: 1 },
      ],
    });
  });
});
