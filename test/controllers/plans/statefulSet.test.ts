import { describe, expect, test } from 'vitest';
import type { Pod, StatefulSet } from '../../../src/client/index.ts';
import {
  describe as describeStep,
  isOutdated,
  planSteps,
  statusAfter,
} from '../../../src/controllers/statefulSet/plan.ts';
import { hasIdentity, ordinalOf, withClaimLabels, withIdentity } from '../../../src/controllers/statefulSet/pods.ts';
import { namesOf as profile } from '../../../src/names/index.ts';
import { pod, readyPod, statefulSet, type PodTraits } from './objects.ts';

const names = profile('k8s.io');
const revisions = { current: 'old', update: 'new' };

/** A pod of the set at a revision, with its identity. */
const member = (ordinal: number, traits: PodTraits & { revision?: string; unready?: boolean } = {}): Pod => {
  const { revision = 'new', unready, ...rest } = traits;
  const name = `db-${ordinal}`;
  const labels = { 'controller-revision-hash': revision, 'statefulset.kubernetes.io/pod-name': name, ...rest.labels };
  return unready ? pod(name, { ...rest, labels }) : readyPod(name, { ...rest, labels });
};
const old = (ordinal: number, traits: PodTraits = {}): Pod => member(ordinal, { ...traits, revision: 'old' });

const steps = (set: StatefulSet, pods: readonly Pod[]): unknown[] =>
  planSteps(set, pods, revisions, names).map((step) => describeStep(step, set));

const create = (ordinal: number, revision = 'update') => ({ create: `db-${ordinal}`, revision });
const remove = (ordinal: number, why: string) => ({ delete: `db-${ordinal}`, why });
const parallel = { podManagementPolicy: 'Parallel' };
const onDelete = { updateStrategy: { type: 'OnDelete' } };
const partition = (n: number) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: n } } });
const withoutPartition = { updateStrategy: { type: 'RollingUpdate' } };

