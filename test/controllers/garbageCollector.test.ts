import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Bench, type Loose } from './bench.ts';

let bench: Bench;
let namespace = '';
let count = 0;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());
beforeEach(async () => {
  namespace = `gc-${(count += 1)}`;
  await bench.create('/api/v1/namespaces', { metadata: { name: namespace } });
});

const maps = (): string => `/api/v1/namespaces/${namespace}/configmaps`;

/** A config map owned by others; `block` makes them wait for it when they are deleted in the foreground. */
function owned(name: string, owners: readonly Loose[], block = false): Promise<Loose> {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    ...(block ? { blockOwnerDeletion: true } : {}),
  }));
  return bench.create(maps(), { metadata: { name, ownerReferences } });
}

describe('garbage collection', () => {
  test('deletes objects without an owner, down to the last descendant', async () => {
    const a = await owned('a', []);
    const b = await owned('b', [a]);
    await owned('c', [b]);
    await bench.delete(`${maps()}/a`);
    await bench.gone(`${maps()}/b`);
    await bench.gone(`${maps()}/c`);
  });

  test('keeps an object with another owner, and removes only the dangling reference', async () => {
    const [a, b] = [await owned('a', []), await owned('b', [])];
    await owned('c', [a, b]);
    await bench.delete(`${maps()}/a`);
    const kept = await bench.until(`${maps()}/c`, (c) => c.metadata.ownerReferences?.length === 1);
    expect(kept.metadata.ownerReferences[0].name).toBe('b');
  });

  test('with foreground deletion, deletes the owner after its blocking dependents', async () => {
    const a = await owned('a', []);
    await owned('b', [a], true);
    await bench.patch(`${maps()}/b`, { metadata: { finalizers: ['example.com/hold'] } });
    await bench.delete(`${maps()}/a`, { propagationPolicy: 'Foreground' });
    await bench.until(`${maps()}/b`, (b) => b.metadata.deletionTimestamp !== undefined);
    expect((await bench.get(`${maps()}/a`)).metadata.finalizers).toEqual(['foregroundDeletion']);
    await bench.patch(`${maps()}/b`, { metadata: { finalizers: null } });
    await bench.gone(`${maps()}/a`);
  });

  test('orphans dependents if requested', async () => {
    const a = await owned('a', []);
    await owned('b', [a]);
    await bench.delete(`${maps()}/a`, { propagationPolicy: 'Orphan' });
    await bench.gone(`${maps()}/a`);
    const orphan = await bench.get(`${maps()}/b`);
    expect(orphan.metadata.ownerReferences).toBeUndefined();
    expect(orphan.metadata.deletionTimestamp).toBeUndefined();
  });

  test('deletes an object whose owner never existed', async () => {
    await owned('b', [{ metadata: { name: 'never', uid: '00000000-0000-4000-8000-000000000000' } }]);
    await bench.gone(`${maps()}/b`);
  });

  test('deletes an object whose owner is in another namespace, and reports why', async () => {
    const elsewhere = await bench.create('/api/v1/namespaces/default/configmaps', {
      metadata: { name: `far-${count}` },
    });
    const events = bench.listen('gc');
    await owned('b', [elsewhere]);
    await bench.gone(`${maps()}/b`);
    expect(events).toContainEqual(expect.objectContaining({ what: 'deleted', why: 'its owners are gone' }));
  });

  test('resolves a cycle of owners that wait for each other', async () => {
    const a = await owned('a', []);
    const b = await owned('b', [a], true);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: b.metadata.uid, blockOwnerDeletion: true };
    await bench.patch(`${maps()}/a`, { metadata: { ownerReferences: [reference] } });
    await bench.delete(`${maps()}/a`, { propagationPolicy: 'Foreground' });
    await bench.gone(`${maps()}/a`);
    await bench.gone(`${maps()}/b`);
  });
});

describe('a namespace that is deleted', () => {
  test('is emptied and deleted', async () => {
    await owned('a', []);
    await bench.delete(`/api/v1/namespaces/${namespace}`);
    await bench.gone(`/api/v1/namespaces/${namespace}`);
    expect((await bench.get(`${maps()}/a`)).code).toBe(404);
  });

  test('reports what blocks it, and is deleted after that', async () => {
    await owned('a', []);
    await bench.patch(`${maps()}/a`, { metadata: { finalizers: ['example.com/hold'] } });
    await bench.delete(`/api/v1/namespaces/${namespace}`);
    const held = await bench.until(`/api/v1/namespaces/${namespace}`, (n) => n.status.conditions?.length === 5);
    const bad = held.status.conditions.filter((c: Loose) => c.status === 'True');
    expect(bad.map((c: Loose) => [c.type, c.message])).toEqual([
      ['NamespaceContentRemaining', 'Some resources are remaining: configmaps. has 1 resource instances'],
      [
        'NamespaceFinalizersRemaining',
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
      ],
    ]);
    await bench.patch(`${maps()}/a`, { metadata: { finalizers: null } });
    await bench.gone(`/api/v1/namespaces/${namespace}`);
  });
});
