import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../src/schema/index.ts';
import {
  nodePatch,
  put,
  successorOf,
  templateSpecWith,
  withRequest,
} from '../../src/ui/panels/scheduling/draftObject.ts';
import { at } from '../../src/ui/stores/jsonValues.ts';
import {
  pairsText,
  parsePairs,
  parseTaints,
  parseTolerations,
  taintsText,
  tolerationsText,
} from '../../src/ui/panels/scheduling/draftText.ts';
import {
  amountText,
  comparedText,
  differenceText,
  drainText,
  extendersText,
  listed,
  nodeDifferences,
  placementText,
  preemptionText,
  refusals,
} from '../../src/ui/panels/scheduling/words.ts';
import type { NodeRow, Placement } from '../../src/ui/scheduling.ts';

const row = (node: string, more: Partial<NodeRow> = {}): NodeRow => ({
  ...{ node, zone: '', fits: true, isReserved: false },
  ...more,
});
const short = (node: string): NodeRow =>
  row(node, { fits: false, first: { plugin: 'Fit', reasons: ['Insufficient cpu'], resolvable: true } });
const placement = (
  nodes: readonly NodeRow[],
  winners: readonly string[],
  more: Partial<Placement> = {},
): Placement => ({
  ...{ pod: 'ns/p', profile: 'default', at: 0, filters: ['Fit'], nodes, winners, wakes: [] },
  ...more,
});

describe('sentences', () => {
  test.each([
    [placement([], []), 'ns/p has nowhere to go: there are no nodes.'],
    [placement([short('a'), short('b')], []), 'ns/p fits on none of 2 nodes.'],
    [placement([row('a'), short('b')], ['a']), 'ns/p goes to a: it fits on no other of 2 nodes.'],
    [
      placement([row('a', { total: 9 }), row('b', { total: 7 })], ['a']),
      'ns/p goes to a: of 2 nodes that fit it has the highest score, 9.',
    ],
    [
      placement([row('a', { total: 9 }), row('b', { total: 9 })], ['a', 'b']),
      'ns/p goes to a or b, chosen at random: they share the highest score, 9.',
    ],
    [
      placement([row('a', { fits: false })], [], {
        refusedEverywhere: { plugin: 'VolumeBinding', reasons: ['no claim'] },
      }),
      'ns/p can’t be placed on any node, whichever it is: no claim (VolumeBinding).',
    ],
  ])('%#: of a decision', (decided, text) => expect(placementText(decided)).toBe(text));

  test('refusals are grouped, those of most nodes first', () => {
    const tainted = row('c', { fits: false, first: { plugin: 'Taint', reasons: ['tainted'], resolvable: false } });
    expect(refusals([tainted, short('a'), short('b')])).toEqual([
      { plugin: 'Fit', reason: 'Insufficient cpu', nodes: ['a', 'b'] },
      { plugin: 'Taint', reason: 'tainted', nodes: ['c'] },
    ]);
  });

  test('differences', () => {
    const now = placement([short('a'), row('b')], ['b']);
    const then = placement([row('a', { total: 8 }), row('b', { total: 4 }), row('c', { total: 1 })], ['a']);
    expect(differenceText(now, then)).toBe('It would go to a instead of b.');
    expect(differenceText(then, placement([short('a')], []))).toBe('It would fit nowhere, instead of on a.');
    expect(differenceText(now, now)).toBe('Nothing changes: it goes to b.');
    expect(nodeDifferences(now, then)).toEqual([
      { node: 'a', change: 'Insufficient cpu → score 8' },
      { node: 'b', change: 'fits → score 4' },
      { node: 'c', change: 'not there → score 1' },
    ]);
    expect(nodeDifferences(now, placement([row('b')], ['b']))).toEqual([{ node: 'a', change: 'gone' }]);
  });

  test('preemption', () => {
    const victims = [{ pod: 'ns/low', priority: 1 }];
    const candidates = [{ node: 'a', victims, violations: 1, compared: [] }];
    expect(preemptionText({ candidates, node: 'a' })).toBe(
      'Room can be made on a: ns/low would go. 1 victim is protected by a disruption budget, which is violated.',
    );
    expect(preemptionText({ barredBy: 'leaving', candidates: [] })).toMatch(/^It preempts no pod/);
  });

  test('numbers that candidates are compared by', () => {
    const candidate = {
      node: 'a',
      victims: [
        { pod: 'x', priority: 100 },
        { pod: 'y', priority: 10 },
      ],
      violations: 0,
      compared: [],
    };
    const said = (value: number, unit?: 'priorities' | 'time') =>
      comparedText({ criterion: 'c', value, ...(unit && { unit }) }, candidate);
    expect(said(2)).toBe('2');
    expect(said(2 ** 32 + 110, 'priorities')).toBe('110 and 2³¹ for each of 2 victims');
    expect(said(-Date.parse('2026-01-02T03:04:05'), 'time')).toBe('03:04:05');
    expect(said(-Infinity)).toBe('none');
  });

  test('a drain', () => {
    expect(drainText({ pod: 'ns/p', what: 'moves', to: 'b', afterOthersOf: 'ns/keep' })).toBe(
      'moves to b, once those that the budget ns/keep let go before it are ready elsewhere',
    );
    expect(drainText({ pod: 'ns/p', what: 'blocked', by: 'ns/keep' })).toMatch(/^can’t be evicted/);
  });

  test('extenders', () => {
    const of = (extenders: string[], asksExtenders = true, then?: 'decided') =>
      extendersText({ extenders, asksExtenders }, then);
    expect(of(['https://a.default.svc'])).toMatch(/^a\.default\.svc was asked, too: .* Nothing is bound by asking\.$/);
    expect(of(['https://a', 'https://b'], true, 'decided')).toMatch(
      /^a and b were asked, too.*Their answers are of now/,
    );
    expect(of(['https://a'], false)).toMatch(/^a has a say .* it is not asked/);
  });

  test.each([
    ['cpu', 500, '500m'],
    ['cpu', 1500, '1.5'],
    ['memory', 2 ** 20, '1Mi'],
    ['memory', 3 * 2 ** 30, '3Gi'],
    ['memory', 0, '0'],
    ['pods', 12, '12'],
  ])('amount of %s: %d', (resource, amount, text) => expect(amountText(resource, amount)).toBe(text));

  test.each([
    [[], 'none'],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
  ])('list %j', (names, text) => expect(listed(names)).toBe(text));
});

