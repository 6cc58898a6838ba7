import { describe, expect, test } from 'vitest';
import type { DaemonSet, Node, Pod } from '../../../src/client/index.ts';
import { FailedPodsBackoff } from '../../../src/controllers/daemonSet/failedPods.ts';
import { fits } from '../../../src/controllers/daemonSet/placement.ts';
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
  ])('%s', (_, pods, on, create, remove) => {
    const plan = planDaemons(view(pods, on));
    expect([plan.create, namesOf(plan.remove), plan.retryIn]).toEqual([create, remove, undefined]);
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

  test('calls a pod available when it was ready for long enough', () => {
    const set = daemonSet({ minReadySeconds: 120 });
    const on = (since: number) => view([daemon('a', 'n1', { since })], [node('n1')], set);
    expect([statusOf(on(8)).numberAvailable, statusOf(on(9)).numberAvailable]).toEqual([1, 0]);
    expect([nextAvailable(on(8)), nextAvailable(on(9))]).toEqual([undefined, 60_000]);
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
