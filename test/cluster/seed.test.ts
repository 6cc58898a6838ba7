import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';

test('a reopened cluster with a seed repeats no uid', async () => {
  const disk = memoryDisk();
  const seen = new Set<string>();
  let objects = 0;
  for (let opening = 1; opening <= 3; opening++) {
    const cluster = await createCluster({ name: 'c', seed: 1, clock: 'manual' }, { backend: memoryBackend(disk) });
    const path = '/api/v1/namespaces/default/configmaps';
    const made = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const body = JSON.stringify({ metadata: { generateName: 'c-' } });
        const headers = { 'content-type': 'application/json' };
        return (await (
          await cluster.transportAs('admin')(path, { method: 'POST', headers, body })
        ).json()) as ApiObject;
      }),
    );
    for (const { metadata } of made) seen.add(metadata.uid ?? '');
    objects += made.length;
    await cluster.stop();
  }
  expect(seen.size).toBe(objects);
});
