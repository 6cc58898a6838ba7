/** Large answers are compressed for those who ask, and only then. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { createCluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

describe('an answer', () => {
  let cluster: Cluster;
  const path = '/api/v1/namespaces/default/configmaps';
  const send = (accepts: string, method = 'GET', body: string | null = null): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${tokens.admin}`,
      'accept-encoding': accepts,
      'content-type': 'application/json',
    };
    return cluster.fetch(new Request(`http://x.test${path}`, { method, headers, body }));
  };

  beforeAll(async () => {
    cluster = await createCluster(recordedOptions('cluster.io'));
    await send('', 'POST', JSON.stringify({ metadata: { name: 'big' }, data: { a: 'x'.repeat(200_000) } }));
  });
  afterAll(() => cluster.stop());

  it.each(['gzip', 'deflate, gzip', 'br,gzip , x'])('is compressed with Accept-Encoding: %s', async (accepts) => {
    const response = await send(accepts);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const plain = (await response.blob()).stream().pipeThrough(new DecompressionStream('gzip'));
    const list = (await new Response(plain).json()) as { items: { metadata: { name: string } }[] };
    expect(list.items.map(({ metadata }) => metadata.name)).toContain('big');
  });

  it.each(['', 'identity', 'gzip;q=1'])('is plain with Accept-Encoding: %j', async (accepts) => {
    const response = await send(accepts);
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(await response.json()).toMatchObject({ kind: 'ConfigMapList' });
  });
});
