/** Many who change one object at once: each comes through, and what that costs grows with their number, not its square. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForTurn } from '../../src/apiserver/registry/retryQueue.ts';
import type { RetryQueue } from '../../src/apiserver/registry/registry.ts';
import { yieldToTasks, realClock } from '../../src/std/index.ts';
import { memoryBackend, openStorage, type Storage } from '../../src/storage/index.ts';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MANY = 300;

describe('a burst of patches of one object', () => {
  let client: TestClient;
  beforeAll(async () => (client = await openCluster()));
  afterAll(() => client.cluster.stop());

  it('succeeds completely, with about as many attempts as there are patches', async () => {
    await client.send('POST', CONFIG_MAPS, { metadata: { name: 'busy' } });
    let tries = 0;
    const end = client.cluster.trace.listen(
      (event) => (tries += Number(event.topic === 'request' && event.stage === 'validation')),
      ['request'],
    );
    const patches = Array.from({ length: MANY }, (_, i) => ({ data: { [`key-${i}`]: 'set' } }));
    const sent = await Promise.all(
      patches.map((patch) => client.send('PATCH', `${CONFIG_MAPS}/busy`, patch, { 'content-type': PATCHES.merge })),
    );
    end();
    expect(sent.filter(({ code }) => code !== 200)).toEqual([]);
    const { body } = await client.send('GET', `${CONFIG_MAPS}/busy`);
    expect(Object.keys(body['data'] ?? {})).toHaveLength(MANY);
    expect(tries).toBeLessThan(4 * MANY);
  });
});

describe('the retry queue of writes that lost a race', () => {
  let storage: Storage;
  beforeAll(async () => (storage = await openStorage({ backend: memoryBackend(), clock: realClock() })));
  afterAll(() => storage.close());

  it('continues in order of arrival', async () => {
    const line: RetryQueue = new Set();
    const order: string[] = [];
    const comers = ['first', 'second', 'third'].map((name) => ({ name }));
    await Promise.all(
      comers.map(async (comer) => {
        await waitForTurn(line, comer, storage);
        await yieldToTasks();
        order.push(comer.name);
        line.delete(comer);
      }),
    );
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('does not wait forever for a delayed write', async () => {
    const line: RetryQueue = new Set([{}]);
    const next = {};
    await waitForTurn(line, next, storage);
    expect(line.has(next)).toBe(true);
  });
});
