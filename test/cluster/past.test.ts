import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { administrator, createCluster, type Past } from '../../src/cluster/index.ts';
import { memoryBackend, restoreStorage } from '../../src/storage/index.ts';
import { settle } from '../../src/std/index.ts';
import { Bench, deployment, type Loose } from '../controllers/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ nodes: 1 });
});
afterAll(() => bench.stop());

const as = { as: { ...administrator, name: 'cluster-admin' }, from: 'test' };

async function ask(past: Past, path: string, init: RequestInit = {}): Promise<Loose> {
  const response = await past.fetch(new Request(`http://past.local${path}`, init), as);
  return { code: response.status, body: await response.json() };
}

const maps = '/api/v1/namespaces/default/configmaps';

describe('a past state of a cluster', () => {
  test('shows objects with their revisions, and nothing later', async () => {
    const made = await bench.create(maps, { metadata: { name: 'first' }, data: { a: '1' } });
    await bench.patch(`${maps}/first`, { data: { a: '2' } });
    await bench.create(maps, { metadata: { name: 'second' } });
    const past = await bench.cluster.at(Number(made.metadata.resourceVersion));
    const { body } = await ask(past, `${maps}/first`);
    expect(body).toEqual(made);
    expect((await ask(past, `${maps}/second`)).code).toBe(404);
    const list = await ask(past, maps);
    expect(list.body.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await past.stop();
  });

  test('refuses writes, answers reviews, and leaves no trace in the cluster', async () => {
    const revision = bench.cluster.storage.revision;
    const events = bench.listen('request');
    const past = await bench.cluster.at(revision);
    const refused = await ask(past, maps, { method: 'POST', body: '{}' });
    expect(refused).toMatchObject({ code: 405, body: { reason: 'MethodNotAllowed' } });
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const path = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(past, path, { method: 'POST', headers, body: JSON.stringify(review) });
    expect(answer.body.status.allowed).toBe(true);
    expect(bench.cluster.storage.revision).toBe(revision);
    expect(events).toEqual([]);
    await past.stop();
  });

  test('keeps its revision, even one from before all components had started', async () => {
    const past = await bench.cluster.at(20);
    expect((await ask(past, maps)).body.metadata.resourceVersion).toBe('20');
    expect((await ask(past, '/api/v1/namespaces')).body.metadata.resourceVersion).toBe('20');
    await past.stop();
  });

  test('completes nothing that was in progress: names to accept, deletions with a definition', async () => {
    const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
    const names = { plural: 'boxes', kind: 'Box' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const made = await bench.create(definitions, {
      metadata: { name: 'boxes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    const boxes = '/apis/example.com/v1/namespaces/default/boxes';
    await bench.until(boxes, (answer) => answer.code !== 404);
    await bench.create(boxes, { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'full' } });
    const going = await bench.delete(`${definitions}/boxes.example.com`);
    for (const { metadata } of [made, going]) {
      const past = await bench.cluster.at(Number(metadata.resourceVersion));
      await settle();
      const { body } = await ask(past, definitions);
      expect(body.metadata.resourceVersion).toBe(metadata.resourceVersion);
      await past.stop();
    }
  });

  test('has the time of the revision', async () => {
    const before = bench.cluster.clock.now();
    const made = await bench.create(maps, { metadata: { name: 'timed' } });
    await bench.advance(60_000, 1000);
    const past = await bench.cluster.at(Number(made.metadata.resourceVersion));
    expect(Math.abs(past.now - before)).toBeLessThan(1000);
    await past.stop();
  });

  test('has the time of a revision of the nodes’ own data: many logs in one write', async () => {
    const on = await Bench.start({ nodes: 2 }, { backend: memoryBackend() });
    const command = ['sh', '-c', 'while true; do echo tick; sleep 5; done'];
    for (let i = 0; i < 60; i++)
      await on.create('/api/v1/namespaces/default/pods', {
        metadata: { name: `p${i}` },
        spec: { containers: [{ name: 'c', image: 'busybox', command }] },
      });
    await on.advance(120_000, 500);
    const { storage, clock } = on.cluster;
    const logs = new Map<number, number>();
    for (const { key, revision } of storage.changesSince(1))
      if (key.startsWith('/vitrine/nodes/logs/')) logs.set(revision, (logs.get(revision) ?? 0) + 1);
    const revision = [...logs].find(([, count]) => count > 50)?.[0] ?? 0;
    expect(revision).toBeGreaterThan(0);
    await on.advance(100_000, 5000);
    const past = await on.cluster.at(revision);
    expect(clock.now() - past.now).toBeGreaterThan(90_000);
    await past.stop();
    await on.stop();
  });

  test('answers scheduling questions about that time', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const asking = (name: string, cpu: string): Loose => ({
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }] },
    });
    await bench.create(pods, asking('first', '3'));
    const isRefused = (pod: Loose): boolean => pod.status.conditions?.some((c: Loose) => c.reason === 'Unschedulable');
    await bench.until(`${pods}/first`, (pod) => pod.status.phase === 'Running');
    await bench.create(pods, asking('second', '3'));
    await bench.until(`${pods}/second`, isRefused);
    const { revision } = bench.cluster.storage;
    await bench.delete(`${pods}/first`);
    await bench.until(`${pods}/second`, (pod) => pod.spec.nodeName !== undefined);

    const past = await bench.cluster.at(revision);
    const then = await past.scheduling.questions();
    const { lanes, nodes } = then.overview();
    expect(lanes.active.count).toBe(0);
    const why = '0/1 nodes are available: 1 Insufficient cpu.';
    expect(lanes.unschedulable.first).toMatchObject([{ pod: 'default/second', reason: why }]);
    expect(nodes[0]?.shares).toMatchObject([{ owner: 'Pod/first' }]);
    expect(await then.explain({ pod: 'default/second' })).toMatchObject({ winners: [], why, at: past.now });
    const now = await bench.cluster.scheduling.questions();
    expect((await now.explain({ pod: 'default/second' })).winners).toEqual(['node-1']);
    await past.stop();
    await bench.delete(`${pods}/second`);
    await bench.gone(`${pods}/second`);
  });

  test('is refused if history was compacted', async () => {
    await expect(bench.cluster.at(bench.cluster.storage.revision + 1000)).rejects.toThrow();
  });

  test('can be forked into a separate cluster', async () => {
    await bench.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    const ready = (d: Loose): boolean => d.status?.readyReplicas === 2;
    const web = await bench.until('/apis/apps/v1/namespaces/default/deployments/web', ready);
    const revision = bench.cluster.storage.revision;
    await bench.delete('/apis/apps/v1/namespaces/default/deployments/web');
    const past = await bench.cluster.at(revision);
    const backend = memoryBackend();
    await restoreStorage(backend, past.export());
    await past.stop();
    const fork = await createCluster({ name: 'fork', clock: 'manual', seed: 1 }, { backend });
    const answer = await fork.transportAs('admin')('/apis/apps/v1/namespaces/default/deployments/web');
    const kept = (await answer.json()) as Loose;
    expect([kept.metadata.uid, kept.metadata.resourceVersion]).toEqual([
      web.metadata.uid,
      web.metadata.resourceVersion,
    ]);
    await fork.stop();
  });
});
