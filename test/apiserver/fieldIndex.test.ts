/** Lists by one value of a field in a large collection: the index returns what a scan would. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createViews } from '../../src/apiserver/codec/views.ts';
import { FieldIndex, rangeByField } from '../../src/apiserver/registry/fieldIndex.ts';
import { namesOf } from '../../src/names/index.ts';
import { createScheme, kinds } from '../../src/schema/index.ts';
import { must, realClock } from '../../src/std/index.ts';
import { memoryBackend, openStorage, type Entry, type Op, type Storage } from '../../src/storage/index.ts';
import { concurrently } from '../bench/row.ts';
import { recordedOptions } from '../conformance/scenarios.ts';
import { openCluster, type TestClient } from './client.ts';

const valueOf = (entry: Entry): string => entry.value.slice(0, 1);

describe('an index', () => {
  const some = fc.record({ key: fc.integer({ min: 0, max: 30 }), value: fc.constantFrom('a', 'b', 'c', undefined) });
  const rounds = fc.array(fc.array(some, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
  const keyOf = (i: number): string => `/pods/${String(i).padStart(3, '0')}`;
  const write = async (storage: Storage, all: readonly { key: number; value: string | undefined }[]): Promise<void> => {
    for (const { key, value } of all) {
      const op: Op =
        value === undefined ? { type: 'delete', key: keyOf(key) } : { type: 'put', key: keyOf(key), value };
      await storage.commit([op]);
    }
  };

  it('returns the same entries as a scan of the storage, before and after writes', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.nat(6), fc.nat(30), async ([first = [], ...later], limit, from) => {
        const storage = await openStorage({ backend: memoryBackend(), clock: realClock() });
        await storage.commit([{ type: 'put', key: '/others/1', value: 'a' }]);
        await write(storage, first);
        const index = await FieldIndex.of({ storage, start: '/pods/', end: '/pods0', of: valueOf });
        for (const changes of [[], ...later]) {
          await write(storage, changes);
          for (const value of ['a', 'b', 'x']) {
            const range = { start: keyOf(from), end: '/pods0', limit };
            const plain = storage.range({ ...range, filter: (entry) => valueOf(entry) === value });
            expect(index.range(value, range)).toEqual(plain);
          }
        }
        await storage.close();
      }),
      { seed: 20260101, numRuns: 60 },
    );
  });

  it('contains what is written while it is being built', async () => {
    const storage = await openStorage({ backend: memoryBackend(), clock: realClock() });
    await storage.commit(
      Array.from({ length: 2500 }, (_, i): Op => ({ type: 'put', key: `/pods/${10_000 + i}`, value: 'a' })),
    );
    const making = FieldIndex.of({ storage, start: '/pods/', end: '/pods0', of: valueOf });
    const before = storage.commit([
      { type: 'put', key: '/pods/10000', value: 'b' },
      { type: 'delete', key: '/pods/12499' },
      { type: 'put', key: '/pods/12600', value: 'a' },
    ]);
    const index = await making;
    await before;
    expect(index.range('a', { start: '/pods/', end: '/pods0' }).entries).toHaveLength(2499);
    expect(index.range('b', { start: '/pods/', end: '/pods0' }).entries.map(({ key }) => key)).toEqual(['/pods/10000']);
    await storage.close();
  });
});

describe('the index of a field', () => {
  afterEach(() => void vi.useRealTimers());

  it('is built for the second list of a field, and dropped 30 seconds after the last one', async () => {
    const storage = await openStorage({ backend: memoryBackend(), clock: realClock() });
    const scheme = createScheme(namesOf('k8s.io'), kinds, { runtimeConfig: '', gate: () => true });
    const server = { storage, views: createViews(scheme) };
    const pods = must(scheme.byKind({ group: '', version: 'v1', kind: 'Pod' }), 'pods are served');
    const range = { start: '/registry/pods/', end: '/registry/pods0' };
    vi.useFakeTimers();
    const ask = async (fieldSelector: string): Promise<boolean> =>
      (await rangeByField(server, pods, fieldSelector, range)) !== undefined;
    const node = 'spec.nodeName=n1';
    expect([await ask(node), await ask(node), await ask('spec.nodeName=n2')]).toEqual([false, true, true]);
    expect([await ask('status.phase=Running'), await ask('metadata.name=p'), await ask('spec.nodeName!=n1')]).toEqual([
      false,
      false,
      false,
    ]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await ask(node)).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await ask(node)).toBe(true);
    await vi.advanceTimersByTimeAsync(31_000);
    expect([await ask(node), await ask(node)]).toEqual([false, true]);
    await storage.close();
  });
});

describe('pods of one node among many', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  let client: TestClient;
  beforeAll(async () => {
    const { apiserver = [] } = recordedOptions('cluster.io');
    client = await openCluster({ apiserver: [...apiserver, '--disable-admission-plugins=ServiceAccount'] });
    await concurrently(1010, 50, async (i) => {
      const spec = { nodeName: `n${i % 100}`, containers: [{ name: 'c', image: 'nginx' }] };
      const labels = { even: String(i % 200 < 100) };
      const { code, text } = await client.send('POST', PODS, { metadata: { name: `p${i}`, labels }, spec });
      if (code !== 201) throw new Error(text);
    });
  });
  afterAll(() => client.cluster.stop());

  const names = async (query: string): Promise<readonly string[]> => {
    const { body } = await client.send('GET', query);
    return (body['items'] as unknown as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  };
  const expected = (node: number): string[] =>
    Array.from({ length: 1010 }, (_, i) => i)
      .filter((i) => i % 100 === node)
      .map((i) => `p${i}`)
      .sort();

  it('are listed with and without an index, in every form of the request', async () => {
    for (const node of [3, 3, 7, 99]) {
      expect(await names(`${PODS}?fieldSelector=spec.nodeName=n${node}`)).toEqual(expected(node));
      expect(await names(`/api/v1/pods?fieldSelector=spec.nodeName=n${node}&resourceVersion=0`)).toEqual(
        expected(node),
      );
    }
    expect(await names('/api/v1/pods?fieldSelector=spec.nodeName=none')).toEqual([]);
    expect(await names('/api/v1/namespaces/kube-system/pods?fieldSelector=spec.nodeName=n3')).toEqual([]);
    expect(await names(`${PODS}?fieldSelector=spec.nodeName=n3&labelSelector=even=false`)).toEqual(
      expected(3).filter((name) => Number(name.slice(1)) % 200 >= 100),
    );
  });

  it('are listed in pages', async () => {
    const found: string[] = [];
    let next = '';
    do {
      const { body } = await client.send('GET', `${PODS}?fieldSelector=spec.nodeName=n5&limit=4${next}`);
      const { items, metadata } = body as unknown as {
        items: { metadata: { name: string } }[];
        metadata: { continue?: string };
      };
      found.push(...items.map((item) => item.metadata.name));
      next = metadata.continue ? `&continue=${metadata.continue}` : '';
    } while (next);
    expect(found).toEqual(expected(5));
  });

  it('are current after changes, and those of the past at an exact revision', async () => {
    const { body } = await client.send('GET', `${PODS}?fieldSelector=spec.nodeName=n8`);
    const revision = String((body['metadata'] as unknown as { resourceVersion: string }).resourceVersion);
    await client.send('DELETE', `${PODS}/p8?gracePeriodSeconds=0`);
    await client.send('POST', PODS, {
      metadata: { name: 'new' },
      spec: { nodeName: 'n8', containers: [{ name: 'c', image: 'nginx' }] },
    });
    expect(await names(`${PODS}?fieldSelector=spec.nodeName=n8`)).toEqual([
      'new',
      ...expected(8).filter((name) => name !== 'p8'),
    ]);
    const exact = `resourceVersion=${revision}&resourceVersionMatch=Exact`;
    expect(await names(`${PODS}?fieldSelector=spec.nodeName=n8&${exact}`)).toEqual(expected(8));
  });

  it('are found without scanning all pods', async () => {
    await names(`${PODS}?fieldSelector=spec.nodeName=n1`);
    const looks = vi.spyOn(client.cluster.storage, 'range');
    expect(await names(`${PODS}?fieldSelector=spec.nodeName=n2`)).toEqual(expected(2));
    expect(looks).not.toHaveBeenCalled();
    looks.mockRestore();
  });
});
