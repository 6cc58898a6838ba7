import { describe, expect, test } from 'vitest';
import { Client, type DaemonSet, type Node, type Pod } from '../../../src/client/index.ts';
import { FailedPodsBackoff } from '../../../src/controllers/daemonSet/failedPods.ts';
import { fits, podFor } from '../../../src/controllers/daemonSet/placement.ts';
import {
  nextAvailable,
  planDaemons,
  planUpdate,
  statusOf,
  type View,
} from '../../../src/controllers/daemonSet/plan.ts';
import { namesOf as profile } from '../../../src/names/index.ts';
import { manualClock } from '../../../src/std/index.ts';
import { at, daemonSet, namesOf, node, pod, readyPod, type PodTraits } from './objects.ts';

const names = profile('k8s.io');
const HASH = 'controller-revision-hash';

const view = (pods: readonly Pod[], nodes: readonly Node[], set: DaemonSet = daemonSet(), delay = 0): View => ({
  ...{ set, nodes, pods, hash: 'new', names, now: at(10), backoff: () => delay },
});

const daemon = (name: string, on: string, traits: PodTraits = {}): Pod =>
  readyPod(name, { node: on, labels: { [HASH]: 'new' }, ...traits });
const outdated = (name: string, on: string, traits: PodTraits = {}): Pod =>
  daemon(name, on, { labels: { [HASH]: 'old' }, ...traits });

const taint = (key: string, effect: string) => ({ key, effect });
const nodes = ['n1', 'n2', 'n3', 'n4'].map((name) => node(name));

/** A daemon that waits for its node. */
function waiting(name: string, on: string): Pod {
  const one = pod(name, { phase: 'Pending' });
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [on] }];
  const nodeSelectorTerms = [{ matchFields }];
  one.spec.affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
  return one;
}

