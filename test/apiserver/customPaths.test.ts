/** What requests to custom resources may do, where built-in kinds answer otherwise. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCluster, PATCHES, type TestClient } from './client.ts';

const FOOS = '/apis/example.com/v1/namespaces/default/foos';
let client: TestClient;
beforeAll(async () => {
  client = await openCluster();
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
  await client.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', {
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  while ((await client.send('GET', FOOS)).code === 404) await new Promise((resolve) => setImmediate(resolve));
});
afterAll(() => client.cluster.stop());

const foo = (name: string): object => ({ apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name } });

test('an object can be created at a path with a name, which is ignored', async () => {
  const { code, body } = await client.send('POST', `${FOOS}/path`, foo('own'));
  expect([code, body['metadata']?.['name']]).toEqual([201, 'own']);
  expect((await client.send('GET', `${FOOS}/path`)).code).toBe(404);
});

test('a built-in kind refuses that', async () => {
  const body = { metadata: { name: 'own' } };
  expect((await client.send('POST', '/api/v1/namespaces/default/configmaps/path', body)).code).toBe(405);
});

test.each([
  ['application/json', 415],
  [PATCHES.merge, 400],
])('a patch of the collection as %s is a %i', async (type, code) => {
  expect((await client.send('PATCH', FOOS, {}, { 'content-type': type })).code).toBe(code);
});

test('an empty list of owners has no effect', async () => {
  const made = (await client.send('POST', FOOS, foo('owned'))).body;
  const type = { 'content-type': PATCHES.merge };
  const { body } = await client.send('PATCH', `${FOOS}/owned`, { metadata: { managedFields: [] } }, type);
  expect(body['metadata']).toEqual(made['metadata']);
});

test.each([
  ['application/json', 415, null],
  [PATCHES.merge, 404, expect.stringContaining('deprecated')],
])('a patch of an old version as %s is a %i', async (type, code, warning) => {
  const path = '/apis/storage.cluster.io/v1beta1/csidrivers/none';
  const answer = await client.send('PATCH', path, {}, { 'content-type': type });
  expect([answer.code, answer.warning]).toEqual([code, warning]);
});

test.each<
  [what: string, method: 'POST' | 'PUT', body: object, version: string, code: number, cause: string | undefined]
>([
  ['a create of another kind', 'POST', { apiVersion: 'example.com/v1', kind: 'Bar' }, '', 422, 'kind'],
  ['a create without a version', 'POST', { kind: 'Foo' }, '', 500, undefined],
  ['a create without a kind', 'POST', { apiVersion: 'example.com/v1' }, '', 400, undefined],
  [
    'an update of another kind that names no revision',
    'PUT',
    { apiVersion: 'example.com/v1', kind: 'Bar' },
    '',
    422,
    'metadata.resourceVersion',
  ],
  ['an update of another kind', 'PUT', { apiVersion: 'example.com/v1', kind: 'Bar' }, 'now', 422, 'kind'],
  ['an old update of another kind', 'PUT', { apiVersion: 'example.com/v1', kind: 'Bar' }, '1', 409, undefined],
  ['an update without a version that names no revision', 'PUT', { kind: 'Foo' }, '', 422, 'metadata.resourceVersion'],
  ['an update without a version', 'PUT', { kind: 'Bar' }, 'now', 500, undefined],
  ['an update without a kind', 'PUT', { apiVersion: 'example.com/v1' }, '', 400, undefined],
])('%s', async (what, method, body, version, code, cause) => {
  const name = what.replaceAll(' ', '-');
  const existing = method === 'PUT' ? (await client.send('POST', FOOS, foo(name))).body : undefined;
  const resourceVersion: unknown = version === 'now' ? existing?.['metadata']?.['resourceVersion'] : version;
  const sent = { ...body, metadata: { name, ...(version !== '' && { resourceVersion }) } };
  const answer = await client.send(method, method === 'PUT' ? `${FOOS}/${name}` : FOOS, sent);
  expect([answer.code, answer.body['details']?.['causes']?.[0]?.['field']]).toEqual([code, cause]);
});

test('an update of an object that does not exist is a 404 whatever its kind', async () => {
  const { code } = await client.send('PUT', `${FOOS}/none`, { kind: 'Bar', metadata: { name: 'none' } });
  expect(code).toBe(404);
});
