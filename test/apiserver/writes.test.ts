/** Writes in the corners: what is told when several things are wrong at once, and what each step leaves behind. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';
import { bench } from '../webhooks/support.ts';

let cluster: Cluster;
beforeAll(async () => (cluster = await createCluster(recordedOptions('cluster.io'))));
afterAll(() => cluster.stop());

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';

interface Told {
  readonly status: number;
  readonly reason: unknown;
  readonly details: unknown;
  readonly message: string;
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly metadata: { readonly resourceVersion?: string };
    readonly message?: string;
  } & Partial<Told>;
}

async function send(method: string, path: string, body?: object, type?: string): Promise<Sent> {
  const json = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const accept = type === 'text/html' ? type : '*/*';
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': type ?? json, accept };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await cluster.fetch(new Request(`http://writes.test${path}`, init));
  const text = await response.text();
  const value = text.startsWith('{') && !text.includes('\n{') ? (JSON.parse(text) as Sent['body']) : { metadata: {} };
  return { status: response.status, text, body: value };
}

async function told(method: string, path: string, body?: object, type?: string): Promise<Told> {
  const { status, body: answer } = await send(method, path, body, type);
  return { status, reason: answer.reason, details: answer.details, message: answer.message ?? '' };
}

describe('an update', () => {
  it('without a revision succeeds despite concurrent writers, each unchanged', async () => {
    const name = 'all-at-once';
    await send('POST', CONFIG_MAPS, { metadata: { name } });
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
    const bodies = Array.from({ length: 8 }, (_, i) => ({
      metadata: { name, labels: { n: String(i) }, ownerReferences: [owner] },
      data: { text: String(i) },
    }));
    const sent = await Promise.all(bodies.map((body) => send('PUT', `${CONFIG_MAPS}/${name}`, body)));
    expect(sent.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    expect(sent.map(({ body }) => body)).toEqual(
      bodies.map(({ metadata, data }) =>
        expect.objectContaining({ metadata: expect.objectContaining(metadata), data }),
      ),
    );
    expect(new Set(sent.map(({ body }) => body.metadata.resourceVersion)).size).toBe(bodies.length);
  });

  it.each([
    ['a kind that no update creates', CONFIG_MAPS, { kind: 'configmaps' }],
    ['a kind that an update creates', LEASES, { kind: 'leases', group: 'coordination.cluster.io' }],
  ])('of a deleted object with its uid is a conflict: %s', async (_what, path, kind) => {
    for (const query of ['', '?dryRun=All'])
      expect(await told('PUT', `${path}/gone${query}`, { metadata: { name: 'gone', uid: 'u' } })).toMatchObject({
        status: 409,
        reason: 'Conflict',
        details: { name: 'gone', ...kind },
      });
  });

  it('has to have the name', async () => {
    for (const metadata of [{}, { generateName: 'x' }])
      expect(await told('PUT', `${LEASES}/named`, { metadata })).toMatchObject({
        status: 400,
        message: 'the name of the object (named based on URL) was undeterminable: name must be provided',
      });
  });
});

describe('a name', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('that is invalid in a path is refused: %s', async (method) => {
    const body = method === 'PUT' ? { metadata: { name: 'a%b' } } : method === 'PATCH' ? {} : undefined;
    expect(await told(method, `${CONFIG_MAPS}/a%25b`, body)).toMatchObject({ status: 400, reason: 'BadRequest' });
  });
});

describe('a create', () => {
  it('with a revision succeeds as a dry run and is refused otherwise', async () => {
    const object = { metadata: { name: 'versioned', resourceVersion: '5' } };
    const tried = await send('POST', `${CONFIG_MAPS}?dryRun=All`, object);
    expect([tried.status, tried.body.metadata]).toMatchObject([201, { resourceVersion: '5' }]);
    expect(await told('POST', CONFIG_MAPS, object)).toMatchObject({ status: 500, reason: undefined });
  });

  it('with an existing name says what to do', async () => {
    await send('POST', CONFIG_MAPS, { metadata: { name: 'taken', finalizers: ['example.com/wait'] } });
    expect(await told('POST', CONFIG_MAPS, { metadata: { name: 'taken', generateName: 't' } })).toMatchObject({
      status: 500,
      reason: 'ServerTimeout',
      details: { name: 'POST', kind: 'ConfigMap' },
    });
    await send('DELETE', `${CONFIG_MAPS}/taken`);
    expect(await told('POST', CONFIG_MAPS, { metadata: { name: 'taken' } })).toMatchObject({
      reason: 'AlreadyExists',
      message: 'object is being deleted: configmaps "taken" already exists',
    });
    await send('PATCH', `${CONFIG_MAPS}/taken`, { metadata: { finalizers: null } });
  });
});

