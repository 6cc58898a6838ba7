/** Paths that are no resources: which methods they take, what stands below them, how they are listed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

let cluster: Cluster;
beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
afterAll(() => cluster.stop());

const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  cluster.fetch(
    new Request(`http://paths.test${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.admin}`, ...headers },
    }),
  );

/** The status, and of a Status its reason, of a list of paths `paths`. */
async function outcome(method: string, path: string, headers?: Record<string, string>): Promise<string> {
  const response = await ask(method, path, headers);
  const text = await response.text();
  const said = /^\{\s+"paths":/.test(text) ? 'paths' : (/"reason": ?"(\w+)"/.exec(text)?.[1] ?? '');
  return `${response.status} ${said}`.trim();
}

describe('the methods of a path', () => {
  it.each([
    ['/', ['GET', 'POST', 'PUT', 'DELETE'], '200 paths'],
    ['/index.html', ['GET'], '200 paths'],
    ['/healthz', ['GET', 'POST', 'PATCH', 'OPTIONS'], '200'],
    ['/livez/ping', ['GET', 'POST'], '200'],
    ['/apis', ['GET', 'POST', 'DELETE'], '200'],
    ['/apis/apps', ['GET', 'PUT'], '200'],
    ['/apis/apps/', ['GET', 'PUT'], '200'],
    ['/openapi/v2', ['GET', 'POST'], '200'],
    ['/metrics', ['GET', 'POST'], '200'],
    ['/version', ['POST', 'HEAD', 'DELETE'], '405 MethodNotAllowed'],
    ['/api', ['POST', 'PUT', 'DELETE'], '405 MethodNotAllowed'],
    ['/api/v1', ['POST', 'PATCH'], '405 MethodNotAllowed'],
    ['/apis/apps/v1', ['POST', 'DELETE'], '405 MethodNotAllowed'],
    ['/apis/apiregistration.cluster.io', ['POST', 'HEAD', 'OPTIONS'], '405 MethodNotAllowed'],
    ['/apis/apiregistration.cluster.io/', ['GET'], '200'],
    ['/apis/apps/v1/', ['POST'], '405 MethodNotAllowed'],
    ['/openid/v1/jwks', ['POST'], '405 MethodNotAllowed'],
    ['/nothing', ['GET', 'POST', 'DELETE'], '404 paths'],
  ])('%s takes %j: %s', async (path, methods, expected) => {
    for (const method of methods) {
      const answer = await outcome(method, path);
      expect([method, answer]).toEqual([method, method === 'HEAD' ? (expected.split(' ')[0] as string) : expected]);
    }
  });

  it.each([
    ['/healthz', 200],
    ['/apis', 200],
    ['/nothing', 404],
    ['/api/v1/namespaces', 405],
  ])('HEAD %s is answered without a body', async (path, status) => {
    const response = await ask('HEAD', path);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
    const { length } = new TextEncoder().encode(await (await ask('GET', path)).text());
    if (status !== 405) expect(response.headers.get('content-length')).toBe(String(length));
  });
});

describe('accepted media types', () => {
  it.each([
    ['/version', 'text/html', '406 NotAcceptable'],
    ['/version', 'text/html, */*', '200'],
    ['/openid/v1/jwks', 'application/json', '406 NotAcceptable'],
    ['/openid/v1/jwks', 'application/jwk-set+json', '200'],
    ['/api/v1', 'application/*', '406 NotAcceptable'],
    ['/apis', 'application/*', '200'],
    ['/apis/apps', 'application/*', '200'],
    ['/apis', 'text/html', '406 NotAcceptable'],
    ['/apis/apps/v1', 'application/json;as=Table;g=meta.cluster.io;v=v1', '406 NotAcceptable'],
    ['/apis/apps/v1', 'application/json;as=Table;g=meta.cluster.io;v=v1,application/json', '200'],
    ['/healthz', 'text/html', '200'],
  ])('%s as %s: %s', async (path, accept, expected) => expect(await outcome('GET', path, { accept })).toBe(expected));
});

describe('slashes', () => {
  it.each([
    ['/version/', '200'],
    ['/api/', '200'],
    ['/apis/', '200'],
    ['/apis/apps/v1/', '200'],
    ['/api/v1/namespaces/', '200'],
    ['/api/v1/namespaces/default/', '200'],
    ['/healthz/', '404 paths'],
    ['/healthz/ping/', '404 paths'],
    ['/healthz/nothing', '404 paths'],
    ['/livez/informer-sync', '404 paths'],
    ['/readyz/informer-sync', '200'],
    ['/metrics/', '404 paths'],
    ['/openapi/v2/', '404 paths'],
    ['/version/x', '404 NotFound'],
    ['/api/v1//namespaces', '404 NotFound'],
    ['/api/v1//namespaces/default', '404 NotFound'],
    ['/api/v1/namespaces/default//pods', '404 NotFound'],
    ['//api/v1/namespaces', '404 paths'],
    ['/api/v1/proxy/namespaces/default/pods/x', '404 NotFound'],
  ])('%s: %s', async (path, expected) => expect(await outcome('GET', path)).toBe(expected));
});

describe('health', () => {
  const text = async (path: string): Promise<string> => (await ask('GET', path)).text();

  it('reports each check, excluded ones, and unknown ones', async () => {
    const lines = (await text('/healthz?verbose&exclude=ping&exclude=b&exclude=a')).split('\n');
    expect(lines.slice(0, 3)).toEqual(['[+]ping excluded: ok', '[+]log ok', '[+]etcd ok']);
    expect(lines.slice(-3)).toEqual([
      'warn: some health checks cannot be excluded: no matches for "a","b"',
      'healthz check passed',
      '',
    ]);
  });

  it('has a path for each check, and lists it', async () => {
    const { paths } = (await (await ask('GET', '/')).json()) as { paths: string[] };
    for (const root of ['healthz', 'livez', 'readyz']) {
      const checks = [...(await text(`/${root}?verbose`)).matchAll(/^\[\+\](\S+) ok$/gm)].map((m) => m[1] as string);
      expect(checks.length).toBeGreaterThan(15);
      for (const check of checks) {
        expect(await text(`/${root}/${check}`)).toBe('ok');
        expect(paths).toContain(`/${root}/${check}`);
      }
    }
    expect(paths).toEqual([...paths].sort());
    expect(paths).toEqual(expect.arrayContaining(['/apis/', '/logs', '/metrics', '/openapi/v2', '/openid/v1/jwks']));
  });
});

describe('the document of the API', () => {
  it('has an ETag', async () => {
    const first = await ask('GET', '/openapi/v2');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(first.headers.get('vary')).toBe('Accept');
    const again = await ask('GET', '/openapi/v2', { 'if-none-match': tag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
    for (const known of ['*', `"x", ${tag}`, `W/${tag}`])
      expect((await ask('GET', '/openapi/v2', { 'if-none-match': known })).status).toBe(304);
    expect((await ask('GET', '/openapi/v2', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('has a different ETag for each encoding', async () => {
    const binary = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };
    const tags = [await ask('GET', '/openapi/v2'), await ask('GET', '/openapi/v2', binary)].map((response) =>
      response.headers.get('etag'),
    );
    expect(tags[0]).not.toBe(tags[1]);
  });

  it.each(['application/yaml', 'text/html', 'application/com.github.proto-openapi.spec.v3'])(
    'is not available as %s',
    async (accept) => {
      const response = await ask('GET', '/openapi/v2', { accept });
      expect([response.status, await response.text()]).toEqual([406, '']);
    },
  );
});

describe('discovery', () => {
  it('contains a hash of the storage version', async () => {
    const hashes = async (path: string): Promise<Record<string, string | undefined>> => {
      const { resources } = (await (await ask('GET', path)).json()) as {
        resources: { name: string; storageVersionHash?: string }[];
      };
      return Object.fromEntries(resources.map(({ name, storageVersionHash }) => [name, storageVersionHash]));
    };
    const core = await hashes('/api/v1');
    expect(core).toMatchObject({ pods: 'xPOwRZ+Yhw8=', configmaps: 'qFsyl6wFWjQ=', namespaces: 'Q3oi5N2YM8M=' });
    expect(core['pods/status']).toBeUndefined();
    expect(core['bindings']).toBeUndefined();
    expect(core['componentstatuses']).toBeUndefined();
    expect(await hashes('/apis/apps/v1')).toMatchObject({ deployments: '8aSe+NMegvE=' });
    expect((await hashes('/apis/batch/v1'))['jobs']).toBe('mudhfqk/qZY=');
    // Some kinds are stored in another version than the newest.
    expect((await hashes('/apis/autoscaling/v2beta2'))['horizontalpodautoscalers']).toBe('oQlkt7f5j/A=');
  });
});

describe('the list of a version’s resources', () => {
  it.each([
    ['/api/v1', undefined],
    ['/apis/extensions/v1beta1', undefined],
    ['/apis/apps/v1', 'v1'],
  ])('%s has the version %s itself', async (path, apiVersion) => {
    const list = (await (await ask('GET', path)).json()) as Record<string, unknown>;
    expect([list['kind'], list['apiVersion']]).toEqual(['APIResourceList', apiVersion]);
  });
});
