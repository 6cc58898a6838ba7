/** Which fields of custom objects stay, and what definitions and scales answer at the edges of their schemas. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const DEFINITIONS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const FOOS = '/apis/example.com/v1/namespaces/default/foos';
const keep = { 'x-cluster-preserve-unknown-fields': true };
const known = { type: 'object', properties: { k: { type: 'object', properties: { z: { type: 'string' } } } } };
const replicas = { type: 'integer', minimum: 0, multipleOf: 2 };
let client: TestClient;

const definition = (plural: string, properties: object): object => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: plural === 'foos' ? 'Foo' : 'Bar' },
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

test('an apply of another kind is an invalid object', async () => {
  const type = { 'content-type': PATCHES.apply };
  const other = { ...foo('applied', {}), kind: 'Other' };
  const { code, body } = await client.send('PATCH', `${FOOS}/applied?fieldManager=m`, other, type);
  expect([code, body['details']?.['kind'], body['details']?.['causes']?.[0]?.['field']]).toEqual([
    422,
    'Other',
    'kind',
  ]);
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
