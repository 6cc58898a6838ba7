/** Fields that are dropped while their gate is off, unless the object has them already. */
import { expect, test } from 'vitest';
import { createCluster } from '../../../src/cluster/index.ts';

type Made = Record<string, unknown>;

test.each<[gate: string, path: string, body: object, field: string]>([
  ['ImmutableEphemeralVolumes', '/api/v1/namespaces/default/configmaps', { immutable: true }, 'immutable'],
  ['ImmutableEphemeralVolumes', '/api/v1/namespaces/default/secrets', { immutable: true }, 'immutable'],
  [
    'ExpandPersistentVolumes',
    '/apis/storage.k8s.io/v1/storageclasses',
    { provisioner: 'p', allowVolumeExpansion: true },
    'allowVolumeExpansion',
  ],
])('%s: a POST to %s', async (gate, path, body, field) => {
  const values: unknown[] = [];
  for (const on of [true, false]) {
    const cluster = await createCluster({
      ...{ name: 'gated', naming: 'k8s.io', clock: 'manual', storage: 'memory' },
      apiserver: ['--token-auth-file=tokens.csv', `--feature-gates=${gate}=${on}`],
      files: { 'tokens.csv': 'root,admin,1,system:masters' },
      controllerManager: ['--controllers=-*'],
    });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer root' };
    const request = { method: 'POST', headers, body: JSON.stringify({ metadata: { name: 'x' }, ...body }) };
    const answer = await cluster.fetch(new Request(`http://cluster.local${path}?dryRun=All`, request));
    expect(answer.status).toBe(201);
    values.push(((await answer.json()) as Made)[field]);
    await cluster.stop();
  }
  expect(values).toEqual([true, undefined]);
});
