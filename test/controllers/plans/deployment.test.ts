import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../src/client/index.ts';
import {
  newSetAnnotations,
  nextRevision,
  rolledBackAnnotations,
} from '../../../src/controllers/deployment/annotations.ts';
import { keysOf } from '../../../src/controllers/deployment/keys.ts';
import { parseCount } from '../../../src/controllers/deployment/integers.ts';
import { findRevision, planCleanup, planSteps, viewOf } from '../../../src/controllers/deployment/plan.ts';
import { maxSurge, maxUnavailable, newSetSize, shrinkOld, spread } from '../../../src/controllers/deployment/sizes.ts';
import { isComplete, pauseConditions, rolloutStatus, stuckIn } from '../../../src/controllers/deployment/status.ts';
import { namesOf as profile } from '../../../src/names/index.ts';
import { parseInt64 } from '../../../src/std/index.ts';
import { at, deployment, minute, namesOf, replicaSet } from './objects.ts';

const names = profile('k8s.io');
const keys = keysOf(names);
const rolling = (maxSurge: number | string, maxUnavailable: number | string): object => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const recreate = { strategy: { type: 'Recreate' } };
const template = { metadata: { labels: { app: 'web' } } };
const revision = (text: string) => ({ annotations: { [keys.revision]: text } });

describe('the bounds of a rollout', () => {
  test.each<[string, object, replicas: number, surge: number, unavailable: number]>([
    ['numbers', rolling(2, 1), 10, 2, 1],
    ['shares: surge rounds up, unavailable down', rolling('25%', '25%'), 10, 3, 2],
    ['shares of few', rolling('25%', '25%'), 1, 1, 0],
    ['nothing, which could not move', rolling(0, 0), 10, 0, 1],
    ['shares that round to nothing', rolling(0, '5%'), 10, 0, 1],
    ['more than there are', rolling(0, 20), 10, 0, 10],
    ['nothing wanted', rolling(1, 1), 0, 1, 0],
    ['recreation', recreate, 10, 0, 0],
  ])('%s', (_, spec, replicas, surge, unavailable) => {
    const one = deployment(replicas, spec);
    expect([maxSurge(one), maxUnavailable(one)]).toEqual([surge, unavailable]);
  });

  test.each<[string, object, sizes: number[], current: number, size: number]>([
    ['grows into the surge', rolling(2, 0), [10, 0], 0, 2],
    ['grows no further than is wanted', rolling(5, 0), [1, 8], 8, 10],
    ['waits without room', rolling(1, 0), [10, 1], 1, 1],
    ['is at once as large as is wanted when recreated', recreate, [10, 0], 0, 10],
  ])('the newest set %s', (_, spec, [old = 0, newest = 0], current, size) => {
    expect(newSetSize(deployment(10, spec), [replicaSet('old', old), replicaSet('new', newest)], current)).toBe(size);
  });

  const shrunk = (sizes: ReadonlyMap<ReplicaSet, number>): Record<string, number> =>
    Object.fromEntries([...sizes].map(([set, size]) => [set.metadata.name, size]));

  test.each<[string, object, old: ReplicaSet[], newest: ReplicaSet, Record<string, number>]>([
    ['shrinks by what may be missing', rolling(0, 2), [replicaSet('a', 10)], replicaSet('new', 0), { a: 8 }],
    [
      'shrinks as new pods become available',
      rolling(3, 0),
      [replicaSet('a', 10)],
      replicaSet('new', 3, { available: 2 }),
      { a: 8 },
    ],
    ['waits for new pods', rolling(3, 0), [replicaSet('a', 10)], replicaSet('new', 3, { available: 0 }), {}],
    [
      'removes unhealthy pods first',
      rolling(2, 2),
      [replicaSet('a', 5, { created: 0, available: 5 }), replicaSet('b', 5, { created: 1, available: 3 })],
      replicaSet('new', 2),
      { a: 3, b: 3 },
    ],
    [
      'removes unhealthy pods by a write of their own',
      rolling(2, 4),
      [replicaSet('a', 10, { available: 7 })],
      replicaSet('new', 2, { available: 0 }),
      { a: 7 },
    ],
    [
      'removes only unhealthy pods where no other may go',
      rolling(3, 0),
      [replicaSet('a', 10, { available: 8 })],
      replicaSet('new', 3, { available: 0 }),
      {},
    ],
    [
      'empties the oldest sets first',
      rolling(0, 4),
      [replicaSet('b', 3, { created: 2 }), replicaSet('a', 3, { created: 1 })],
      replicaSet('new', 4),
      { a: 0, b: 2 },
    ],
  ])('an old set %s', (_, spec, old, newest, expected) => {
    expect(shrunk(shrinkOld(deployment(10, spec), old, newest))).toEqual(expected);
  });

  const withMax = (name: string, size: number, max: number, created = 0): ReplicaSet =>
    replicaSet(name, size, { created, annotations: { [keys.max]: String(max) } });

  test.each<[string, replicas: number, ReplicaSet[], Record<string, number>]>([
    ['grow by their share', 20, [withMax('a', 8, 12), withMax('b', 4, 12, 1)], { a: 15, b: 7 }],
    ['give the rest to the largest', 11, [withMax('a', 8, 12), withMax('b', 4, 12, 1)], { a: 9, b: 4 }],
    ['shrink by their share', 5, [withMax('a', 8, 12), withMax('b', 4, 12, 1)], { a: 5, b: 2 }],
    ['shrink to nothing', 0, [withMax('a', 8, 12), withMax('b', 4, 12, 1)], { a: 0, b: 0 }],
    ['grow the newer of two of a size first', 13, [withMax('a', 6, 12), withMax('b', 6, 12, 1)], { b: 8, a: 7 }],
  ])('sets in the middle of a rollout %s', (_, replicas, sets, expected) => {
    expect(shrunk(spread(deployment(replicas, rolling(2, 0)), sets, keys))).toEqual(expected);
  });
});

