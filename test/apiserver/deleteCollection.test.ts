import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Client, configMaps } from '../../src/client/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { memoryBackend, type Backend } from '../../src/storage/index.ts';
import { bench } from '../webhooks/support.ts';
import { asRoot, smallCluster } from './flowCluster.ts';

const path = '/api/v1/namespaces/default/configmaps';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await smallCluster('--delete-collection-workers=5');
});
afterAll(() => cluster.stop());

test('several workers delete each object once, and the response lists them all', async () => {
  const names = Array.from({ length: 23 }, (_, i) => `c${String(i).padStart(2, '0')}`);
  for (const name of names) await asRoot(cluster, 'POST', path, { metadata: { name, labels: { of: 'test' } } });
  const deleted: string[] = [];
  cluster.trace.listen(
    (event) => {
      if (event.topic === 'request' && event.stage === 'stored' && event.verb === 'delete') deleted.push(event.key);
    },
    ['request'],
  );
  const answer = (await asRoot(cluster, 'DELETE', `${path}?labelSelector=of%3Dtest`)) as {
    items: { metadata: { name: string } }[];
  };
  expect(answer.items.map(({ metadata }) => metadata.name)).toEqual(names);
  const left = (await asRoot(cluster, 'GET', `${path}?labelSelector=of%3Dtest`)) as { items: unknown[] };
  expect(left.items).toEqual([]);
  expect(new Set(deleted).size).toBe(deleted.length);
});

test('a component that deletes a collection does not read the deleted objects', async () => {
  await asRoot(cluster, 'POST', path, { metadata: { name: 'unread', labels: { of: 'unread' } } });
  const transport = cluster.transportAs('system:apiserver');
  const answers: Response[] = [];
  const client = new Client({
    names: cluster.names,
    transport: async (...request) => {
      const answer = await transport(...request);
      answers.push(answer);
      return answer;
    },
  });
  await client.of(configMaps).deleteCollection({ namespace: 'default', labelSelector: 'of=unread' });
  const [answer] = answers;
  expect([answers.length, answer?.status, answer?.bodyUsed]).toEqual([1, 200, false]);
  expect(await answer?.json()).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'unread' } }] });
});

describe('one worker', () => {
  const COUNT = 200;
  const names = Array.from({ length: COUNT }, (_, i) => `c${String(i).padStart(3, '0')}`);

  test('deletes in the order of the list, and lets storage write many deletes at once', async () => {
    const backend = memoryBackend();
    const slow: Backend = {
      ...backend,
      write: async (batch) => {
        await new Promise<void>((resolve) => setImmediate(resolve));
        await backend.write(batch);
      },
    };
    const kept = await createCluster(
      { name: 'kept', naming: 'k8s.io', clock: 'manual', seed: 'kept' },
      { backend: slow },
    );
    onTestFinished(() => kept.stop());
    const as = kept.transportAs('system:apiserver');
    const headers = { 'content-type': 'application/json' };
    for (const name of names) await as(path, { method: 'POST', headers, body: JSON.stringify({ metadata: { name } }) });
    const deleted: string[] = [];
    kept.trace.listen(
      (event) => {
        if (event.topic === 'request' && event.stage === 'stored' && event.verb === 'deletecollection')
          deleted.push(event.key.slice(event.key.lastIndexOf('/') + 1));
      },
      ['request'],
    );
    const { groups } = kept.storage.stats();
    expect((await as(path, { method: 'DELETE' })).status).toBe(200);
    expect(deleted).toEqual(names);
    expect(kept.storage.stats().groups - groups).toBeLessThan(COUNT / 10);
  });

  test('keeps everything behind the first refusal', async () => {
    const { cluster: refusing, send, write, caBundle } = await bench();
    onTestFinished(() => refusing.stop());
    await write('refuse', ({ request }) => ({
      response: { uid: request.uid, allowed: request.oldObject['metadata']?.['name'] !== ('c002' as unknown) },
    }));
    await send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'refuse' },
      webhooks: [
        {
          name: 'refuse.example.com',
          clientConfig: { service: { namespace: 'default', name: 'refuse' }, caBundle },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        },
      ],
    });
    const labels = { of: 'test' };
    for (const name of names.slice(0, 6)) await send('POST', path, { metadata: { name, labels } });
    const selected = `${path}?labelSelector=of%3Dtest`;
    expect((await send('DELETE', selected)).status).toBe(400);
    const { body } = await send('GET', selected);
    expect(Array.from(body['items'] ?? [], (item) => item)).toHaveLength(4);
  });
});
