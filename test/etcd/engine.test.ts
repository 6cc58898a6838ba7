import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { etcdLayout } from '../../src/cluster/index.ts';
import { etcdEngine } from '../../src/hosts/node/etcd/engine.ts';
import { namesOf } from '../../src/names/index.ts';
import { realClock } from '../../src/std/index.ts';
import { CompactedError, openShared, type Storage } from '../../src/storage/index.ts';
import { brief, del, put, write } from '../storage/support.ts';
import { etcdHere, startEtcd, type EtcdServer } from './server.ts';

let etcd: EtcdServer;
const opened: Storage[] = [];

beforeAll(async () => {
  if (etcdHere.has) etcd = await startEtcd();
});

afterAll(async () => {
  for (const storage of opened) await storage.close();
  await etcd?.stop();
});

/** Opens what stands under a prefix, as one more server does. */
async function open(prefix: string, endpoints = [etcd.url]): Promise<Storage> {
  const layout = etcdLayout(namesOf('k8s.io'), prefix);
  const engine = etcdEngine({ endpoints, layout, now: () => Date.now(), timeoutMs: 2000, onProblem: () => undefined });
  const storage = await openShared({ engine, clock: realClock(), keep: Infinity });
  opened.push(storage);
  return storage;
}

const follow = (storage: Storage, from: number): string[] => {
  const seen: string[] = [];
  storage.watch(
    { start: '', end: '\uffff', from },
    (events) => void seen.push(...events.map((event) => brief(event).replace(/^\d+ /, ''))),
    (error) => void seen.push(`ended: ${error?.message}`),
  );
  return seen;
};

const soon = { timeout: 10_000, interval: 10 };

describe.skipIf(!etcdHere.has)(`values of other programs${etcdHere.has ? '' : ` (${etcdHere.why})`}`, () => {
  const layout = etcdLayout(namesOf('k8s.io'), '/foreign');
  const protobuf = 'k8s\0\n\x0f\n\x02v1\x12\tConfigMap';

  test('one that a running server can’t read is told once, and everything else goes on', async () => {
    const problems: string[] = [];
    const engine = etcdEngine({
      ...{ endpoints: [etcd.url], layout, timeoutMs: 2000 },
      now: () => Date.now(),
      onProblem: ({ message }) => problems.push(message),
    });
    const [a, other] = [await openShared({ engine, clock: realClock(), keep: Infinity }), await open('/foreign')];
    opened.push(a);
    await other.commit([put('/registry/configmaps/default/kept', 'json')]);
    await a.fresh();
    const seen = follow(a, a.revision);
    const writer = etcdEngine({ endpoints: [etcd.url], layout, now: () => Date.now() });
    const foreign = ['kept', 'new', 'new'].map((name) => put(`/registry/configmaps/default/${name}`, protobuf));
    for (const op of foreign) expect(await writer.commit([op])).toMatchObject({ held: true });
    await writer.commit([put('/registry/configmaps/default/later', 'json')]);
    await writer.close();
    await a.fresh();
    expect(seen).toEqual(['put /registry/configmaps/default/later=json']);
    expect(a.get('/registry/configmaps/default/kept')?.value).toBe('json');
    expect(problems).toEqual([
      expect.stringMatching(/etcd holds \/foreign\/configmaps\/default\/kept as Protobuf; .*--storage-media-type/),
      expect.stringContaining('/new as Protobuf'),
    ]);
    // What was read before is not written over with what it says.
    const result = await a.commit([
      put('/registry/configmaps/default/kept', 'mine', a.get('/registry/configmaps/default/kept')?.revision),
    ]);
    expect(result).toMatchObject({ ok: false });
  });
});