describe('the plan of a daemon set', () => {
  test.each<[string, Pod[], Node[], create: string[], remove: string[]]>([
    ['creates what is missing', [daemon('a', 'n1')], [node('n1'), node('n2')], ['n2'], []],
    ['counts a pod that waits for its node', [waiting('a', 'n1')], [node('n1')], [], []],
    [
      'keeps the older of two',
      [daemon('b', 'n1', { created: 1 }), daemon('a', 'n1', { created: 2 })],
      [node('n1')],
      [],
      ['a'],
    ],
    [
      'keeps the scheduled one of two',
      [waiting('a', 'n1'), daemon('b', 'n1', { created: 9 })],
      [node('n1')],
      [],
      ['a'],
    ],
    ['keeps the first by name of two of an age', [daemon('b', 'n1'), daemon('a', 'n1')], [node('n1')], [], ['b']],
    ['leaves one that goes', [daemon('a', 'n1', { leaving: true })], [node('n1')], [], []],
    ['stays away from a tainted node', [], [node('n1', [taint('t', 'NoSchedule')])], [], []],
    ['ignores a preference', [], [node('n1', [taint('t', 'PreferNoSchedule')])], ['n1'], []],
    ['stays on a node that was tainted later', [daemon('a', 'n1')], [node('n1', [taint('t', 'NoSchedule')])], [], []],
    ['leaves a node that drives pods away', [daemon('a', 'n1')], [node('n1', [taint('t', 'NoExecute')])], [], ['a']],
    ['removes what waits for a node that is gone', [waiting('a', 'n9')], [], [], ['a']],
    ['leaves what runs on a node that is gone', [daemon('a', 'n9')], [], [], []],
    ['removes a failed pod', [daemon('a', 'n1', { phase: 'Failed' })], [node('n1')], [], ['a']],
    ['leaves a failed pod that goes', [daemon('a', 'n1', { phase: 'Failed', leaving: true })], [node('n1')], [], []],
    [
      'keeps the oldest of three',
      [daemon('c', 'n1', { created: 3 }), daemon('a', 'n1', { created: 2 }), daemon('b', 'n1', { created: 1 })],
      [node('n1')],
      [],
      ['a', 'c'],
    ],
    [
      'counts neither a pod that goes nor one that has failed among the duplicates',
      [daemon('a', 'n1', { leaving: true }), daemon('b', 'n1'), daemon('c', 'n1', { phase: 'Failed' })],
      [node('n1')],
      [],
      ['c'],
    ],
    [
      'removes all from a node that drives pods away, but those that go',
      [daemon('a', 'n1'), daemon('b', 'n1'), daemon('c', 'n1', { leaving: true })],
      [node('n1', [taint('t', 'NoExecute')])],
      [],
      ['a', 'b'],
    ],
    [
      'removes duplicates from a node that was tainted later, too',
      [daemon('b', 'n1', { created: 1 }), daemon('a', 'n1', { created: 2 })],
      [node('n1', [taint('t', 'NoSchedule')])],
      [],
      ['a'],
    ],
    ['creates beside pods that name no node', [pod('lost', { phase: 'Pending' })], [node('n1')], ['n1'], []],
  ])('%s', (_, pods, on, create, remove) => {
    const plan = planDaemons(view(pods, on));
    expect([plan.create, namesOf(plan.remove), plan.retryIn]).toEqual([create, remove, undefined]);
  });

  test('creates and removes no more than 250 at once', () => {
    const many = Array.from({ length: 300 }, (_, i) => `m${i}`);
    expect(
      planDaemons(
        view(
          [],
          many.map((name) => node(name)),
        ),
      ).create,
    ).toEqual(many.slice(0, 250));
    const gone = many.map((name) => daemon(name, name, { phase: 'Failed' }));
    expect(
      planDaemons(
        view(
          gone,
          many.map((name) => node(name)),
        ),
      ).remove,
    ).toHaveLength(250);
  });

  test('tries again when the first node is backed off from no longer', () => {
    const failed = ['n1', 'n2', 'n3'].map((on) => daemon(`on-${on}`, on, { phase: 'Failed' }));
    const delays: Record<string, number> = { n1: 900, n2: 300, n3: 600 };
    const given = view(failed, nodes.slice(0, 3));
    expect(planDaemons({ ...given, backoff: (on) => delays[on] ?? 0 }).retryIn).toBe(300);
  });

  test.each<[string, object, on: string | undefined]>([
    ['a node by its name', { key: 'metadata.name', operator: 'In', values: ['n1'] }, 'n1'],
    ['another field', { key: 'metadata.uid', operator: 'In', values: ['n1'] }, undefined],
    ['all nodes but one', { key: 'metadata.name', operator: 'NotIn', values: ['n1'] }, undefined],
    ['no values', { key: 'metadata.name', operator: 'In' }, undefined],
  ])('a pod that waits for %s', (_, field, on) => {
    const one = pod('a', { phase: 'Pending' });
    const required = { nodeSelectorTerms: [{ matchFields: [field] }] } as never;
    one.spec.affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    expect(planDaemons(view([one], [node('n1')])).create).toEqual(on ? [] : ['n1']);
  });

  test.each<[string, object]>([
    ['nothing', {}],
    ['pods', { podAffinity: {} }],
    ['nodes that it only prefers', { nodeAffinity: {} }],
  ])('a pod with an affinity to %s waits for no node', (_, affinity) => {
    const one = pod('a', { phase: 'Pending' });
    one.spec.affinity = affinity as never;
    expect(planDaemons(view([one], [node('n1')])).create).toEqual(['n1']);
  });

  test('waits with a failed pod while the node is backed off from', () => {
    const plan = planDaemons(view([daemon('a', 'n1', { phase: 'Failed' })], [node('n1')], daemonSet(), 700));
    expect(plan).toEqual({ create: [], remove: [], failed: [], retryIn: 700 });
    expect(planDaemons(view([daemon('a', 'n1')], [node('n1')], daemonSet(), 700)).retryIn).toBeUndefined();
  });
});

