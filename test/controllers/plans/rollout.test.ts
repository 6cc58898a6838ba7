/** What a rollout writes: the sets that it makes, what it notes on them, and what its status tells. */
import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../src/client/index.ts';
import { keysOf } from '../../../src/controllers/deployment/keys.ts';
import { findRevision, planCleanup, planSteps, viewOf, type Step } from '../../../src/controllers/deployment/plan.ts';
import { shrinkOld, spread, type Sizes } from '../../../src/controllers/deployment/sizes.ts';
import { pauseConditions, rolloutStatus } from '../../../src/controllers/deployment/status.ts';
import { namesOf as profile } from '../../../src/names/index.ts';
import { at, deployment, minute, replicaSet } from './objects.ts';

const names = profile('k8s.io');
const keys = keysOf(names);
const HASH = 'pod-template-hash';
const rolling = (maxSurge: number | string, maxUnavailable: number | string): object => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const recreate = { strategy: { type: 'Recreate' } };
const template = { metadata: { labels: { app: 'web' } } };
type Traits = NonNullable<Parameters<typeof replicaSet>[2]>;
const noted = (desired: number, max: number, revision = 1): Record<string, string> => ({
  ...{ [keys.revision]: String(revision), [keys.desired]: String(desired), [keys.max]: String(max) },
});
/** A set of the template as it is now, and one of another. */
const current = (name: string, size: number, traits: Traits = {}): ReplicaSet =>
  replicaSet(name, size, { template, ...traits, annotations: { ...noted(4, 5, 2), ...traits.annotations } });
const other = (name: string, size: number, traits: Traits = {}): ReplicaSet =>
  replicaSet(name, size, { template: { name }, ...traits, annotations: { ...noted(4, 5), ...traits.annotations } });

const steps = (one: Deployment, sets: readonly ReplicaSet[], running: readonly string[] = []): readonly Step[] =>
  planSteps(
    viewOf(one, sets, (set) => running.includes(set.metadata.name ?? ''), keys),
    names,
  );
const shown = (all: readonly Step[]): unknown[] =>
  all.map((step) =>
    step.do === 'create' ? [step.do, step.size] : [step.do, step.set.metadata.name, step.set.spec.replicas],
  );