describe('the next steps of a stateful set', () => {
  test.each<[string, StatefulSet, readonly Pod[], unknown[]]>([
    ['create the first pod', statefulSet(3), [], [create(0)]],
    ['create the next one when those before are ready', statefulSet(3), [member(0)], [create(1)]],
    ['wait for one that is not ready', statefulSet(3), [member(0, { unready: true })], []],
    ['wait for one that is not running', statefulSet(3), [member(0, { phase: 'Pending' })], []],
    ['wait for one that is going', statefulSet(3), [member(0, { leaving: true })], []],
    ['fill a gap first', statefulSet(3), [member(0), member(2)], [create(1)]],
    ['do nothing where all is well', statefulSet(2), [member(0), member(1)], []],
    [
      'create all at once in parallel',
      statefulSet(3, parallel),
      [member(1, { unready: true })],
      [create(0), create(2)],
    ],
    [
      'replace a failed pod',
      statefulSet(2),
      [member(0), member(1, { phase: 'Failed' })],
      [remove(1, 'failed'), create(1)],
    ],
    [
      'replace a failed pod in parallel',
      statefulSet(2, parallel),
      [old(0), member(1, { phase: 'Failed' })],
      [remove(1, 'failed'), create(1)],
    ],
    ['remove the last pod that is too many', statefulSet(1), [member(0), member(1), member(2)], [remove(2, 'surplus')]],
    ['remove by number, not by name', statefulSet(1), [member(0), member(10), member(9)], [remove(10, 'surplus')]],
    ['wait while one that is too many goes', statefulSet(1), [member(0), member(1), member(2, { leaving: true })], []],
    [
      'wait with removing while another is not ready',
      statefulSet(1),
      [member(0), member(1, { unready: true }), member(2, { unready: true })],
      [],
    ],
    [
      'remove the first that is not ready',
      statefulSet(1),
      [member(0), member(1), member(2, { unready: true })],
      [remove(2, 'surplus')],
    ],
    [
      'remove all that are too many in parallel',
      statefulSet(1, parallel),
      [member(0), member(1), member(2, { leaving: true }), member(3, { unready: true })],
      [remove(3, 'surplus'), remove(1, 'surplus')],
    ],
    ['replace the last outdated pod', statefulSet(3), [old(0), old(1), old(2)], [remove(2, 'outdated')]],
    ['replace the one before when that is ready', statefulSet(3), [old(0), old(1), member(2)], [remove(1, 'outdated')]],
    [
      'wait for a new pod before the next is replaced',
      statefulSet(3, parallel),
      [old(0), old(1), member(2, { unready: true })],
      [],
    ],
    [
      'wait for an outdated pod that is going',
      statefulSet(3, parallel),
      [old(0), old(1), old(2, { leaving: true })],
      [],
    ],
    ['leave pods below the partition', statefulSet(3, partition(2)), [old(0), old(1), member(2)], []],
    [
      'replace pods from the partition on',
      statefulSet(3, partition(1)),
      [old(0), old(1), member(2)],
      [remove(1, 'outdated')],
    ],
    ['leave outdated pods until they are deleted', statefulSet(2, onDelete), [old(0), old(1)], []],
    ['create pods below the partition as they were', statefulSet(3, partition(1)), [], [create(0, 'current')]],
    [
      'create pods from the partition on anew',
      statefulSet(3, { ...partition(1), ...parallel }),
      [],
      [create(0, 'current'), create(1), create(2)],
    ],
    [
      'create as many as there are of the current revision as they were',
      statefulSet(2, { ...withoutPartition, ...parallel }, { currentReplicas: 1 }),
      [],
      [create(0, 'current'), create(1)],
    ],
    [
      'create new pods where nothing is updated by itself',
      statefulSet(1, { ...onDelete }, { currentReplicas: 1 }),
      [],
      [create(0)],
    ],
    [
      'restore a lost label',
      statefulSet(1),
      [member(0, { labels: { 'statefulset.kubernetes.io/pod-name': 'x' } })],
      [{ repair: 'db-0' }],
    ],
    [
      'create the next pod after restoring a label',
      statefulSet(2),
      [member(0, { labels: { 'statefulset.kubernetes.io/pod-name': 'x' } })],
      [{ repair: 'db-0' }, create(1)],
    ],
    [
      'leave the label of a pod that is not ready',
      statefulSet(1),
      [member(0, { unready: true, labels: { 'statefulset.kubernetes.io/pod-name': 'x' } })],
      [],
    ],
  ])('%s', (_, set, pods, expected) => {
    expect(steps(set, pods)).toEqual(expected);
  });

  test('are none for a set that is being deleted', () => {
    const set = statefulSet(3);
    set.metadata.deletionTimestamp = '2026-01-01T12:00:00Z';
    expect(steps(set, [])).toEqual([]);
  });
});

describe('the status of a stateful set', () => {
  const status = (set: StatefulSet, pods: readonly Pod[]): unknown => {
    const { replicas, readyReplicas, currentReplicas, updatedReplicas, currentRevision, updateRevision } = statusAfter(
      set,
      pods,
      planSteps(set, pods, revisions, names),
      revisions,
    );
    return [replicas, readyReplicas, currentReplicas, updatedReplicas, currentRevision, updateRevision];
  };

  test.each<[string, StatefulSet, readonly Pod[], unknown[]]>([
    ['counts a pod that was just created', statefulSet(2), [], [1, 0, 0, 1, 'old', 'new']],
    ['counts a pod that was created as it was', statefulSet(2, partition(1)), [], [1, 0, 1, 0, 'old', 'new']],
    ['counts ready pods', statefulSet(3), [member(0), member(1, { unready: true })], [2, 1, 0, 2, 'old', 'new']],
    [
      'counts a pod that goes among all, not by revision',
      statefulSet(2),
      [member(0), member(1, { leaving: true })],
      [2, 2, 0, 1, 'old', 'new'],
    ],
    [
      'does not count a failed pod beside its successor',
      statefulSet(2),
      [member(0), member(1, { phase: 'Failed' })],
      [2, 1, 0, 2, 'old', 'new'],
    ],
    [
      'takes an outdated pod that is deleted off its revision',
      statefulSet(2),
      [old(0), old(1)],
      [2, 2, 1, 0, 'old', 'new'],
    ],
    [
      'takes any outdated pod that is deleted off the current revision',
      statefulSet(2),
      [old(0), member(1, { labels: { 'controller-revision-hash': 'between' } })],
      [2, 2, 0, 0, 'old', 'new'],
    ],
    [
      'still counts a failed pod that is too many',
      statefulSet(1),
      [member(0), member(1, { phase: 'Failed' })],
      [2, 1, 0, 1, 'old', 'new'],
    ],
    [
      'makes the new revision the current one when all pods have it',
      statefulSet(2),
      [member(0), member(1)],
      [2, 2, 2, 2, 'new', 'new'],
    ],
    [
      'waits with that until all are ready',
      statefulSet(2),
      [member(0), member(1, { unready: true })],
      [2, 1, 0, 2, 'old', 'new'],
    ],
    [
      'keeps the current revision where nothing is updated by itself',
      statefulSet(2, onDelete),
      [member(0), member(1)],
      [2, 2, 0, 2, 'old', 'new'],
    ],
  ])('%s', (_, set, pods, expected) => {
    expect(status(set, pods)).toEqual(expected);
  });

  test('names the generation that was looked at', () => {
    expect(statusAfter(statefulSet(0), [], [], revisions)).toMatchObject({ observedGeneration: 3, collisionCount: 0 });
  });
});

