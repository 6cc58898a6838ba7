/** Links to themselves, for clusters whose gate keeps them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bench, type Bench, type Loose } from '../webhooks/support.ts';

let b: Bench;
beforeAll(async () => (b = await bench({ apiserver: ['--feature-gates=RemoveSelfLink=false'] })));
afterAll(() => b.cluster.stop());

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const meta = (answer: { body: Loose }): Loose => answer.body['metadata'] as Loose;

describe('with links to themselves', () => {
  it('objects and lists have self links', async () => {
    const made = await b.send('POST', CONFIG_MAPS, { metadata: { name: 'a', selfLink: '/made/up' } });
    expect(meta(made)['selfLink']).toBe(`${CONFIG_MAPS}/a`);
    expect(meta(await b.send('GET', `${CONFIG_MAPS}/a`))['selfLink']).toBe(`${CONFIG_MAPS}/a`);
    expect(meta(await b.send('GET', '/api/v1/namespaces/default/status'))['selfLink']).toBe(
      '/api/v1/namespaces/default/status',
    );
    const list = await b.send('GET', '/api/v1/configmaps?fieldSelector=metadata.name%3Da');
    expect([meta(list)['selfLink'], list.body['items']]).toEqual([
      '/api/v1/configmaps',
      [expect.objectContaining({ metadata: expect.objectContaining({ selfLink: `${CONFIG_MAPS}/a` }) as object })],
    ]);
    const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/view';
    expect(meta(await b.send('GET', role))['selfLink']).toBe(role);
  });

  it('watch events have self links', async () => {
    const response = await b.as(`${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Da`, { method: 'GET' });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    expect(new TextDecoder().decode(value)).toContain(`"selfLink":"${CONFIG_MAPS}/a"`);
  });

  it('self links are not stored: without the gate there are none', async () => {
    const without = await bench();
    await without.send('POST', CONFIG_MAPS, { metadata: { name: 'a', selfLink: '/made/up' } });
    expect(meta(await without.send('GET', `${CONFIG_MAPS}/a`))['selfLink']).toBeUndefined();
    await without.cluster.stop();
  });
});

describe('access to a node', () => {
  it.each([
    ['none', 404, 'NotFound'],
    ['none:10250', 404, 'NotFound'],
    ['a:b:c:d', 400, 'BadRequest'],
    ['bare', 500, undefined],
  ])('%s: %i', async (name, status, reason) => {
    await b.send('POST', '/api/v1/nodes', { metadata: { name: 'bare' } });
    for (const path of ['', '/metrics']) {
      const answer = await b.send('GET', `/api/v1/nodes/${name}/proxy${path}`);
      expect([answer.status, answer.body['reason']]).toEqual([status, reason]);
    }
  });
});