describe('a new set', () => {
  const made = (spec: object, annotations: Record<string, string> = {}, sets: readonly ReplicaSet[] = []) => {
    const [step] = steps(deployment(4, { ...rolling(1, 0), ...spec }, {}, annotations), sets);
    if (step?.do !== 'create') throw new Error('no set is made');
    return step;
  };

  test('has the name, labels and selector that its template gives it, and belongs to the deployment', () => {
    const { set, size } = made(
      { template: { ...template, spec: { containers: [{ name: 'c', image: 'i' }] } } },
      { note: 'x' },
    );
    const hash = set.metadata?.labels?.[HASH] ?? '';
    expect(hash).toMatch(/^[a-z0-9]{8,10}$/);
    expect(size).toBe(4);
    expect(set).toEqual({
      metadata: {
        ...{ name: `web-${hash}`, namespace: 'ns', labels: { app: 'web', [HASH]: hash } },
        annotations: { note: 'x', ...noted(4, 5) },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'web',
            uid: 'uid-web',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: 'web', [HASH]: hash } },
        template: {
          metadata: { labels: { app: 'web', [HASH]: hash } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    });
  });

  test('has another name where that was taken, and the time that pods have to be ready', () => {
    const [first] = steps(deployment(4), []);
    const [second] = steps(deployment(4, { minReadySeconds: 5 }, { collisionCount: 1 }), []);
    expect(second?.set.metadata?.name).not.toBe(first?.set.metadata?.name);
    expect([first?.set.spec?.minReadySeconds, second?.set.spec?.minReadySeconds]).toEqual([undefined, 5]);
  });

  test('keeps the other requirements of the selector, and is told apart by templates alone', () => {
    const matchExpressions = [{ key: 'app', operator: 'Exists' }];
    const { set } = made({ selector: { matchExpressions }, template: { spec: {} } });
    const hash = set.metadata?.labels?.[HASH] ?? '';
    expect(set.spec?.selector).toEqual({ matchExpressions, matchLabels: { [HASH]: hash } });
    expect(set.spec?.template).toEqual({ metadata: { labels: { [HASH]: hash } }, spec: {} });
    const same = replicaSet('same', 4, {
      template: { metadata: { creationTimestamp: null, labels: { app: 'web', [HASH]: 'x' } } },
    });
    expect(shown(steps(deployment(4), [same]))).toEqual([['update', 'same', 4]]);
  });

  test('has the revision after the highest', () => {
    const sets = [other('a', 4, { annotations: { [keys.revision]: '7' } }), other('b', 0)];
    expect(made({}, {}, sets).set.metadata?.annotations?.[keys.revision]).toBe('8');
  });
});

describe('the steps of a deployment that is paused or scaled', () => {
  const paused = (replicas: number, spec: object = rolling(1, 0)): Deployment =>
    deployment(replicas, { ...spec, paused: true });
  test.each<[string, Deployment, ReplicaSet[], unknown[]]>([
    [
      'scale the only set that has pods, old as it is',
      paused(6),
      [other('old', 4), current('new', 0)],
      [['resize', 'old', 6]],
    ],
    ['scale the newest of sets without pods', paused(6), [other('old', 0), current('new', 0)], [['resize', 'new', 6]]],
    [
      'scale the youngest of old sets without pods',
      paused(6),
      [other('b', 0, { created: 2 }), other('a', 0, { created: 1 })],
      [['resize', 'b', 6]],
    ],
    ['leave the only set alone that has its size', paused(4), [current('new', 4)], []],
    [
      'empty old sets once the newest has all that is wanted',
      paused(4),
      [other('old', 2), current('new', 4)],
      [['resize', 'old', 0]],
    ],
    [
      'spread while the newest still waits for pods',
      paused(4),
      [other('old', 2), current('new', 4, { available: 3 })],
      [['resize', 'new', 3]],
    ],
    ['leave several sets alone that are not rolled', paused(8, recreate), [other('old', 2), current('new', 2)], []],
    [
      'go on rolling where a set without pods notes another number',
      deployment(4, rolling(1, 0)),
      [other('old', 0, { annotations: noted(9, 9) }), current('new', 3)],
      [['resize', 'new', 4]],
    ],
    [
      'go on rolling where a set notes no number',
      deployment(4, rolling(1, 0)),
      [other('old', 3, { annotations: { [keys.desired]: 'x' } }), current('new', 1)],
      [['resize', 'new', 2]],
    ],
    [
      'leave a set alone that has its size, whatever number it notes',
      deployment(4, rolling(1, 0)),
      [current('new', 4, { annotations: noted(3, 4, 2) })],
      [],
    ],
    [
      'shrink the newest that is larger than wanted',
      deployment(4, rolling(1, 0)),
      [current('new', 6)],
      [['resize', 'new', 4]],
    ],
    [
      'want one where nothing is said',
      deployment(undefined as never, rolling(1, 0)),
      [current('new', 3, { annotations: noted(1, 2, 2) })],
      [['resize', 'new', 1]],
    ],
    [
      'leave old sets without pods alone when recreating',
      deployment(4, recreate),
      [other('a', 0), other('b', 2)],
      [['resize', 'b', 0]],
    ],
    ['wait for the pods of any old set when recreating', deployment(4, recreate), [other('a', 0), other('b', 0)], []],
  ])('%s', (_, one, sets, expected) => {
    expect(shown(steps(one, sets, ['b']))).toEqual(expected);
  });

  test('note the size on each set that they change, and the revision on the newest alone', () => {
    const own = { note: 'x' };
    const found = steps(deployment(8, rolling(0, 1), {}, own), [
      other('old', 2, { annotations: { mine: 'y' } }),
      current('new', 2),
    ]);
    expect(found.map(({ set }) => set.metadata?.annotations)).toEqual([
      { mine: 'y', ...noted(8, 8) },
      { note: 'x', ...noted(8, 8, 2) },
    ]);
    expect(found.map((step) => step.do === 'resize' && step.from)).toEqual([2, 2]);
  });

  test('take along what the newest has to note, in one write', () => {
    expect(shown(steps(deployment(4, rolling(1, 0), {}, { note: 'x' }), [other('old', 3), current('new', 1)]))).toEqual(
      [['resize', 'new', 2]],
    );
    expect(shown(steps(deployment(4, rolling(1, 0), {}, { note: 'x' }), [other('old', 4), current('new', 1)]))).toEqual(
      [
        ['update', 'new', 1],
        ['resize', 'old', 3],
      ],
    );
  });

  test('give the newest the time that pods have to be ready', () => {
    const [step] = steps(deployment(4, { ...rolling(1, 0), minReadySeconds: 9 }), [current('new', 4)]);
    expect([step?.do, step?.set.spec?.minReadySeconds, step?.set.metadata?.name]).toEqual(['update', 9, 'new']);
  });
});

describe('sets beyond the history', () => {
  const cleanup = (limit: number, ...old: ReplicaSet[]): unknown[] =>
    planCleanup(viewOf(deployment(1, { revisionHistoryLimit: limit }), old, () => false, keys)).map(
      ({ do: what, set }) => [what, set.metadata?.name],
    );
  const old = (name: string, created: number, change: (set: ReplicaSet) => void = () => undefined): ReplicaSet => {
    const set = other(name, 0, { created });
    change(set);
    return set;
  };

  const left = (change: (set: ReplicaSet) => void): ReplicaSet[] => [old('a', 1, change)];
  test.each<[string, limit: number, ReplicaSet[], deleted: string[]]>([
    ['are deleted, the oldest first', 1, [old('b', 2), old('a', 1), old('c', 3)], ['a', 'b']],
    ['are all kept without a limit', 2147483647, [old('a', 1)], []],
    ['stay while pods of them are left', 0, left(({ status }) => (status.replicas = 1)), []],
    ['stay while they want pods', 0, left(({ spec }) => (spec.replicas = 1)), []],
    ['stay while their controller has not seen them', 0, left(({ metadata }) => (metadata.generation = 2)), []],
    [
      'are counted without those that go',
      1,
      [...left(({ metadata }) => (metadata.deletionTimestamp = minute(0))), old('b', 2)],
      [],
    ],
  ])('%s', (_, limit, sets, deleted) => {
    expect(cleanup(limit, ...sets)).toEqual(deleted.map((name) => ['delete', name]));
  });

  test('of the second highest revision are rolled back to, where it is a number', () => {
    const sets = (...revisions: string[]): ReplicaSet[] =>
      revisions.map((text) => replicaSet(`r${text}`, 0, { annotations: { [keys.revision]: text } }));
    const found = (all: ReplicaSet[], revision: bigint) => findRevision(all, revision, keys)?.metadata.name;
    expect(found(sets('10', '9', '2'), 0n)).toBe('r9');
    expect(found(sets('2', '9', '10'), 0n)).toBe('r9');
    expect(found(sets('3', '3'), 0n)).toBe('r3');
    expect(found(sets('3', 'x'), 0n)).toBeUndefined();
    expect(found(sets('3', '2'), 2n)).toBe('r2');
  });
});

describe('the sizes of old sets', () => {
  const by = (sizes: Sizes): unknown => Object.fromEntries([...sizes].map(([set, size]) => [set.metadata.name, size]));
  const a = (size: number, available = size): ReplicaSet => replicaSet('a', size, { created: 0, available });
  const b = (size: number, available = size): ReplicaSet => replicaSet('b', size, { created: 1, available });
  test.each<[string, object, ReplicaSet[], number, object]>([
    ['stay where nothing may go', rolling(1, 0), [a(9, 5), b(1)], 0, {}],
    ['stay where more is missing than may be', rolling(1, 0), [a(5, 5), b(4, 4)], 0, {}],
    ['lose unhealthy pods up to what may go, over several sets', rolling(0, 3), [a(5, 3), b(5, 3)], 0, { a: 3, b: 4 }],
    ['that are empty stay', rolling(0, 3), [a(0), b(0)], 10, {}],
    ['stay where they have none to spare', rolling(0, 3), [a(7, 7), b(0)], 0, {}],
    [
      'go to the oldest by name where they are of an age',
      rolling(0, 1),
      [replicaSet('y', 5), replicaSet('x', 5)],
      0,
      { x: 4 },
    ],
  ])('%s', (_, spec, old, newest, expected) => {
    expect(by(shrinkOld(deployment(10, spec), old, replicaSet('new', newest)))).toEqual(expected);
  });

  test.each<[string, replicas: number, ReplicaSet[], object]>(
    [
      ['shrink the older of two of a size first', 11, [6, 6], { a: 5, b: 6 }],
      ['stay as they are where nothing is to be added', 12, [6, 6], { a: 6, b: 6 }],
      ['leave empty sets alone', 20, [6, 0], { a: 22, b: 0 }],
    ].map(([title, replicas, sizes, expected]) => [
      title as string,
      replicas as number,
      (sizes as number[]).map((size, i) =>
        replicaSet(i === 0 ? 'a' : 'b', size, { created: i, annotations: { [keys.max]: '14' } }),
      ),
      expected as object,
    ]),
  )('%s', (_, replicas, sets, expected) => {
    const found = by(spread(deployment(replicas, rolling(replicas === 20 ? 2 : 0, 1)), sets, keys));
    expect(found).toEqual(expected);
  });
});

describe('the conditions of a rollout', () => {
  const progressing = (reason: string, status = 'True', counts: object = {}): object => ({
    conditions: [
      { type: 'Progressing', status, reason, message: 'old', lastUpdateTime: minute(0), lastTransitionTime: minute(0) },
    ],
    ...counts,
  });
  const found = (one: Deployment, sets: ReplicaSet[], minutes: number, newest: ReplicaSet | undefined = sets.at(-1)) =>
    rolloutStatus(one, sets, newest, at(minutes)).conditions?.find(({ type }) => type === 'Progressing');
  const then = { updatedReplicas: 2, replicas: 5, readyReplicas: 4, availableReplicas: 4 };
  const sets = (old: number, newest: number, traits: Traits = {}): ReplicaSet[] => [
    replicaSet('old', old, { available: old, ...traits }),
    replicaSet('new', newest, { available: 1, ready: 1 }),
  ];

  test.each<[string, ReplicaSet[], isProgress: boolean]>([
    ['more updated pods', sets(3, 3, { available: 3, ready: 3 }), true],
    ['fewer old pods', sets(2, 2, { available: 3, ready: 3 }), true],
    ['more ready pods', sets(3, 2, { available: 3, ready: 4 }), true],
    ['more available pods', sets(3, 2, { available: 4, ready: 3 }), true],
    ['the same', sets(3, 2, { available: 3, ready: 3 }), false],
    ['fewer of all', sets(3, 1, { available: 2, ready: 2 }), false],
  ])('%s', (_, given, isProgress) => {
    const condition = found(deployment(5, {}, progressing('ReplicaSetUpdated', 'True', then)), given, 5);
    expect([condition?.lastUpdateTime, condition?.lastTransitionTime]).toEqual([minute(isProgress ? 5 : 0), minute(0)]);
    expect(condition?.message).toBe(isProgress ? 'ReplicaSet "new" is progressing.' : 'old');
  });

  test.each<[string, Deployment, ReplicaSet[], minutes: number, expected: object]>([
    [
      'done',
      deployment(2, {}, progressing('ReplicaSetUpdated')),
      [replicaSet('new', 2)],
      5,
      {
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: 'ReplicaSet "new" has successfully progressed.',
        lastTransitionTime: minute(0),
        lastUpdateTime: minute(5),
      },
    ],
    [
      'done, though pods were lost and nothing moves since',
      deployment(
        2,
        {},
        progressing('NewReplicaSetAvailable', 'True', {
          ...{ updatedReplicas: 1, replicas: 2, readyReplicas: 1, availableReplicas: 1 },
        }),
      ),
      [replicaSet('old', 1), replicaSet('new', 1, { available: 0 })],
      99,
      { status: 'True', reason: 'NewReplicaSetAvailable', lastUpdateTime: minute(0) },
    ],
    [
      'late',
      deployment(2, {}, progressing('ReplicaSetUpdated', 'True', { updatedReplicas: 1, replicas: 1 })),
      [replicaSet('new', 1, { available: 0 })],
      11,
      {
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: 'ReplicaSet "new" has timed out progressing.',
        lastTransitionTime: minute(11),
      },
    ],
    [
      'late for good, even where what it waits for is due later',
      deployment(2, {}, progressing('ProgressDeadlineExceeded', 'False', { updatedReplicas: 1, replicas: 1 })),
      [replicaSet('new', 1, { available: 0 })],
      1,
      { status: 'False', reason: 'ProgressDeadlineExceeded', lastTransitionTime: minute(0) },
    ],
    [
      'moving again after it was late',
      deployment(2, {}, progressing('ProgressDeadlineExceeded', 'False')),
      [replicaSet('new', 1, { available: 0 })],
      12,
      { status: 'True', reason: 'ReplicaSetUpdated', lastTransitionTime: minute(12) },
    ],
  ])('%s', (_, one, given, minutes, expected) => {
    expect(found(one, given, minutes)).toMatchObject(expected);
  });

  test('name the deployment while it has no ReplicaSet', () => {
    const one = deployment(2, {}, progressing('ReplicaSetUpdated', 'True', { replicas: 3 }));
    expect(rolloutStatus(one, [replicaSet('old', 2)], undefined, at(5))).toMatchObject({
      updatedReplicas: 0,
      conditions: expect.arrayContaining([
        expect.objectContaining({ message: 'Deployment "web" is progressing.' }),
      ]) as unknown,
    });
  });

  test.each<[string, status: object, expected: object | undefined]>([
    ['collisions are kept', { collisionCount: 3 }, { collisionCount: 3 }],
    ['no collisions are not told of', {}, undefined],
  ])('%s', (_, status, expected) => {
    const { collisionCount } = rolloutStatus(deployment(1, {}, status), [], undefined, at(0));
    expect(collisionCount === undefined ? undefined : { collisionCount }).toEqual(expected);
  });

  test('tell why a set makes no pods, the newest first, from when on', () => {
    const failing = (reason: string, status = 'True', more: object = { lastTransitionTime: minute(3) }): Traits => ({
      conditions: [{ type: 'ReplicaFailure', status, reason, message: `${reason}!`, ...more }],
    });
    const condition = (...given: ReplicaSet[]) =>
      rolloutStatus(deployment(4), given, given.at(-1), at(9)).conditions?.find(
        ({ type }) => type === 'ReplicaFailure',
      );
    const expected = { type: 'ReplicaFailure', status: 'True', lastUpdateTime: minute(9) };
    expect(condition(replicaSet('old', 1, failing('a')), replicaSet('new', 1, failing('b')))).toEqual({
      ...{ ...expected, reason: 'b', message: 'b!', lastTransitionTime: minute(3) },
    });
    expect(
      condition(replicaSet('old', 1, failing('a', 'True', {})), replicaSet('new', 1, failing('b', 'False'))),
    ).toEqual({
      ...{ ...expected, reason: 'a', message: 'a!', lastTransitionTime: minute(9) },
    });
  });

  test.each<[string, Deployment, object | undefined]>([
    [
      'a pause',
      deployment(1, { paused: true }, progressing('ReplicaSetUpdated')),
      { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused', lastUpdateTime: minute(2) },
    ],
    [
      'the end of a pause',
      deployment(1, {}, progressing('DeploymentPaused', 'Unknown')),
      { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed', lastUpdateTime: minute(2) },
    ],
    ['a pause before anything else', deployment(1, { paused: true }), { reason: 'DeploymentPaused' }],
    [
      'nothing while a pause lasts',
      deployment(1, { paused: true }, progressing('DeploymentPaused', 'Unknown')),
      undefined,
    ],
    ['nothing where there is no pause', deployment(1, {}, progressing('ReplicaSetUpdated')), undefined],
    [
      'nothing of a rollout that was late',
      deployment(1, { paused: true }, progressing('ProgressDeadlineExceeded', 'False')),
      undefined,
    ],
    ['nothing without a deadline', deployment(1, { paused: true, progressDeadlineSeconds: 2147483647 }), undefined],
  ])('tell of %s', (_, one, expected) => {
    const [condition] = pauseConditions(one, at(2))?.filter(({ type }) => type === 'Progressing') ?? [];
    if (expected) expect(condition).toMatchObject(expected);
    else expect(condition).toBeUndefined();
  });
});