describe('the back-off from failed pods', () => {
  test('doubles for each node and begins anew after a quiet half hour', async () => {
    const clock = manualClock();
    const backoff = new FailedPodsBackoff(clock);
    const set = daemonSet();
    expect(backoff.delay(set, 'n1')).toBe(0);
    const delays: number[] = [];
    for (let i = 0; i < 12; i++) {
      backoff.next(set, 'n1');
      delays.push(backoff.delay(set, 'n1') / 1000);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(backoff.delay(set, 'n2')).toBe(0);
    await clock.step(899_000);
    expect(backoff.delay(set, 'n1')).toBe(1000);
    await clock.step(901_001);
    backoff.next(set, 'n1');
    expect(backoff.delay(set, 'n1')).toBe(1000);
  });

  test('starts again with a new generation', () => {
    const backoff = new FailedPodsBackoff(manualClock());
    backoff.next(daemonSet(), 'n1');
    const later = daemonSet();
    later.status.observedGeneration = 2;
    expect(backoff.delay(later, 'n1')).toBe(0);
  });
});

describe('a rolling update', () => {
  const upTo = (maxUnavailable: number | string): DaemonSet =>
    daemonSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } });
  const all = ['n1', 'n2', 'n3', 'n4'].map((on) => outdated(`on-${on}`, on));

  test.each<[string, DaemonSet, Pod[], string[]]>([
    ['deletes one at a time', upTo(1), all, ['on-n1']],
    ['deletes so many at a time', upTo(2), all, ['on-n1', 'on-n2']],
    ['rounds a share up', upTo('30%'), all, ['on-n1', 'on-n2']],
    ['waits for a pod that is not ready', upTo(1), [daemon('a', 'n1', { ready: false }), ...all.slice(1)], []],
    ['waits for a pod that is missing', upTo(1), all.slice(1), []],
    ['waits for a pod that goes', upTo(1), [outdated('a', 'n1', { leaving: true }), ...all.slice(1)], []],
    ['deletes what does not serve anyway', upTo(1), [outdated('a', 'n1', { ready: false }), ...all.slice(1)], ['a']],
    [
      'leaves what is current',
      upTo(4),
      nodes.map(({ metadata }) => daemon(`x-${metadata.name}`, metadata.name ?? '')),
      [],
    ],
    [
      'counts only nodes on which daemons should be',
      daemonSet({
        template: { spec: { nodeSelector: { some: 'label' } } },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      }),
      all,
      ['on-n1'],
    ],
    [
      'leaves old ones that go, and takes those next that serve no longer',
      upTo(2),
      [
        outdated('a', 'n1', { leaving: true }),
        outdated('b', 'n2', { ready: false }),
        outdated('c', 'n3'),
        outdated('d', 'n4'),
      ],
      ['b'],
    ],
    [
      'takes what serves nowhere, even where nothing may be missing',
      upTo(0),
      [outdated('a', 'n1', { ready: false }), ...all.slice(1)],
      ['a'],
    ],
    ['leaves one that no node is known of', upTo(1), [outdated('a', '', { ready: false }), ...all], ['on-n1']],
    ['allows one where nothing is said', daemonSet({ updateStrategy: { type: 'RollingUpdate' } }), all, ['on-n1']],
    ['leaves all where no strategy is named', daemonSet({ updateStrategy: undefined }), all, []],
    ['leaves all where pods are deleted by hand', daemonSet({ updateStrategy: { type: 'OnDelete' } }), all, []],
  ])('%s', (_, set, pods, expected) => {
    expect(namesOf(planUpdate(view(pods, nodes, set)))).toEqual(expected);
  });
});

