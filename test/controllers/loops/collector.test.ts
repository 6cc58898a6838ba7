/** What the garbage collector tells of its work, how it follows the kinds that are served, and what it does where a write fails. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  configMaps,
  customResourceDefinitions,
  nodes,
  pods,
  replicaSets,
  type ResourceRef,
} from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
  lab.server.serve(replicaSets);
  lab.server.serve(nodes);
});
afterEach(() => lab.stop());

const deletionTimestamp = '2026-01-01T00:00:00Z';
const refTo = (name: string, more: Loose = {}): Loose => ({
  ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: `uid-${name}` },
  ...more,
});
const blocks = (name: string): Loose => refTo(name, { blockOwnerDeletion: true });
const owned = (name: string, ownerReferences: Loose[], metadata: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns', ownerReferences, ...metadata },
  spec: {},
});
const waiting = { deletionTimestamp, finalizers: ['foregroundDeletion'] };
const start = (): Promise<void> => lab.start(['garbagecollector']);

describe('the trace', () => {
  const told = (events: Loose[]): string[] => events.map(({ object, what, why }) => `${object} ${what}: ${why}`).sort();

  test('tells of deletions, and of references that are removed', async () => {
    const events = lab.listen('gc');
    lab.server.put(pods, owned('p', [refTo('gone')]));
    lab.server.put(nodes, {
      metadata: { name: 'n', ownerReferences: [refTo('lost', { apiVersion: 'v1', kind: 'Node' })] },
    });
    lab.server.put(replicaSets, owned('there', []));
    lab.server.put(pods, owned('half', [refTo('there'), refTo('gone')]));
    await start();
    expect(told(events).filter((each) => !each.includes('absent-owner'))).toEqual([
      'Node n deleted: its owners are gone',
      'Pod ns/half orphaned: it has other owners than those that are gone',
      'Pod ns/p deleted: its owners are gone',
    ]);
  });

  test('tells of those that are let go', async () => {
    const events = lab.listen('gc');
    lab.server.put(pods, owned('p', [refTo('a')]));
    lab.server.put(replicaSets, owned('a', [], { deletionTimestamp, finalizers: ['orphan'] }));
    await start();
    expect(told(events)).toEqual(['Pod ns/p orphaned: its owner is deleted without its dependents']);
  });

  test('tells for how many an owner waits', async () => {
    const events = lab.listen('gc');
    for (const name of ['p', 'q']) lab.server.put(pods, owned(name, [blocks('a')], { finalizers: ['f'] }));
    lab.server.put(replicaSets, owned('a', [], waiting));
    await start();
    expect(told(events)).toContain('ReplicaSet ns/a waiting: for 2 dependents to be deleted');
    expect(told(events)).toContain('Pod ns/p deleted: its owner waits for it to go');
  });

  test('names what woke each loop', async () => {
    const woken = lab.listen('reconcile');
    lab.server.put(replicaSets, owned('a', []));
    lab.server.put(pods, owned('p', [refTo('a')]));
    await start();
    lab.server.remove(replicaSets, 'ns/a');
    lab.server.change(pods, 'ns/p', { metadata: { ownerReferences: [] } });
    lab.server.put(replicaSets, owned('b', [], { deletionTimestamp, finalizers: ['orphan'] }));
    await lab.settle();
    const all = woken
      .filter(({ what }) => what === 'woken')
      .map(({ controller, key, why }) => `${controller} ${key}: ${why}`);
    expect(all).toContain('garbagecollector uid-p: ReplicaSet ns/a deleted');
    expect(all).toContain('garbagecollector/orphan uid-b: ReplicaSet ns/b added');
    expect(all[0]).toBe('garbagecollector/monitors monitors: undefined');
  });
});

describe('the kinds that are watched', () => {
  const robots: ResourceRef = { group: 'x.io', version: 'v1', resource: 'robots', kind: 'Robot', namespaced: true };
  const watched = (): string[] => (lab.running?.view() as Loose).informers.map(({ path }: Loose) => path);
  const path = '/apis/x.io/v1/robots';

  test('are those that are served, also later', async () => {
    await start();
    expect(watched()).toContain('/apis/apps/v1/replicasets');
    lab.server.put(robots, owned('r', [refTo('gone')]));
    await lab.pass(1);
    expect([watched().includes(path), await lab.requests()]).toEqual([false, []]);
    lab.server.put(customResourceDefinitions, { metadata: { name: 'robots.x.io' } });
    await lab.pass(0.1);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(0.2);
    expect([watched().includes(path), await lab.requests()]).toEqual([true, ['DELETE namespaces/ns/robots/r']]);
  });

  test('are no longer those that are not served any more, unless that is not sure', async () => {
    lab.server.serve(robots);
    await start();
    expect(watched()).toContain(path);
    const failures = lab.listen('reconcile');
    lab.server.unserve(robots);
    lab.server.refuse('GET', /^\/apis\/apps\/v1$/, 503, 'ServiceUnavailable', 1);
    lab.server.put(customResourceDefinitions, { metadata: { name: 'a' } });
    await lab.clock.step(200);
    await lab.settle();
    const why = failures.find(({ what }) => what === 'failed')?.why;
    expect(why).toBe('Error: not discovered: apps/v1');
    await lab.pass(1);
    expect(watched()).not.toContain(path);
    expect(watched()).toContain('/apis/apps/v1/replicasets');
  });

  test('are not watched twice', async () => {
    await start();
    const before = watched();
    lab.server.put(customResourceDefinitions, { metadata: { name: 'a' } });
    await lab.pass(1);
    const added = watched().filter((each) => !before.includes(each));
    expect(added).toEqual(
      ['/apis/apiextensions.cluster.io/v1/customresourcedefinitions'].filter((each) => added.includes(each)),
    );
    expect(new Set(watched()).size).toBe(watched().length);
  });
});

describe('an owner', () => {
  const reads = (kind: string): { readonly count: number } => {
    const counted = { count: 0 };
    lab.server.show(new RegExp(`/${kind}/gone$`), () => {
      counted.count += 1;
      return undefined;
    });
    return counted;
  };

  test('that is not there is looked for once, for all in its place', async () => {
    const read = reads('replicasets');
    for (const name of ['p', 'q', 'r']) lab.server.put(pods, owned(name, [refTo('gone')], { finalizers: ['f'] }));
    await start();
    await lab.requests();
    const before = read.count;
    lab.server.put(pods, owned('s', [refTo('gone')]));
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/s']);
    expect(read.count - before).toBeLessThanOrEqual(1);
  });

  test('in the cluster that is not there is looked for once, too', async () => {
    const node = refTo('gone', { apiVersion: 'v1', kind: 'Node' });
    lab.server.put(pods, owned('p', [node]));
    await start();
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/p']);
  });
});

describe('a cycle', () => {
  test('is unblocked before it is deleted, with the references as they are otherwise', async () => {
    lab.server.put(replicaSets, owned('a', [{ ...blocks('b'), controller: true }], waiting));
    lab.server.put(replicaSets, owned('b', [blocks('a'), blocks('gone')]));
    await start();
    const [first] = (await lab.writes()).filter(({ path }) => path.endsWith('/b'));
    expect(first?.body.metadata).toEqual({
      ...{ resourceVersion: expect.any(String), uid: 'uid-b' },
      ownerReferences: [refTo('a', { blockOwnerDeletion: false }), refTo('gone', { blockOwnerDeletion: false })],
    });
  });

  test('without dependents that wait needs no unblocking', async () => {
    lab.server.put(replicaSets, owned('a', [], waiting));
    lab.server.put(replicaSets, owned('b', [blocks('a')]));
    lab.server.put(pods, owned('p', [blocks('b')]));
    await start();
    const toB = (await lab.writes()).filter(({ path }) => path.endsWith('/b'));
    expect(toB[0]).toMatchObject({ method: 'DELETE', body: { propagationPolicy: 'Foreground' } });
  });
});

describe('a write', () => {
  const orphaning = { deletionTimestamp, finalizers: ['orphan', 'other'] };
  const patches = async (of: string): Promise<number> =>
    (await lab.requests()).filter((each) => each === `PATCH namespaces/ns/${of}`).length;

  test.each<[code: number, reason: string, tries: number]>([
    [409, 'Conflict', 5],
    [500, 'InternalError', 1],
  ])('that is answered with %i %s is tried %i times in a row, and later again', async (code, reason, tries) => {
    lab.server.put(pods, owned('p', [refTo('a')]));
    lab.server.put(replicaSets, owned('a', [], orphaning));
    const allow = lab.server.refuse('PATCH', /pods/, code, reason);
    await start();
    const first = await patches('pods/p');
    expect(first % tries).toBe(0);
    expect(lab.server.get(replicaSets, 'ns/a').metadata.finalizers).toEqual(['orphan', 'other']);
    allow();
    await lab.pass(60);
    expect(await patches('pods/p')).toBe(1);
    expect(lab.server.get(replicaSets, 'ns/a').metadata.finalizers).toEqual(['other']);
  });

  test('is a merge patch', async () => {
    const types: string[] = [];
    const { transport } = lab.server;
    Object.assign(lab.server, {
      transport: ((path, init) => {
        if (init?.method === 'PATCH') types.push(new Headers(init.headers).get('content-type') ?? '');
        return transport(path, init);
      }) satisfies typeof transport,
    });
    lab.server.put(configMaps, { metadata: { name: 'c', namespace: 'ns', ownerReferences: [refTo('a')] } });
    lab.server.put(replicaSets, owned('a', [], orphaning));
    await start();
    expect(types).toEqual(Array(2).fill('application/merge-patch+json'));
  });

  test('that has nothing to remove is not sent', async () => {
    lab.server.put(replicaSets, owned('a', [], orphaning));
    lab.server.show(/replicasets\/a$/, (now) => ({ ...now, metadata: { ...now.metadata, finalizers: ['other'] } }));
    await start();
    expect(await lab.requests()).toEqual([]);
  });

  test('to an object that was replaced is not sent', async () => {
    lab.server.put(replicaSets, owned('a', [], orphaning));
    lab.server.show(/replicasets\/a$/, (now) => ({ ...now, metadata: { ...now.metadata, uid: 'other' } }));
    await start();
    expect(await lab.requests()).toEqual([]);
  });
});

test('an object without owners on the server is kept, whatever the cache says', async () => {
  lab.server.put(pods, owned('p', [refTo('gone')]));
  lab.server.show(/pods\/p$/, (now) => ({ ...now, metadata: { ...now.metadata, ownerReferences: undefined } }));
  await start();
  expect(await lab.requests()).toEqual([]);
});
