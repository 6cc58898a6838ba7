import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';

test('storage with the names of another profile is refused before anything is written', async () => {
  const disk = memoryDisk();
  const open = (naming: 'k8s.io' | 'cluster.io') =>
    createCluster({ name: 'c', seed: 1, naming }, { backend: memoryBackend(disk) });
  const first = await open('k8s.io');
  await first.stop();
  const { revision } = first.storage;
  await expect(open('cluster.io')).rejects.toThrow(
    /^naming: the storage holds a cluster with the names of k8s\.io, not of cluster\.io; start it with naming k8s\.io/,
  );
  const again = await open('k8s.io');
  expect(again.storage.get('/registry/namespaces/cluster-system')).toBeUndefined();
  expect(again.storage.revision).toBeGreaterThanOrEqual(revision);
  await again.stop();
});
