/** The scale of custom resources that do not say how many they want, and scales that are not valid. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bench, type Answer, type Bench } from '../webhooks/support.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PATHS = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

let b: Bench;
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.cluster.stop());

const path = (plural: string): string => `/apis/example.com/v1/namespaces/default/${plural}`;

/** A definition with a scale, and an object of it without replicas. */
async function define(plural: string, openAPIV3Schema: object): Promise<void> {
  const version = { name: 'v1', served: true, storage: true, subresources: { scale: PATHS } };
  const names = { plural, kind: plural.toUpperCase() };
  await b.send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [{ ...version, schema: { openAPIV3Schema } }] },
  });
  const object = { apiVersion: 'example.com/v1', kind: names.kind, metadata: { name: 'a' }, spec: {} };
  await expect.poll(async () => (await b.send('POST', path(plural), object)).status, { interval: 5 }).toBe(201);
}

const patch = (plural: string, body: object): Promise<Answer> =>
  b.send('PATCH', `${path(plural)}/a/scale`, body, 'application/merge-patch+json');

const MISSING = { status: 500, body: { reason: 'InternalError' } };

const LOOSE = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const STRICT = { type: 'object', properties: { spec: { type: 'object' } } };

test('there is none, and a change has to set the replicas', async () => {
  await define('loose', LOOSE);
  expect(await b.send('GET', `${path('loose')}/a/scale`)).toMatchObject(MISSING);
  expect(await patch('loose', { metadata: { labels: {} } })).toMatchObject({
    status: 400,
    body: { reason: 'BadRequest' },
  });
  expect(await patch('loose', { spec: { replicas: 2 } })).toMatchObject({
    status: 200,
    body: { spec: { replicas: 2 } },
  });
});

test('a schema may prune the replicas', async () => {
  await define('strict', STRICT);
  expect(await patch('strict', { spec: { replicas: 2 } })).toMatchObject(MISSING);
});

test.each<[what: string, metadata: object, fields: string[]]>([
  ['without a namespace', { name: 'd' }, ['metadata.namespace']],
  ['with a wrong label', { name: 'd', namespace: 'default', labels: { 'a b': 'c' } }, ['metadata.labels']],
  ['with a negative generation', { name: 'd', namespace: 'default', generation: -1 }, ['metadata.generation']],
])('the scale of a deployment can not be replaced by one %s', async (_, metadata, fields) => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template };
  await b.send('POST', deployments, { metadata: { name: 'd' }, spec });
  const { status, body } = await b.send('PUT', `${deployments}/d/scale`, { metadata, spec: { replicas: 1 } });
  const causes = fields.map((field) => expect.objectContaining({ field }) as unknown);
  expect({ status, body }).toMatchObject({ status: 422, body: { details: { kind: 'Scale', causes } } });
});
