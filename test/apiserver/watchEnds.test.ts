/** What is left of a watch once it has ended. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';

const WATCH = '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&labelSelector=none=such';

test('consecutive watches leave no listeners on a shared signal', async () => {
  const cluster = await createCluster({ name: 'watches', clock: 'manual' });
  const { signal } = new AbortController();
  for (let i = 0; i < 3; i++) {
    const response = await cluster.transportAs('admin')(WATCH, { signal });
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
    await cluster.clock.step(1000);
    expect(await response.text()).toBe('');
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await cluster.stop();
});

test('a watch opened after the cluster has stopped ends at once', async () => {
  const cluster = await createCluster({ name: 'stopped', clock: 'manual' });
  await cluster.stop();
  const response = await cluster.transportAs('admin')(WATCH);
  expect(await response.text()).toBe('');
});
