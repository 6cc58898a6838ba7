/** What the garbage collector writes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configMaps, nodes, pods, replicaSets } from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const deletionTimestamp = '2026-01-01T00:00:00Z';
const owner = (name: string, metadata: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns', ...metadata },
  spec: {},
});
const refTo = (name: string, more: Loose = {}): Loose => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name,
  uid: `uid-${name}`,
  ...more,
});
const owned = (name: string, ownerReferences: Loose[], metadata: Loose = {}): Loose =>
  owner(name, { ownerReferences, ...metadata });
const start = (): Promise<void> => lab.start(['garbagecollector']);
const deletion = (name: string, propagationPolicy = 'Background'): Loose => ({
  method: 'DELETE',
  path: `namespaces/ns/pods/${name}`,
  body: { ...{ apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy }, preconditions: { uid: `uid-${name}` } },
});
const without = (uid: string, references: Loose[], resourceVersion = expect.any(String) as Loose): Loose => ({
  metadata: { resourceVersion, uid, ownerReferences: references },
});

describe('an object', () => {
  beforeEach(() => {
    lab.server.serve(replicaSets);
    lab.server.serve(nodes);
  });

  test('whose owner is there is kept, and deleted after its owner', async () => {
    lab.server.put(replicaSets, owner('a'));
    lab.server.put(pods, owned('p', [refTo('a')]));
    lab.server.put(pods, owned('free', []));
    await start();
    expect(await lab.writes()).toEqual([]);
    lab.server.remove(replicaSets, 'ns/a');
    expect(await lab.writes()).toEqual([deletion('p')]);
    expect(lab.server.list(pods).map(({ metadata }) => metadata.name)).toEqual(['free']);
  });

  test.each<[string, references: Loose[], writes: Loose[]]>([
    ['whose owner is not there is deleted', [refTo('gone')], [deletion('p')]],
    ['whose owner has another uid is deleted', [refTo('a', { uid: 'old' })], [deletion('p')]],
    [
      'with one of two owners loses the other reference',
      [refTo('a'), refTo('gone')],
      [{ method: 'PATCH', path: 'namespaces/ns/pods/p', body: without('uid-p', [refTo('a')]) }],
    ],
    ['with a cluster-wide owner is kept', [refTo('n', { apiVersion: 'v1', kind: 'Node' })], []],
    ['whose owner is of an unknown kind is kept', [refTo('x', { kind: 'Robot' })], []],
  ])('%s', async (_, references, writes) => {
    lab.server.put(replicaSets, owner('a'));
    lab.server.put(nodes, { metadata: { name: 'n' }, spec: {}, status: {} });
    lab.server.put(pods, owned('p', references));
    await start();
    expect(await lab.writes()).toEqual(writes);
  });

  test('outside of namespaces is kept if its owner would be in one, also where what else refers to that goes', async () => {
    lab.server.put(nodes, { metadata: { name: 'n', ownerReferences: [refTo('gone')] }, spec: {}, status: {} });
    lab.server.put(pods, owned('p', [refTo('gone')]));
    await start();
    expect(await lab.writes()).toEqual([deletion('p')]);
    expect(lab.server.list(nodes).map(({ metadata }) => metadata.name)).toEqual(['n']);
  });

  test('in another namespace is no owner, and that is told', async () => {
    lab.server.put(replicaSets, { ...owner('a'), metadata: { name: 'a', namespace: 'other' } });
    lab.server.put(pods, owned('p', [refTo('a')]));
    await start();
    expect(await lab.writes()).toEqual([deletion('p')]);
    const where = 'ownerRef [apps/v1/ReplicaSet, namespace: ns, name: a, uid: uid-a] does not exist in namespace "ns"';
    const told = await lab.events();
    expect(told.length === 0 || told[0] === `Pod ns/p: Warning OwnerRefInvalidNamespace ${where}`).toBe(true);
  });

  test('that got its reference later, is reported as well', async () => {
    lab.server.put(replicaSets, { ...owner('a'), metadata: { name: 'a', namespace: 'other' } });
    lab.server.put(pods, owned('p', []));
    await start();
    lab.server.change(pods, 'ns/p', { metadata: { ownerReferences: [refTo('a')] } });
    expect(await lab.events()).toEqual([
      'Pod ns/p: Warning OwnerRefInvalidNamespace ownerRef [apps/v1/ReplicaSet, namespace: ns, name: a, uid: uid-a] does not exist in namespace "ns"',
    ]);
    expect(await lab.writes()).toEqual([deletion('p')]);
  });

  test('that is being deleted is not deleted again', async () => {
    lab.server.put(pods, owned('p', [refTo('gone')], { deletionTimestamp, finalizers: ['f'] }));
    await start();
    expect(await lab.writes()).toEqual([]);
  });

  test.each<[string, finalizers: string[], policy: string]>([
    ['orphans its own if it says so', ['orphan'], 'Orphan'],
    ['deletes its own first if it says so', ['foregroundDeletion'], 'Foreground'],
    ['deletes its own afterwards otherwise', ['other'], 'Background'],
  ])('%s', async (_, finalizers, policy) => {
    lab.server.put(pods, owned('p', [refTo('gone')], { finalizers }));
    await start();
    expect((await lab.writes())[0]).toEqual(deletion('p', policy));
  });

  test.each(['NotFound', 'Conflict'])('whose deletion is answered with %s is left to its watch', async (reason) => {
    lab.server.put(pods, owned('p', [refTo('gone')]));
    lab.server.refuse('DELETE', /pods/, reason === 'NotFound' ? 404 : 409, reason);
    await start();
    await lab.pass(2);
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/p']);
  });

  test('whose deletion fails is deleted later', async () => {
    lab.server.put(pods, owned('p', [refTo('gone')]));
    lab.server.refuse('DELETE', /pods/, 500, 'InternalError', 1);
    await start();
    await lab.pass(2);
    expect(await lab.requests()).toEqual(Array(2).fill('DELETE namespaces/ns/pods/p'));
  });

  test('of a kind that is defined later is watched from then on', async () => {
    await start();
    lab.server.put(configMaps, owned('c', [refTo('gone')]));
    await lab.pass(1);
    expect(await lab.requests()).toEqual([]);
  });
});

describe('an owner that waits for its dependents', () => {
  const leaving = { deletionTimestamp, finalizers: ['foregroundDeletion'] };

  test('goes after those that block it', async () => {
    lab.server.put(replicaSets, owner('a', leaving));
    lab.server.put(pods, owned('blocking', [refTo('a', { blockOwnerDeletion: true })], { finalizers: ['f'] }));
    lab.server.put(pods, owned('other', [refTo('a')], { finalizers: ['f'] }));
    await start();
    expect((await lab.writes()).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      deletion('blocking'),
      deletion('other'),
    ]);
    expect(lab.server.get(replicaSets, 'ns/a')).toBeDefined();
    lab.server.change(pods, 'ns/blocking', { metadata: { finalizers: [] } });
    await lab.pass(1);
    expect(await lab.writes()).toEqual([
      {
        method: 'PATCH',
        path: 'namespaces/ns/replicasets/a',
        body: { metadata: { resourceVersion: expect.any(String), finalizers: [] } },
      },
    ]);
    expect(lab.server.get(replicaSets, 'ns/a')).toBeUndefined();
  });

  test('is let go by a dependent that has another owner, or that no longer blocks', async () => {
    lab.server.put(replicaSets, owner('b'));
    lab.server.put(pods, owned('p', [refTo('a', { blockOwnerDeletion: true }), refTo('b')]));
    lab.server.put(
      pods,
      owned('q', [refTo('a', { blockOwnerDeletion: true })], { deletionTimestamp, finalizers: ['f'] }),
    );
    lab.server.put(replicaSets, owner('a', leaving));
    await start();
    expect(await lab.writes()).toEqual([
      { method: 'PATCH', path: 'namespaces/ns/pods/p', body: without('uid-p', [refTo('b')]) },
    ]);
    lab.server.change(pods, 'ns/q', { metadata: { ownerReferences: [refTo('a', { blockOwnerDeletion: false })] } });
    expect((await lab.requests()).filter((each) => each.includes('replicasets'))).toEqual([
      'PATCH namespaces/ns/replicasets/a',
    ]);
    expect(lab.server.get(replicaSets, 'ns/a')).toBeUndefined();
  });

  test('begins when its deletion begins', async () => {
    lab.server.put(replicaSets, owner('a'));
    lab.server.put(pods, owned('p', [refTo('a', { blockOwnerDeletion: true })]));
    await start();
    lab.server.change(replicaSets, 'ns/a', { metadata: leaving });
    await lab.pass(1);
    expect((await lab.requests()).sort()).toEqual(['DELETE namespaces/ns/pods/p', 'PATCH namespaces/ns/replicasets/a']);
  });

  test('unblocks a cycle', async () => {
    const cycle = { ...refTo('b', { blockOwnerDeletion: true }) };
    lab.server.put(replicaSets, owner('a', { ...leaving, ownerReferences: [cycle] }));
    lab.server.put(replicaSets, owner('b', { ownerReferences: [refTo('a', { blockOwnerDeletion: true })] }));
    await start();
    await lab.pass(5);
    expect(lab.server.list(replicaSets)).toEqual([]);
  });
});

describe('an owner that orphans its dependents', () => {
  const leaving = { deletionTimestamp, finalizers: ['orphan', 'other'] };

  test('takes its references away, then its finalizer', async () => {
    lab.server.put(pods, owned('p', [refTo('a'), refTo('b')]));
    lab.server.put(pods, owned('q', [refTo('b')]));
    lab.server.put(replicaSets, owner('b'));
    lab.server.put(replicaSets, owner('a', leaving));
    await start();
    expect(await lab.writes()).toEqual([
      { method: 'PATCH', path: 'namespaces/ns/pods/p', body: without('uid-p', [refTo('b')]) },
      {
        method: 'PATCH',
        path: 'namespaces/ns/replicasets/a',
        body: { metadata: { resourceVersion: expect.any(String), finalizers: ['other'] } },
      },
    ]);
  });

  test('writes again after a conflict, five times at most', async () => {
    lab.server.put(pods, owned('p', [refTo('a')]));
    lab.server.put(replicaSets, owner('a', leaving));
    lab.server.refuse('PATCH', /pods/, 409, 'Conflict', 4);
    await start();
    expect((await lab.requests()).filter((each) => each.includes('pods'))).toHaveLength(5);
    expect(lab.server.get(pods, 'ns/p').metadata.ownerReferences).toEqual([]);
  });

  test('ignores dependents that are gone', async () => {
    lab.server.put(pods, owned('p', [refTo('a')]));
    lab.server.put(replicaSets, owner('a', leaving));
    lab.server.refuse('PATCH', /pods/, 404, 'NotFound');
    await start();
    expect(await lab.requests()).toEqual(['PATCH namespaces/ns/pods/p', 'PATCH namespaces/ns/replicasets/a']);
  });
});

test('nothing is collected where that is switched off', async () => {
  lab.server.serve(replicaSets);
  lab.server.put(pods, owned('p', [refTo('gone')]));
  await lab.start(['garbagecollector'], { flags: ['--enable-garbage-collector=false'] });
  await lab.pass(1);
  expect(await lab.writes()).toEqual([]);
});
