import { expect, test } from 'vitest';
import { firstToDelete } from '../../../src/controllers/replicas/deletionRank.ts';
import { planReplicas } from '../../../src/controllers/replicas/replicas.ts';
import { namesOf, pod, readyPod, type PodTraits } from './objects.ts';

const onNode = { node: 'n1' };

test.each<[string, first: PodTraits, second: PodTraits]>([
  ['without a node', {}, onNode],
  ['without a node, though it is ready', { ready: true, since: 0 }, { ...onNode, phase: 'Pending' }],
  ['pending before unknown', { ...onNode, phase: 'Pending' }, { ...onNode, phase: 'Unknown' }],
  ['unknown before running', { ...onNode, phase: 'Unknown' }, onNode],
  ['pending, though it is ready', { ...onNode, phase: 'Pending', ready: true, since: 0 }, onNode],
  ['not ready', { ...onNode, ready: false, since: 9 }, { ...onNode, ready: true, since: 0 }],
  ['ready for a shorter time', { ...onNode, ready: true, since: 2 }, { ...onNode, ready: true, since: 1 }],
  ['ready since nobody knows when', { ...onNode, ready: true }, { ...onNode, ready: true, since: 1 }],
  [
    'ready for a shorter time, though it is older',
    { ...onNode, ready: true, since: 2, created: 0 },
    { ...onNode, ready: true, since: 1, created: 5 },
  ],
  ['restarted more often', { ...onNode, restarts: 2 }, { ...onNode, restarts: 1 }],
  [
    'restarted more often, though it is older',
    { ...onNode, restarts: 2, created: 0 },
    { ...onNode, restarts: 1, created: 5 },
  ],
  ['younger', { ...onNode, created: 2 }, { ...onNode, created: 1 }],
])('the pod that is %s is deleted first', (_, first, second) => {
  const [a, b] = [pod('a', first), pod('b', second)];
  expect(namesOf(firstToDelete([a, b], [], 1))).toEqual(['a']);
  expect(namesOf(firstToDelete([b, a], [], 1))).toEqual(['a']);
});

test('the pod beside others of the same deployment goes before the one that was ready for a shorter time', () => {
  const alone = readyPod('alone', { node: 'n1', since: 9 });
  const beside = readyPod('beside', { node: 'n2', since: 0 });
  const other = readyPod('other', { node: 'n2' });
  expect(namesOf(firstToDelete([alone, beside], [alone, beside, other], 1))).toEqual(['beside']);
  expect(namesOf(firstToDelete([alone, beside], [], 1))).toEqual(['alone']);
  const finished = pod('other', { node: 'n2', phase: 'Succeeded' });
  expect(namesOf(firstToDelete([alone, beside], [alone, beside, finished], 1))).toEqual(['alone']);
});

test('as many are deleted as are too many', () => {
  const pods = ['a', 'b', 'c'].map((name, i) => readyPod(name, { node: name, since: i }));
  expect(namesOf(firstToDelete(pods, [], 2))).toEqual(['c', 'b']);
  expect(namesOf(firstToDelete(pods, [], 3))).toEqual(['a', 'b', 'c']);
});

test.each([
  ['enough', 2, { create: 0, remove: [] }],
  ['too few', 5, { create: 3, remove: [] }],
  ['too many', 1, { create: 0, remove: ['b'] }],
  ['no more than a burst too few', 1000, { create: 500, remove: [] }],
])('a set with %s pods', (_, wanted, expected) => {
  const pods = [readyPod('a', { since: 0 }), readyPod('b', { since: 1 })];
  const { create, remove } = planReplicas(wanted, pods, () => []);
  expect({ create, remove: namesOf(remove) }).toEqual(expected);
});

test('no more than a burst is deleted at once', () => {
  const pods = Array.from({ length: 600 }, (_, i) => readyPod(`p${i}`));
  expect(planReplicas(0, pods, () => []).remove).toHaveLength(500);
});
