/** What OpenAPI v2 says of custom resources, and the words in it that clients look for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customSchema } from '../../src/schema/derive/openapi/custom.ts';
import { customResources } from '../../src/schema/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { must } from '../../src/std/index.ts';
import { tokens } from '../conformance/scenarios.ts';
import { openCluster, type TestClient } from './client.ts';

const names = namesOf('k8s.io');
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const GVK = { group: 'example.com', kind: 'Widget', version: 'v1' };

/** The definition's schema without what every object has. */
function shown(openAPIV3Schema: object | undefined, spec: object = {}): unknown {
  const definition = {
    metadata: { name: 'widgets.example.com', creationTimestamp: null },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, ...spec },
      versions: [{ name: 'v1', served: true, storage: true, ...(openAPIV3Schema && { schema: { openAPIV3Schema } }) }],
    },
    status: { conditions: null, acceptedNames: { plural: 'widgets', kind: 'Widget' }, storedVersions: ['v1'] },
  };
  const [resource] = customResources(names, definition as Parameters<typeof customResources>[1]);
  const { 'x-kubernetes-group-version-kind': gvk, ...schema } = customSchema(names, must(resource, 'it is served'));
  expect(gvk).toEqual([GVK]);
  return schema;
}

const OBJECT_FIELDS = { apiVersion: expect.anything(), kind: expect.anything(), metadata: expect.anything() };
const root = (properties: object, more: object = {}): object => ({ type: 'object', ...more, properties });

describe('a custom resource', () => {
  it.each<[string, object | undefined, object]>([
    ['without a schema', undefined, { type: 'object' }],
    ['that keeps unknown fields', root({ a: {} }, { ...PRESERVE, description: 'd' }), { type: 'object' }],
    ['without properties', { type: 'object', description: 'd' }, root(OBJECT_FIELDS, { description: 'd' })],
    [
      'with a part that keeps unknown fields',
      root({ a: { ...root({ b: {} }), ...PRESERVE, description: 'd', items: {} } }),
      root({ ...OBJECT_FIELDS, a: { ...PRESERVE, description: 'd' } }),
    ],
    [
      'with a required field that may be null',
      root({ a: { type: 'string', nullable: true }, b: { type: 'string' } }, { required: ['a', 'b'] }),
      root({ ...OBJECT_FIELDS, a: {}, b: { type: 'string' } }, { required: ['b'] }),
    ],
    [
      'with an embedded object',
      root({ a: { ...root({ spec: { type: 'object' } }), 'x-kubernetes-embedded-resource': true } }),
      root({
        ...OBJECT_FIELDS,
        a: {
          ...root({ ...OBJECT_FIELDS, spec: { type: 'object' } }, { required: ['kind', 'apiVersion'] }),
          'x-kubernetes-embedded-resource': true,
        },
      }),
    ],
  ])('%s', (_what, schema, wanted) => expect(shown(schema)).toEqual(wanted));

  it('that keeps all unknown fields', () => {
    expect(shown(root({ a: {} }), { preserveUnknownFields: true })).toEqual({ type: 'object' });
  });
});

describe('the whole document', () => {
  let client: TestClient;
  let text: string;
  beforeAll(async () => {
    client = await openCluster();
    ({ text } = await client.send('GET', '/openapi/v2'));
  });
  afterAll(() => client.cluster.stop());

  it.each([
    'APIVersion defines',
    "Standard object's metadata",
    'CreationTimestamp is a timestamp',
    'list of returned objects',
    'List of services',
    'Watch for changes to the described resources',
  ])('contains "%s"', (words) => expect(text).toContain(words));

  it('says how a client says who it is', () => {
    const document = JSON.parse(text) as Record<string, unknown>;
    expect(document['security']).toEqual([{ BearerToken: [] }]);
    expect(document['securityDefinitions']).toMatchObject({ BearerToken: { name: 'authorization', in: 'header' } });
  });

  it('lists the versions that are known and not served where every version has a type', () => {
    const { definitions } = JSON.parse(text) as { definitions: Record<string, Record<string, unknown>> };
    const options = Object.entries(definitions).find(([name]) => name.endsWith('.DeleteOptions'))?.[1];
    const versions = options?.['x-cluster-group-version-kind'];
    expect(versions).toContainEqual({ group: 'apps', version: 'v1beta2', kind: 'DeleteOptions' });
    expect(versions).toContainEqual({ group: 'discovery.cluster.io', version: 'v1alpha1', kind: 'DeleteOptions' });
  });

  it('is compressed for clients that accept that', async () => {
    const headers = { 'accept-encoding': 'gzip', authorization: `Bearer ${tokens.admin}` };
    const answer = await client.cluster.fetch(new Request('http://api.test/openapi/v2', { headers }));
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    const unzipped = new Response(answer.body?.pipeThrough(new DecompressionStream('gzip')));
    expect(await unzipped.text()).toBe(text);
  });

  it.each<[string, object]>([
    ['authorization.cluster.io/v1/selfsubjectaccessreviews', { resourceAttributes: { verb: 'get' } }],
    ['authorization.cluster.io/v1/selfsubjectrulesreviews', { namespace: 'default' }],
    ['authentication.cluster.io/v1/tokenreviews', { token: 't' }],
  ])('%s has no Table', async (path, spec) => {
    const accept = 'application/json;as=Table;g=meta.cluster.io;v=v1';
    expect((await client.send('POST', `/apis/${path}`, { spec }, { accept })).code).toBe(406);
    expect((await client.send('POST', `/apis/${path}`, { spec })).code).toBe(201);
  });
});