describe('the annotations of a deployment', () => {
  test.each<[string, sets: string[], next: bigint]>([
    ['begin at one', [], 1n],
    ['go on from the highest', ['3', '12', '5'], 13n],
    ['leave out what is no number', ['3', 'x', '1e9'], 4n],
    ['are exact beyond what a double holds', ['9007199254740993'], 9007199254740994n],
    ['wrap around after the largest', ['9223372036854775807'], -9223372036854775808n],
  ])('number revisions: they %s', (_, sets, next) => {
    expect(
      nextRevision(
        sets.map((text) => replicaSet('s', 0, revision(text))),
        keys,
      ),
    ).toBe(next);
  });

  test.each<[string, bigint | undefined]>([
    ['12', 12n],
    ['-3', -3n],
    ['+3', 3n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', undefined],
    ['-9223372036854775808', -9223372036854775808n],
    ['-9223372036854775809', undefined],
    ['', undefined],
    ['1.0', undefined],
    ['0x1', undefined],
    [' 1', undefined],
  ])('%j is read as %s', (text, expected) => {
    expect(parseInt64(text)).toBe(expected);
    expect(parseCount(text)).toBe(expected === undefined ? undefined : Number(expected));
  });

  const own = {
    note: 'x',
    [keys.applied]: '{}',
    [keys.revision]: '9',
    [keys.rollback]: '0',
    [keys.desired]: '1',
    [keys.max]: '1',
    [keys.history]: '1',
  };

  test('are copied to the newest set, except its own', () => {
    const made = newSetAnnotations(deployment(4, rolling(2, 0), {}, own), undefined, 3n, keys);
    expect(made).toEqual({ note: 'x', [keys.revision]: '3', [keys.desired]: '4', [keys.max]: '6' });
  });

  test.each<[string, before: Record<string, string>, revision: bigint, Record<string, string>]>([
    [
      'a higher revision, and the one before',
      { [keys.revision]: '2' },
      5n,
      { [keys.revision]: '5', [keys.history]: '2' },
    ],
    [
      'all revisions before',
      { [keys.revision]: '4', [keys.history]: '1,2' },
      5n,
      { [keys.revision]: '5', [keys.history]: '1,2,4' },
    ],
    ['its revision where that is higher', { [keys.revision]: '7' }, 5n, { [keys.revision]: '7' }],
    ['a first revision', {}, 5n, { [keys.revision]: '5' }],
  ])('give a set %s', (_, before, number, expected) => {
    expect(newSetAnnotations(deployment(4), replicaSet('s', 1, { annotations: before }), number, keys)).toEqual(
      expected,
    );
  });

  test('are not touched where the revision of a set is no number', () => {
    const set = replicaSet('s', 1, revision('x'));
    expect(newSetAnnotations(deployment(4, {}, {}, own), set, 5n, keys)).toEqual({ [keys.revision]: 'x' });
  });

  test('drop the oldest revisions from a long history', () => {
    const history = Array.from({ length: 500 }, (_, i) => String(i + 1000)).join(',');
    const set = replicaSet('s', 1, { annotations: { [keys.revision]: '2000', [keys.history]: history } });
    const kept = newSetAnnotations(deployment(1), set, 2001n, keys)[keys.history] ?? '';
    expect(kept.length).toBeLessThanOrEqual(2000);
    expect([kept.slice(0, 9), kept.slice(-9)]).toEqual(['1101,1102', '1499,2000']);
  });

  test('are taken from the set that is rolled back to, except the own', () => {
    const set = replicaSet('s', 1, { annotations: { note: 'old', [keys.revision]: '1' } });
    const { [keys.rollback]: _, note: _note, ...kept } = own;
    expect(rolledBackAnnotations(deployment(1, {}, {}, own), set, keys)).toEqual({ ...kept, note: 'old' });
  });
});

describe('the revision to roll back to', () => {
  const sets = ['1', '3', 'x', '2'].map((text, i) => replicaSet(`r${text}`, i, revision(text)));
  test.each<[string, ReplicaSet[], bigint, string | undefined]>([
    ['is the one that is named', sets, 1n, 'r1'],
    ['is the last but one where zero is named', sets, 0n, 'r2'],
    ['is none where it is missing', sets, 9n, undefined],
    ['is none where there is only one', sets.slice(0, 1), 0n, undefined],
  ])('%s', (_, given, number, expected) => {
    expect(findRevision(given, number, keys)?.metadata.name).toBe(expected);
  });
});

describe('the steps of a deployment', () => {
  const current = (name: string, size: number, traits: Parameters<typeof replicaSet>[2] = {}): ReplicaSet =>
    replicaSet(name, size, {
      template,
      ...traits,
      annotations: { [keys.revision]: '2', [keys.desired]: '4', [keys.max]: '5', ...traits.annotations },
    });
  const other = (name: string, size: number, annotations: Record<string, string> = {}): ReplicaSet =>
    replicaSet(name, size, {
      template: { old: true },
      annotations: { [keys.revision]: '1', [keys.desired]: '4', [keys.max]: '5', ...annotations },
    });

  const shown = (one: Deployment, sets: ReplicaSet[], running: string[] = []): unknown[] =>
    planSteps(
      viewOf(one, sets, (set) => running.includes(set.metadata.name ?? ''), keys),
      names,
    ).map((step) =>
      step.do === 'create' ? ['create', step.size] : [step.do, step.set.metadata.name, step.set.spec.replicas],
    );

  test.each<[string, Deployment, ReplicaSet[], string[], unknown[]]>([
    ['create the first set', deployment(4, rolling(1, 0)), [], [], [['create', 4]]],
    ['create a set beside the old one', deployment(4, rolling(1, 0)), [other('old', 4)], [], [['create', 1]]],
    [
      'grow the newest first',
      deployment(4, rolling(1, 0)),
      [other('old', 3), current('new', 1)],
      [],
      [['resize', 'new', 2]],
    ],
    [
      'leave a set of the right size alone, whatever it notes of the bounds',
      deployment(4, rolling(1, 0)),
      [current('new', 4, { annotations: { [keys.max]: '9' } })],
      [],
      [],
    ],
    [
      'then shrink the old',
      deployment(4, rolling(1, 0)),
      [other('old', 4), current('new', 1)],
      [],
      [['resize', 'old', 3]],
    ],
    ['do nothing when done', deployment(4, rolling(1, 0)), [other('old', 0), current('new', 4)], [], []],
    [
      'empty the old first when recreating',
      deployment(4, recreate),
      [other('old', 4), current('new', 0, { annotations: { [keys.max]: '4' } })],
      [],
      [['resize', 'old', 0]],
    ],
    ['wait for old pods when recreating', deployment(4, recreate), [other('old', 0)], ['old'], []],
    ['create the newest when old pods are gone', deployment(4, recreate), [other('old', 0)], [], [['create', 4]]],
    ['create nothing while paused', deployment(4, { ...rolling(1, 0), paused: true }), [], [], []],
    [
      'scale the only set while paused',
      deployment(6, { ...rolling(1, 0), paused: true }),
      [current('new', 4)],
      [],
      [['resize', 'new', 6]],
    ],
    [
      'spread a new number over the sets of a rollout',
      deployment(8, rolling(0, 1)),
      [other('old', 2), current('new', 2)],
      [],
      [
        ['resize', 'old', 5],
        ['resize', 'new', 3],
      ],
    ],
    [
      'note a changed deployment on the set',
      { ...deployment(4, rolling(1, 0)), metadata: { ...deployment(4).metadata, annotations: { note: 'x' } } },
      [current('new', 4)],
      [],
      [['update', 'new', 4]],
    ],
  ])('%s', (_, one, sets, running, expected) => {
    expect(shown(one, sets, running)).toEqual(expected);
  });

  test('deletes the oldest sets beyond the history limit', () => {
    const sets = [0, 1, 2].map((i) => replicaSet(`old${i}`, 0, { created: i, template: { i } }));
    const busy = replicaSet('busy', 1, { created: -1, template: { busy: true } });
    const cleanup = (limit: number | undefined, old: ReplicaSet[]): string[] =>
      planCleanup(viewOf(deployment(1, { revisionHistoryLimit: limit }), old, () => false, keys)).map(
        (s) => s.set.metadata?.name ?? '',
      );
    expect(cleanup(1, sets)).toEqual(['old0', 'old1']);
    expect(cleanup(0, sets)).toEqual(['old0', 'old1', 'old2']);
    expect(cleanup(3, sets)).toEqual([]);
    expect(cleanup(undefined, sets)).toEqual([]);
    expect(cleanup(2, [busy, ...sets])).toEqual(['old0']);
  });
});

describe('the status of a rollout', () => {
  const condition = (one: Deployment, sets: ReplicaSet[], now: number, type: string) => {
    const found = rolloutStatus(one, sets, sets.at(-1), at(now)).conditions?.find((c) => c.type === type);
    return found && [found.status, found.reason];
  };
  const progress = (reason: string, status = 'True', updated = 0): object => ({
    conditions: [
      { type: 'Progressing', status, reason, lastUpdateTime: minute(updated), lastTransitionTime: minute(0) },
    ],
  });

  test('counts what the sets have', () => {
    const sets = [replicaSet('old', 3, { available: 2, ready: 3 }), replicaSet('new', 2, { available: 1 })];
    const { conditions: _, ...counts } = rolloutStatus(deployment(4), sets, sets[1], at(0));
    expect(counts).toEqual({
      observedGeneration: 1,
      replicas: 5,
      updatedReplicas: 2,
      readyReplicas: 4,
      availableReplicas: 3,
      unavailableReplicas: 2,
    });
  });

  test.each<[available: number, unknown]>([
    [3, ['True', 'MinimumReplicasAvailable']],
    [2, ['False', 'MinimumReplicasUnavailable']],
  ])('with %i of 4 available, one of which may be missing', (available, expected) => {
    expect(condition(deployment(4, rolling(0, 1)), [replicaSet('new', 4, { available })], 0, 'Available')).toEqual(
      expected,
    );
  });

  test.each<[string, Deployment, ReplicaSet[], now: number, unknown]>([
    [
      'has moved when there are more pods',
      deployment(4, {}, progress('NewReplicaSetCreated')),
      [replicaSet('new', 2)],
      1,
      ['True', 'ReplicaSetUpdated'],
    ],
    [
      'is done when all are there',
      deployment(4, {}, progress('ReplicaSetUpdated')),
      [replicaSet('new', 4)],
      1,
      ['True', 'NewReplicaSetAvailable'],
    ],
    [
      'stays done',
      deployment(4, {}, { ...progress('NewReplicaSetAvailable'), updatedReplicas: 4 }),
      [replicaSet('new', 4, { available: 1 })],
      99,
      ['True', 'NewReplicaSetAvailable'],
    ],
    [
      'stands still before its deadline',
      deployment(4, {}, { ...progress('ReplicaSetUpdated'), updatedReplicas: 2, readyReplicas: 0, replicas: 2 }),
      [replicaSet('new', 2, { available: 0 })],
      10,
      ['True', 'ReplicaSetUpdated'],
    ],
    [
      'has failed after its deadline',
      deployment(4, {}, { ...progress('ReplicaSetUpdated'), updatedReplicas: 2, replicas: 2 }),
      [replicaSet('new', 2, { available: 0 })],
      11,
      ['False', 'ProgressDeadlineExceeded'],
    ],
    [
      'has no deadline',
      deployment(4, { progressDeadlineSeconds: 2147483647 }, progress('ReplicaSetUpdated')),
      [replicaSet('new', 2)],
      99,
      undefined,
    ],
  ])('a rollout %s', (_, one, sets, now, expected) => {
    expect(condition(one, sets, now, 'Progressing')).toEqual(expected);
  });

  test('names what keeps a set from making pods', () => {
    const failing = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' }];
    const sets = [replicaSet('new', 0, { conditions: failing })];
    expect(condition(deployment(1), sets, 0, 'ReplicaFailure')).toEqual(['True', 'FailedCreate']);
    expect(
      condition(deployment(1, {}, { conditions: failing }), [replicaSet('new', 0)], 0, 'ReplicaFailure'),
    ).toBeUndefined();
  });

  test.each<[string, Deployment, number | undefined]>([
    ['when its deadline has passed, and a second', deployment(4, {}, progress('ReplicaSetUpdated')), 301_000],
    ['at once where that was long ago', deployment(4, {}, progress('ReplicaSetUpdated', 'True', -20)), 1000],
    [
      'never without a deadline',
      deployment(4, { progressDeadlineSeconds: undefined }, progress('ReplicaSetUpdated')),
      undefined,
    ],
    ['never again', deployment(4, {}, progress('ProgressDeadlineExceeded', 'False')), undefined],
    [
      'never when it is complete',
      deployment(
        4,
        {},
        {
          ...progress('ReplicaSetUpdated'),
          updatedReplicas: 4,
          replicas: 4,
          availableReplicas: 4,
          observedGeneration: 1,
        },
      ),
      undefined,
    ],
  ])('a rollout is looked at again %s', (_, one, expected) => {
    expect(stuckIn(one, one.status, at(5))).toBe(expected);
  });

  test.each<[string, object, object, unknown]>([
    ['paused', { paused: true }, progress('ReplicaSetUpdated'), ['Unknown', 'DeploymentPaused']],
    ['resumed', {}, progress('DeploymentPaused', 'Unknown'), ['Unknown', 'DeploymentResumed']],
    ['paused already', { paused: true }, progress('DeploymentPaused', 'Unknown'), undefined],
    ['never paused', {}, progress('ReplicaSetUpdated'), undefined],
    ['stuck', { paused: true }, progress('ProgressDeadlineExceeded', 'False'), undefined],
    ['without a deadline', { paused: true, progressDeadlineSeconds: undefined }, {}, undefined],
  ])('a deployment that is %s', (_, spec, status, expected) => {
    const found = pauseConditions(deployment(4, spec, status), at(1))?.find((c) => c.type === 'Progressing');
    expect(found && [found.status, found.reason]).toEqual(expected);
  });

  test.each<[string, object, boolean]>([
    ['all there', {}, true],
    ['some outdated', { updatedReplicas: 3 }, false],
    ['too many', { replicas: 5 }, false],
    ['some not available', { availableReplicas: 3 }, false],
    ['an older generation', { observedGeneration: 0 }, false],
  ])('is complete with %s', (_, status, expected) => {
    const all = { updatedReplicas: 4, replicas: 4, availableReplicas: 4, observedGeneration: 1, ...status };
    expect(isComplete(deployment(4), all)).toBe(expected);
  });
});

test('the oldest of several sets with the template is the newest revision', () => {
  const sets = [replicaSet('late', 1, { created: 2, template }), replicaSet('early', 1, { created: 1, template })];
  const view = viewOf(deployment(1), sets, () => false, keys);
  expect([view.newest?.metadata.name, namesOf(view.old)]).toEqual(['early', ['late']]);
});