describe('the status of a daemon set', () => {
  test('counts nodes and what runs there', () => {
    const pods = [daemon('a', 'n1'), outdated('b', 'n2'), daemon('c', 'n3', { ready: false }), daemon('d', 'tainted')];
    const status = statusOf(view(pods, [...nodes, node('tainted', [taint('t', 'NoSchedule')])]));
    expect(status).toEqual({
      observedGeneration: 2,
      desiredNumberScheduled: 4,
      currentNumberScheduled: 3,
      updatedNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 2,
      numberUnavailable: 2,
      numberMisscheduled: 1,
    });
  });

  test('counts the oldest of a node alone, and nodes without daemons as not misscheduled', () => {
    const pods = [
      daemon('new', 'n1', { created: 5, ready: false }),
      outdated('old', 'n1', { created: 1 }),
      daemon('stray', 'tainted', { created: 2 }),
    ];
    const away = ['tainted', 'empty'].map((name) => node(name, [taint('t', 'NoSchedule')]));
    expect(statusOf(view(pods, [node('n1'), ...away]))).toMatchObject({
      ...{ desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 0 },
      ...{ numberReady: 1, numberAvailable: 1, numberUnavailable: 0, numberMisscheduled: 1 },
    });
  });

  test('looks again when the next pod will be available', () => {
    const set = daemonSet({ minReadySeconds: 120 });
    const pods = [
      daemon('a', 'n1', { since: 9 }),
      daemon('b', 'n2', { since: 9.5 }),
      daemon('c', 'n3', { ready: false, since: 9 }),
    ];
    expect(nextAvailable(view(pods, nodes, set))).toBe(60_000);
    expect(nextAvailable(view(pods.slice(2), nodes, set))).toBeUndefined();
    expect(nextAvailable(view(pods, nodes))).toBeUndefined();
  });

  test('calls a pod available when it was ready for long enough', () => {
    const set = daemonSet({ minReadySeconds: 120 });
    const on = (since: number) => view([daemon('a', 'n1', { since })], [node('n1')], set);
    expect([statusOf(on(8)).numberAvailable, statusOf(on(9)).numberAvailable]).toEqual([1, 0]);
    expect([nextAvailable(on(8)), nextAvailable(on(9))]).toEqual([undefined, 60_000]);
  });
});

describe('a daemon', () => {
  const client = new Client({ transport: () => Promise.reject(new Error('not asked')), names, userAgent: 'test' });
  const made = (set: DaemonSet) => podFor(set, 'n1', 'abc', client);
  const onNode = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] };

  test('is tied to its node, whatever its template requires of nodes, and keeps what it prefers', () => {
    const preferred = [{ weight: 1, preference: {} }];
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] },
      preferredDuringSchedulingIgnoredDuringExecution: preferred,
    };
    const affinity = { podAffinity: {}, nodeAffinity };
    const tied = (set: DaemonSet) => made(set).spec?.affinity;
    expect(tied(daemonSet({ template: { spec: { affinity } } }))).toEqual({
      podAffinity: {},
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: preferred,
        requiredDuringSchedulingIgnoredDuringExecution: onNode,
      },
    });
    for (const template of [{}, { spec: {} }, { spec: { affinity: {} } }])
      expect(tied(daemonSet({ template }))).toEqual({
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: onNode },
      });
  });

  test('carries the labels of its template, its revision and the generation that its set notes', () => {
    const set = daemonSet({ template: { metadata: { labels: { app: 'agent' } } } });
    expect(made(set).metadata?.labels).toEqual({ app: 'agent', [HASH]: 'abc' });
    set.metadata.annotations = { 'deprecated.daemonset.template.generation': '4' };
    expect(made(set).metadata?.labels).toEqual({ app: 'agent', [HASH]: 'abc', 'pod-template-generation': '4' });
  });
});