describe.skipIf(!etcdHere.has)(`two servers on one etcd${etcdHere.has ? '' : ` (${etcdHere.why})`}`, () => {
  test('a fresh read of one shows what the other was told is written', async () => {
    const [a, b] = [await open('/fresh'), await open('/fresh')];
    for (let i = 0; i < 50; i++) {
      const result = await a.commit([put('/registry/pods/default/web', `${i}`)]);
      await b.fresh();
      expect(b.revision).toBeGreaterThanOrEqual(result.ok ? result.revision : Infinity);
      expect(b.get('/registry/pods/default/web')?.value).toBe(`${i}`);
    }
  });

  test('of two writes that expect the same revision one holds, and the other is told what did', async () => {
    const [a, b] = [await open('/race'), await open('/race')];
    const results = await Promise.all([a.commit([put('/registry/x', 'a', 0)]), b.commit([put('/registry/x', 'b', 0)])]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const [refused, made] = [results.find(({ ok }) => !ok), results.find(({ ok }) => ok)];
    expect(refused).toMatchObject({ key: '/registry/x', conflict: { revision: made?.ok && made.revision } });
  });

  test('a watch of one sees what both write, in one order', async () => {
    const [a, b] = [await open('/order'), await open('/order')];
    const [atA, atB] = [follow(a, a.revision), follow(b, b.revision)];
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 ? a : b).commit([put(`/registry/key-${i % 7}`, `${i}`)])),
    );
    await a.commit([del('/registry/key-0')]);
    await b.fresh();
    expect(atA).toHaveLength(101);
    expect(atB).toEqual(atA);
    expect(atB.at(-1)).toBe('delete /registry/key-0');
  });

  test('a server that starts later has the history that etcd keeps: watches of another go on there', async () => {
    const a = await open('/later');
    const from = a.revision;
    await write(a, put('/registry/a', '1'), put('/registry/b', '1'), put('/registry/a', '2'), del('/registry/b'));
    const b = await open('/later');
    const seen = follow(b, from);
    await vi.waitFor(
      () => expect(seen).toEqual(['put /registry/a=1', 'put /registry/b=1', 'put /registry/a=2', 'delete /registry/b']),
      soon,
    );
    expect(b.get('/registry/a', from + 1)?.value).toBe('1');
    expect(b.get('/registry/a')).toEqual(a.get('/registry/a'));
  });

  test('through a kill of etcd nothing written is lost, and watches go on without a gap', async () => {
    const a = await open('/kill');
    const seen = follow(a, a.revision);
    await write(a, put('/registry/a', '1'));
    await etcd.kill();
    await expect(a.commit([put('/registry/a', 'lost')])).rejects.toMatchObject({
      name: 'WriteError',
      reason: 'failed',
    });
    await etcd.restart();
    await vi.waitFor(() => a.commit([put('/registry/b', '1')]), soon);
    await write(a, put('/registry/a', '2'));
    expect(seen).toEqual(['put /registry/a=1', 'put /registry/b=1', 'put /registry/a=2']);
  });

  test('where the first endpoint does not answer, the next one does', async () => {
    const storage = await open('/endpoints', ['http://127.0.0.1:1', etcd.url]);
    expect(await storage.commit([put('/registry/a', '1')])).toMatchObject({ ok: true });
  });

  test('a key that goes by itself goes by a lease of etcd', async () => {
    const [a, b] = [await open('/lease'), await open('/lease')];
    const expires = Date.now() + 1000;
    const seen = follow(b, b.revision);
    await a.commit([{ type: 'put', key: '/registry/events/default/x', value: 'x', expires }]);
    await a.commit([{ type: 'put', key: '/registry/events/default/stays', value: 'x', expires }]);
    await a.commit([put('/registry/events/default/stays', 'y')]);
    await vi.waitFor(() => expect(seen.at(-1)).toBe('delete /registry/events/default/x'), soon);
    expect(b.get('/registry/events/default/stays')?.value).toBe('y');
  });

  test('a server that starts after a compaction ends watches that begin before it', async () => {
    const [a, b] = [await open('/missed'), await open('/missed')];
    await write(a, put('/registry/gone', '1'), put('/registry/a', '1'), put('/registry/same', '1'));
    await b.fresh();
    const seen = follow(b, b.revision);
    const { revision } = b;
    await write(a, del('/registry/gone'), put('/registry/a', '2'), put('/registry/a', '3'));
    await vi.waitFor(() => expect(seen).toHaveLength(3), soon);
    // Compacting takes turns: the first of this process may only learn whose turn it is.
    await a.compact(a.revision);
    await a.compact(a.revision);
    await a.fresh();
    const c = await open('/missed');
    expect(c.compacted).toBeGreaterThan(revision);
    const ended = follow(c, revision);
    await vi.waitFor(
      () => expect(ended).toEqual([`ended: ${new CompactedError(revision, c.compacted).message}`]),
      soon,
    );
  });

  test('a server that starts over what another program wrote as Protobuf says which', async () => {
    const layout = { prefix: '/proto/', toEtcd: (key: string) => `/proto${key}`, fromEtcd: (key: string) => key };
    const engine = etcdEngine({ endpoints: [etcd.url], layout, now: () => Date.now() });
    const { revision } = await engine.commit([{ type: 'put', key: '/pods/x', value: 'k8s\0\n\f' }]);
    // It may be another's turn the first time.
    for (let turn = 0; turn < 2; turn++) await engine.compact(revision);
    await expect(engine.oldest()).rejects.toThrow('etcd holds /proto/pods/x as Protobuf');
    await engine.close();
  });
});

test.each([
  ['/registry/pods/default/web', '/registry/pods/default/web'],
  ['/registry/apps/deployments/default/web', '/registry/deployments/default/web'],
  ['/registry/services/default/web', '/registry/services/specs/default/web'],
  ['/registry/endpoints/default/web', '/registry/services/endpoints/default/web'],
  ['/registry/nodes/one', '/registry/minions/one'],
  ['/registry/replicationcontrollers/default/web', '/registry/controllers/default/web'],
  ['/registry/networking.k8s.io/ingresses/default/web', '/registry/ingress/default/web'],
  ['/registry/policy/podsecuritypolicies/p', '/registry/podsecuritypolicy/p'],
  ['/registry/rbac.authorization.k8s.io/clusterroles/admin', '/registry/clusterroles/admin'],
  ['/registry/coordination.k8s.io/leases/kube-system/x', '/registry/leases/kube-system/x'],
  ['/registry/apiregistration.k8s.io/apiservices/v1.apps', '/registry/apiregistration.k8s.io/apiservices/v1.apps'],
  [
    '/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.example.com',
    '/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.example.com',
  ],
  ['/registry/example.com/crontabs/default/c', '/registry/example.com/crontabs/default/c'],
  ['/vitrine/pki/ca.crt', '/registry/vitrine/pki/ca.crt'],
])('%s stands where the reference has it', (own, reference) => {
  const layout = etcdLayout(namesOf('k8s.io'), '/registry');
  expect(layout.toEtcd(own)).toBe(reference);
  expect(layout.fromEtcd(reference)).toBe(own);
  const other = etcdLayout(namesOf('k8s.io'), 'cluster/one/');
  expect(other.toEtcd(own)).toBe(reference.replace('/registry', '/cluster/one'));
  expect(other.fromEtcd(other.toEtcd(own))).toBe(own);
});