describe('the identity of a pod', () => {
  test.each([
    ['db-0', 0],
    ['db-12', 12],
    ['db', undefined],
    ['db-x', undefined],
    ['other-0', undefined],
    ['x-db-0', undefined],
    ['db-0-1', undefined],
  ])('%s has the number %s', (name, ordinal) => {
    expect(ordinalOf(pod(name), statefulSet(1))).toBe(ordinal);
  });

  const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] };

  test('is restored: the label, and the volumes of its claims before all others', () => {
    const set = statefulSet(1, claims);
    const lost = pod('db-0', { labels: { app: 'db' } });
    lost.spec.volumes = [
      { name: 'tmp', emptyDir: {} },
      { name: 'data', emptyDir: {} },
    ];
    expect(hasIdentity(set, lost, 0, names)).toBe(false);
    const restored = withIdentity(set, lost, 0, names);
    expect(hasIdentity(set, restored, 0, names)).toBe(true);
    expect(restored.metadata.labels).toEqual({ app: 'db', 'statefulset.kubernetes.io/pod-name': 'db-0' });
    expect(restored.spec.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-0', readOnly: false } },
      { name: 'tmp', emptyDir: {} },
    ]);
  });

  test('is lost with the volume of a claim', () => {
    const whole = member(0);
    whole.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }];
    expect(hasIdentity(statefulSet(1, claims), whole, 0, names)).toBe(true);
    whole.spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } }];
    expect(hasIdentity(statefulSet(1, claims), whole, 0, names)).toBe(false);
  });
});

describe('the set that its controller writes after it created a pod', () => {
  const labelsOf = (set: StatefulSet) => set.spec.volumeClaimTemplates?.map(({ metadata }) => metadata?.labels);

  test('has the labels of its selector in the claim templates that have labels', () => {
    const templates = [{ metadata: { name: 'a', labels: { own: '1' } } }, { metadata: { name: 'b' } }];
    const set = statefulSet(1, { selector: { matchLabels: { app: 'db' } }, volumeClaimTemplates: templates });
    expect(labelsOf(withClaimLabels(set))).toEqual([{ own: '1', app: 'db' }, undefined]);
    expect(labelsOf(set)).toEqual([{ own: '1' }, undefined]);
  });

  test('is the set itself where it has no claim templates', () => {
    const set = statefulSet(1);
    expect(withClaimLabels(set)).toBe(set);
  });
});

describe('a status of a stateful set', () => {
  const conditions = [{ type: 'X', status: 'True', lastTransitionTime: null }];
  const known = { ...statusAfter(statefulSet(0), [], [], revisions), conditions };
  const set = { ...statefulSet(0), status: known };
  const next = statusAfter(set, [], [], revisions);

  test('has no conditions', () => {
    expect(next).not.toHaveProperty('conditions');
  });

  test.each<[string, object, boolean]>([
    ['is not written for conditions alone', {}, false],
    ['is not written for an older generation', { observedGeneration: 1 }, false],
    ['is not written for another number of collisions', { collisionCount: 3 }, false],
    ['is written for a newer generation', { observedGeneration: 4 }, true],
    ['is written for another number of replicas', { replicas: 1 }, true],
    ['is written for another revision', { updateRevision: 'newest' }, true],
  ])('%s', (_, changed, expected) => {
    expect(isOutdated(set, { ...next, ...changed })).toBe(expected);
  });
});