describe('a deletion', () => {
  it('that removes a finalizer shows that to watchers', async () => {
    const made = await send('POST', CONFIG_MAPS, { metadata: { name: 'orphaner', finalizers: ['orphan'] } });
    const { resourceVersion = '' } = made.body.metadata as { resourceVersion?: string };
    await send('DELETE', `${CONFIG_MAPS}/orphaner?propagationPolicy=Background`);
    const watch = await send(
      'GET',
      `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dorphaner&resourceVersion=${resourceVersion}`,
    );
    expect(watch.text.match(/"type":"\w+"/g)).toEqual(['"type":"MODIFIED"', '"type":"DELETED"']);
  });
});

describe('the deletion of a service', () => {
  const core = '/api/v1/namespaces/default';
  it('deletes its endpoints at once, and returns a Status even if a finalizer holds it', async () => {
    const metadata = { name: 'held', finalizers: ['example.com/wait'] };
    await send('POST', `${core}/services`, { metadata, spec: { ports: [{ port: 80 }] } });
    await send('POST', `${core}/endpoints`, { metadata: { name: 'held' }, subsets: [] });
    const tried = await send('DELETE', `${core}/services/held?dryRun=All&orphanDependents=false`);
    expect(tried.body).toMatchObject({ kind: 'Status', details: { name: 'held', kind: 'services' } });
    expect((await send('GET', `${core}/endpoints/held`)).status).toBe(200);
    const answer = await send('DELETE', `${core}/services/held?orphanDependents=false`);
    expect([answer.status, answer.body]).toMatchObject([200, { kind: 'Status', status: 'Success' }]);
    expect((await send('GET', `${core}/endpoints/held`)).status).toBe(404);
    expect((await send('GET', `${core}/services/held`)).status).toBe(200);
    await send('PATCH', `${core}/services/held`, { metadata: { finalizers: null } });
    expect((await send('GET', `${core}/services/held`)).status).toBe(404);
  });
});

describe('the order of errors', () => {
  it.each<[string, string, string, string, number]>([
    ['a form of the body, then options', 'POST', CONFIG_MAPS, 'text/plain', 415],
    ['options, then a form of the body', 'PUT', `${CONFIG_MAPS}/any`, 'text/plain', 422],
    ['a form of the patch, then options', 'PATCH', `${CONFIG_MAPS}/any`, 'text/plain', 415],
    ['a form of the patch, then what is accepted', 'PATCH', `${CONFIG_MAPS}/any`, 'text/html', 415],
    ['a form of the options, then what they say', 'DELETE', `${CONFIG_MAPS}/any`, 'text/plain', 415],
  ])('%s: %s', async (_what, method, path, type, status) => {
    expect((await told(method, `${path}?dryRun=some`, { metadata: { name: 'any' } }, type)).status).toBe(status);
  });
});

describe('webhooks', () => {
  it('get no name when a collection is deleted, and are not called again for objects that are being deleted', async () => {
    const b = await bench();
    await b.write('hook', ({ request }) => ({ response: { uid: request.uid, allowed: true } }));
    await b.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'hook' },
      webhooks: [
        {
          name: 'hook.example.com',
          clientConfig: { service: { namespace: 'default', name: 'hook' }, caBundle: b.caBundle },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets', 'pods'] }],
        },
      ],
    });
    const core = '/api/v1/namespaces/default';
    await b.send('POST', `${core}/secrets`, { metadata: { name: 'one', labels: { of: 'test' } } });
    await b.send('DELETE', `${core}/secrets?labelSelector=of%3Dtest`);
    await b.send('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } });
    const spec = { nodeName: 'none', containers: [{ name: 'c', image: 'busybox' }] };
    // The token of the service account takes a moment.
    await vi.waitUntil(
      async () => (await b.send('POST', `${core}/pods`, { metadata: { name: 'pod' }, spec })).status === 201,
      20_000,
    );
    await b.send('DELETE', `${core}/pods/pod?gracePeriodSeconds=30`);
    await b.send('DELETE', `${core}/pods/pod?gracePeriodSeconds=30`);
    expect(b.handlers.asked.map(({ review: { request } }) => [request['resource'], request['name']])).toEqual([
      [expect.objectContaining({ resource: 'secrets' }), undefined],
      [expect.objectContaining({ resource: 'pods' }), 'pod'],
    ]);
    await b.cluster.stop();
  });
});
