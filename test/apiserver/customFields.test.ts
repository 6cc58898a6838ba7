/** Which fields of custom objects stay, and what definitions and scales answer at the edges of their schemas. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const FOOS = '/apis/example.com/v1/namespaces/default/foos';
const keep = { 'x-cluster-preserve-unknown-fields': true };
const known = { type: 'object', properties: { k: { type: 'object', properties: { z: { type: 'string' } } } } };
const replicas = { type: 'integer', minimum: 0, multipleOf: 2 };
let client: TestClient;

const definition = (plural: string, properties: object, kind = plural === 'foos' ? 'Foo' : 'Bar'): object => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', properties } },
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      },
    ],
  },
});

beforeAll(async () => {
  client = await openCluster();
  const properties = {
    any: keep,
    list: { type: 'array', items: known, ...keep },
    open: { type: 'object', additionalProperties: true, ...keep },
    items: { type: 'object', additionalProperties: known, ...keep },
    spec: { type: 'object', properties: { replicas } },
  };
  await client.send('POST', DEFINITIONS, definition('foos', properties));
  while ((await client.send('GET', FOOS)).code === 404) await new Promise((resolve) => setImmediate(resolve));
});
afterAll(() => client.cluster.stop());

const foo = (name: string, fields: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name },
  ...fields,
});

test.each<[what: string, sent: object, stored: object]>([
  ['objects in lists of a field that keeps all', { any: [1, { a: null, b: [{ c: 1 }] }] }, {}],
  ['a list that keeps all: unknown fields of its items', { list: [{ o: 1, k: { z: 'a' } }] }, {}],
  ['a known field of an item', { list: [{ k: { z: 'a', w: 1 } }] }, { list: [{ k: { z: 'a' } }] }],
  ['fields beside those that may have any name', { open: { x: { y: 1 } } }, { open: { x: {} } }],
  ['fields of a known structure under any name', { items: { x: { k: {}, q: 1 } } }, { items: { x: { k: {} } } }],
])('%s', async (_, sent, stored) => {
  const { body } = await client.send('POST', `${FOOS}?dryRun=All`, foo('x', sent));
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = body;
  expect(content).toEqual({ ...sent, ...stored });
});

test('a scale that the schema refuses has the errors of both', async () => {
  await client.send('POST', FOOS, foo('scaled', { spec: { replicas: 2 } }));
  const type = { 'content-type': PATCHES.merge };
  const { code, body } = await client.send('PATCH', `${FOOS}/scaled/scale`, { spec: { replicas: -1 } }, type);
  const causes = (body['details']?.['causes'] ?? []) as { field: string }[];
  expect([code, causes.map(({ field }) => field)]).toEqual([422, ['spec.replicas', 'spec.replicas', '.spec.replicas']]);
});

test.each([
  ['a scale', 200, 'scale'],
  ['a subresource that does not exist', 404, 'status'],
])('%s of a deprecated version has a warning', async (_, expected, subresource) => {
  await client.send('POST', FOOS, foo('aging', { spec: { replicas: 2 } }));
  const change = [{ op: 'add', path: '/spec/versions/0/deprecated', value: true }];
  await client.send('PATCH', `${DEFINITIONS}/foos.example.com`, change, { 'content-type': PATCHES.json });
  await expect.poll(async () => (await client.send('GET', `${FOOS}/aging`)).warning).toContain('deprecated');
  const { code, warning } = await client.send('GET', `${FOOS}/aging/${subresource}`);
  expect([code, warning]).toEqual([expected, expect.stringContaining('deprecated')]);
});

describe('an apply', () => {
  const NUMBERS = FOOS.replace('foos', 'quxes');
  const apply = (path: string, object: object, manager = 'm') =>
    client.send('PATCH', `${path}?fieldManager=${manager}`, object, { 'content-type': PATCHES.apply });
  const causes = ({ code, body }: Awaited<ReturnType<typeof apply>>) => [
    code,
    ((body['details']?.['causes'] ?? []) as { field: string }[]).map(({ field }) => field),
  ];
  const qux = (spec: object, metadata: object = {}): object => ({
    apiVersion: 'example.com/v1',
    kind: 'Qux',
    metadata: { name: 'a', ...metadata },
    spec,
  });

  beforeAll(async () => {
    // The reference has no types for a kind with a value that may be a number or a text.
    const spec = { n: { 'x-cluster-int-or-string': true }, s: { type: 'string' }, d: { type: 'integer', default: 1 } };
    const embedded = { type: 'object', 'x-cluster-embedded-resource': true, ...keep };
    await client.send('POST', DEFINITIONS, {
      ...definition('quxes', { spec: { type: 'object', properties: spec }, embedded }, 'Qux'),
    });
    while ((await client.send('GET', NUMBERS)).code === 404) await new Promise((resolve) => setImmediate(resolve));
  });

  test('of another kind fails where types are known, and is an invalid object elsewhere', async () => {
    expect((await apply(`${FOOS}/applied`, { ...foo('applied', {}), kind: 'Other' })).code).toBe(500);
    const other = await apply(`${NUMBERS}/a`, { ...qux({}), kind: 'Other' });
    expect([causes(other), other.body['details']?.['kind']]).toEqual([[422, ['kind']], 'Other']);
  });

  test('without a kind is accepted where no types are known', async () => {
    const { kind: _kind, ...bare } = qux({}) as { kind: string };
    const { code, body } = await apply(`${NUMBERS}/a`, bare);
    expect([code, body['kind']]).toEqual([201, 'Qux']);
    expect((await apply(`${NUMBERS}/a`, { ...bare, kind: '' })).body['reason']).toBe('InternalError');
    expect((await apply(`${FOOS}/a`, { ...foo('a', {}), kind: undefined })).code).toBe(500);
  });

  test('of an unknown field counts as a change each time, and does not store the field', async () => {
    const sent = qux({ s: 'x', unknown: 1 }, { name: 'b' });
    await apply(`${NUMBERS}/b`, sent);
    await apply(`${NUMBERS}/b`, sent);
    const { body } = await apply(`${NUMBERS}/b`, sent);
    expect([body['metadata']?.['generation'], body['spec']]).toEqual([3, { s: 'x', d: 1 }]);
    const { body: read } = await client.send('GET', `${NUMBERS}/b`);
    expect(read['spec']).toEqual({ s: 'x', d: 1 });
  });

  test('of null is invalid, except where a default replaces it', async () => {
    expect(causes(await apply(`${NUMBERS}/c`, qux({ s: null, d: null }, { name: 'c' })))).toEqual([422, ['spec.s']]);
  });

  test('that takes away the last item of a map leaves null, which is invalid', async () => {
    await apply(`${FOOS}/emptied`, foo('emptied', { any: 1, items: { x: { k: { z: 'a' } } } }));
    expect(causes(await apply(`${FOOS}/emptied`, foo('emptied', { any: 1 })))).toEqual([422, ['items']]);
  });

  test('of metadata of the wrong type drops it, and in an embedded object it is invalid', async () => {
    const labelled = await apply(`${NUMBERS}/d`, qux({}, { name: 'd', labels: { a: 5 } }));
    expect([labelled.code, labelled.body['metadata']?.['labels']]).toEqual([201, undefined]);
    const embedded = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: 5 } } };
    const wrong = await apply(`${NUMBERS}/e`, { ...qux({}, { name: 'e' }), embedded });
    expect(causes(wrong)).toEqual([422, ['embedded.metadata']]);
  });
});

test('the default of a number or text may have another type', async () => {
  const properties = {
    spec: { type: 'object', properties: { f: { 'x-cluster-int-or-string': true, default: true } } },
  };
  const { code } = await client.send('POST', `${DEFINITIONS}?dryRun=All`, definition('bars', properties));
  expect(code).toBe(201);
});

test('a status without stored versions gets the version that is stored now', async () => {
  const type = { 'content-type': PATCHES.merge };
  const status = { storedVersions: [] };
  const { body } = await client.send('PATCH', `${DEFINITIONS}/foos.example.com/status`, { status }, type);
  expect(body['status']?.['storedVersions']).toEqual(['v1']);
});

test('owners of an old definition do not reach into the schemas of items', async () => {
  const schema = { type: 'object', properties: { f: { type: 'array', items: { type: 'string' } } } };
  const { body } = await client.send(
    'POST',
    '/apis/apiextensions.cluster.io/v1beta1/customresourcedefinitions?dryRun=All',
    {
      metadata: { name: 'olds.example.com' },
      spec: {
        ...{ group: 'example.com', version: 'v1', names: { plural: 'olds', kind: 'Old' } },
        validation: { openAPIV3Schema: schema },
      },
    },
  );
  const fields = JSON.stringify(body['metadata']?.['managedFields']);
  expect(fields).toContain('"f:items":{},');
});