describe('drafts as text', () => {
  test.each(['', 'a=1', 'a=1, example.io/b='])('pairs: %s', (text) => expect(pairsText(parsePairs(text))).toBe(text));
  test.each(['a', '=1', 'a b=1'])('no pairs: %s', (text) => expect(parsePairs(text)).toBeUndefined());
  test.each(['', 'k:NoSchedule', 'k=v:NoExecute, x:PreferNoSchedule'])('taints: %s', (text) =>
    expect(taintsText(parseTaints(text))).toBe(text),
  );
  test.each(['k', 'k=v', 'k:Never', ':NoSchedule'])('no taints: %s', (text) =>
    expect(parseTaints(text)).toBeUndefined(),
  );
  test.each(['', '*', 'k', 'k=v:NoSchedule', 'k:NoExecute, *'])('tolerations: %s', (text) =>
    expect(tolerationsText(parseTolerations(text))).toBe(text),
  );
  test.each(['k:Never', '*=v', ':NoSchedule'])('no tolerations: %s', (text) =>
    expect(parseTolerations(text)).toBeUndefined(),
  );
});

describe('applying a draft', () => {
  const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } };
  const pod = {
    metadata: { name: 'p', namespace: 'ns', uid: 'u', creationTimestamp: null },
    spec: { nodeName: 'a', containers: [container], tolerations: [{ key: 'added' }], priority: 0 },
  } as unknown as ApiObject;
  const field = (path: (string | number)[], to: unknown) => put(pod, path, to) as ApiObject;

  test('changes the template only as the draft changes the pod', () => {
    const template = { containers: [{ name: 'c', image: 'nginx', env: [] }], restartPolicy: 'Always' };
    expect(templateSpecWith(template, pod, pod)).toEqual(template);
    const smaller = field(['spec', 'containers', 0, 'resources', 'requests', 'cpu'], '500m');
    expect(templateSpecWith(template, pod, smaller)).toEqual({
      containers: [{ name: 'c', image: 'nginx', env: [], resources: { requests: { cpu: '500m' } } }],
      restartPolicy: 'Always',
    });
    const tolerant = field(['spec', 'tolerations'], [{ key: 'added' }, { key: 'mine' }]);
    expect(templateSpecWith(template, pod, tolerant)).toEqual({ ...template, tolerations: [{ key: 'mine' }] });
    expect(templateSpecWith(template, pod, field(['spec', 'nodeSelector'], { a: '1' }))).toEqual({
      ...template,
      nodeSelector: { a: '1' },
    });
  });

  test.each([
    ['cpu', { requests: { cpu: '2' } }],
    ['ephemeral-storage', { requests: { cpu: '1', 'ephemeral-storage': '2' } }],
    ['example.com/gpu', { requests: { cpu: '1', 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } }],
  ])('requests another amount of %s, with a limit where one must not exceed the request', (resource, expected) => {
    expect(at(withRequest(pod, resource, '2'), 'spec', 'containers', 0, 'resources')).toEqual(expected);
  });

  test('makes a pod anew without what the server gave it', () => {
    expect(successorOf(pod)).toMatchObject({
      metadata: { name: 'p', namespace: 'ns' },
      spec: { containers: [container] },
    });
    expect(Object.keys(successorOf(pod).spec as object)).not.toContain('nodeName');
    expect(successorOf(pod).metadata).not.toHaveProperty('uid');
  });

  test('changes labels, taints and whether a node takes pods', () => {
    const node = { metadata: { name: 'a', labels: { old: '1', kept: '1' } }, spec: { unschedulable: true } };
    const drafted = { metadata: { name: 'a', labels: { kept: '1', new: '1' } }, spec: { taints: [{ key: 'k' }] } };
    expect(nodePatch(node as unknown as ApiObject, drafted as unknown as ApiObject)).toEqual({
      metadata: { labels: { kept: '1', new: '1', old: null } },
      spec: { taints: [{ key: 'k' }], unschedulable: null },
    });
  });
});