describe('what daemons tolerate', () => {
  const client = new Client({ transport: () => Promise.reject(new Error('not asked')), names, userAgent: 'test' });
  const tolerationsOf = (set: DaemonSet) => podFor(set, 'n1', 'abc', client).spec?.tolerations;
  const own = (...more: readonly (readonly [string, string])[]) =>
    [
      ['not-ready', 'NoExecute'],
      ['unreachable', 'NoExecute'],
      ['disk-pressure', 'NoSchedule'],
      ['memory-pressure', 'NoSchedule'],
      ['pid-pressure', 'NoSchedule'],
      ['unschedulable', 'NoSchedule'],
      ...more,
    ].map(([name, effect]) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));
  const unready = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
  const rest = own().slice(1);
  test.each<[string, object, object[]]>([
    ['what is wrong with a node', {}, own()],
    [
      'a node without network, where they use its own',
      { hostNetwork: true },
      own(['network-unavailable', 'NoSchedule']),
    ],
    ['what their template says, first', { tolerations: [{ key: 'x' }] }, [{ key: 'x' }, ...own()]],
    ['nothing twice', { tolerations: [unready] }, [unready, ...rest]],
    [
      'nothing twice, be it without a value',
      { tolerations: [{ ...unready, value: '' }] },
      [{ ...unready, value: '' }, ...rest],
    ],
    ...[
      { ...unready, effect: 'NoSchedule' },
      { ...unready, key: 'other' },
      { ...unready, operator: 'Equal' },
      { ...unready, value: 'x' },
      { ...unready, tolerationSeconds: 5 },
    ].map((stated): [string, object, object[]] => [
      `their own beside ${JSON.stringify(stated)}`,
      { tolerations: [stated] },
      [stated, ...own()],
    ]),
  ])('%s', (_, spec, expected) => {
    expect(tolerationsOf(daemonSet({ template: { spec } }))).toEqual(expected);
  });

  test('is the same for a template without pod metadata', () => {
    expect(tolerationsOf(daemonSet({ template: {} }))).toEqual(own());
    expect(fits(daemonSet({ template: {} }), node('n1'), names)).toEqual({ run: true, stay: true });
  });
});

describe('a node', () => {
  const withSpec = (spec: object): DaemonSet => daemonSet({ template: { spec } });
  const required = (values: string[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values }] }],
        },
      },
    },
  });

  test.each<[string, DaemonSet, Node, run: boolean, stay: boolean]>([
    ['without conditions', daemonSet(), node('n'), true, true],
    ['of another name than the template asks for', withSpec({ nodeName: 'm' }), node('n'), false, false],
    ['of the name that the template asks for', withSpec({ nodeName: 'n' }), node('n'), true, true],
    ['without the label that is selected', withSpec({ nodeSelector: { disk: 'ssd' } }), node('n'), false, false],
    [
      'with the label that is selected',
      withSpec({ nodeSelector: { disk: 'ssd' } }),
      node('n', [], { disk: 'ssd' }),
      true,
      true,
    ],
    ['that affinity leaves out', withSpec(required(['ssd'])), node('n', [], { disk: 'hdd' }), false, false],
    ['that affinity allows', withSpec(required(['ssd'])), node('n', [], { disk: 'ssd' }), true, true],
    ['that is not ready', daemonSet(), node('n', [taint('node.kubernetes.io/not-ready', 'NoExecute')]), true, true],
    ['that is unreachable', daemonSet(), node('n', [taint('node.kubernetes.io/unreachable', 'NoExecute')]), true, true],
    ['that is cordoned', daemonSet(), node('n', [taint('node.kubernetes.io/unschedulable', 'NoSchedule')]), true, true],
    [
      'under pressure',
      daemonSet(),
      node(
        'n',
        ['disk', 'memory', 'pid'].map((p) => taint(`node.kubernetes.io/${p}-pressure`, 'NoSchedule')),
      ),
      true,
      true,
    ],
    [
      'without network',
      daemonSet(),
      node('n', [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')]),
      false,
      true,
    ],
    [
      'without network, for pods that use its own',
      withSpec({ hostNetwork: true }),
      node('n', [taint('node.kubernetes.io/network-unavailable', 'NoSchedule')]),
      true,
      true,
    ],
    [
      'with a taint that is tolerated',
      withSpec({ tolerations: [{ operator: 'Exists' }] }),
      node('n', [taint('t', 'NoExecute')]),
      true,
      true,
    ],
  ])('%s', (_, set, on, run, stay) => {
    expect(fits(set, on, names)).toEqual({ run, stay });
  });
});
