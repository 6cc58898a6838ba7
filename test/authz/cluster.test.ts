/** Authorization through a whole cluster's requests, where more than one room has its say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await createCluster({
    name: 'authorization',
    naming: 'k8s.io',
    clock: 'manual',
    seed: 'authorization',
    storage: 'memory',
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    files: { 'tokens.csv': 'admintoken,admin,1,"system:masters"\nalicetoken,alice,2,"dev"' },
  });
}, 60_000);

afterAll(() => cluster.stop());

interface Asked {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

async function ask(method: string, path: string, { as = 'admin', headers = {}, body }: Asked = {}): Promise<Response> {
  const request = new Request(`http://cluster.test${path}`, {
    method,
    headers: { authorization: `Bearer ${as}token`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return cluster.fetch(request);
}

describe('impersonation without a user', () => {
  it.each([
    ['/api/v1/pods?limit=5&watch=0', { 'Impersonate-Group': 'dev' }, '{Group  dev    }'],
    ['/healthz', { 'Impersonate-Extra-Scopes': '<all>' }, '{UserExtra  &lt;all&gt;  authentication.k8s.io/v1  scopes}'],
  ])('is answered with a line of text: %s %s', async (path, headers, shown) => {
    const response = await ask('GET', path, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/plain; charset=utf-8']);
    const uri = path.replaceAll('&', '&amp;');
    expect(await response.text()).toBe(
      `Internal Server Error: "${uri}": requested [${shown}] without impersonating a user\n`,
    );
  });
});

describe('the rules of a user in a namespace', () => {
  it.each(['v1', 'v1beta1'])('is told without what was asked (%s)', async (version) => {
    const response = await ask('POST', `/apis/authorization.k8s.io/${version}/selfsubjectrulesreviews`, {
      as: 'alice',
      body: { metadata: { name: 'mine', labels: { a: 'b' } }, spec: { namespace: 'default' } },
    });
    expect(response.status).toBe(201);
    const { metadata, spec, status } = (await response.json()) as Record<string, Record<string, unknown>>;
    expect({ metadata, spec }).toEqual({ metadata: { creationTimestamp: null }, spec: {} });
    expect(status).toMatchObject({
      incomplete: false,
      resourceRules: [
        { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'] },
      ],
    });
  });
});

describe('a review', () => {
  const spec = { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } };

  it.each<[string, object, number]>([
    ['none', {}, 201],
    ['empty ones', { name: '', labels: {}, finalizers: [], creationTimestamp: null }, 201],
    ['who wrote what', { managedFields: [{ manager: 'm', operation: 'Update' }] }, 201],
    ['a name', { name: 'n' }, 422],
    ['a revision', { resourceVersion: '5' }, 422],
    ['a time', { creationTimestamp: '2020-01-01T00:00:00Z' }, 422],
    ['labels', { labels: { a: 'b' } }, 422],
    ['a namespace', { namespace: 'default' }, 422],
  ])('with metadata of its own, %s', async (_what, metadata, code) => {
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const response = await ask('POST', path, { body: { metadata, spec } });
    expect(response.status).toBe(code);
    if (code === 422) expect(await response.json()).toMatchObject({ details: { causes: [{ field: 'metadata' }] } });
  });
});

describe('the old paths for watching', () => {
  it.each([
    ['alice', '/api/v1/watch/namespaces/default/pods/p/status', 403, 'pods/status'],
    ['admin', '/api/v1/watch/namespaces/default/pods/p/status', 404, 'the server could not find'],
    ['alice', '/api/v1/watch/namespaces/default/pods?fieldSelector=metadata.name%3Dp', 403, 'pods is forbidden'],
    ['alice', '/api/v1/namespaces/default/pods?watch=1&fieldSelector=metadata.name%3Dp', 403, 'pods "p" is forbidden'],
  ])('%s %s → %d', async (as, path, code, message) => {
    const response = await ask('GET', path, { as });
    expect(response.status).toBe(code);
    expect(((await response.json()) as { message: string }).message).toContain(message);
  });
});
