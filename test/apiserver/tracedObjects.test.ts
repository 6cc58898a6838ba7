/** The trace shares objects with the server: what it has told of them must stay as it was. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';

let cluster: Cluster;
/** Each traced object, with its text as it was then. */
const traced: { readonly object: unknown; readonly text: string }[] = [];

beforeAll(async () => {
  cluster = await createCluster({ name: 'traced', nodes: 0 });
  const note = (event: TraceEvent): void => {
    if (event.topic === 'request' && event.stage === 'object')
      traced.push({ object: event.object, text: JSON.stringify(event.object) });
  };
  cluster.trace.listen(note, ['request']);
});
afterAll(() => cluster.stop());

const as = { name: 'ada', groups: ['system:masters'], uid: 'ada', extra: {} };

async function send(method: string, path: string, body: object, type = 'application/json'): Promise<number> {
  const init = { method, headers: { 'content-type': type }, body: JSON.stringify(body) };
  return (await cluster.fetch(new Request(`http://cluster${path}`, init), { as, from: 'page' })).status;
}

const merge = 'application/merge-patch+json';
const NAMESPACED = 'namespaces/default';
const gadgets = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

it.each([
  ['a config map', `/api/v1/${NAMESPACED}/configmaps`, 'ConfigMap', 'v1', { data: { a: '1' } }],
  ['a secret', `/api/v1/${NAMESPACED}/secrets`, 'Secret', 'v1', { stringData: { a: '1' } }],
  ['a service', `/api/v1/${NAMESPACED}/services`, 'Service', 'v1', { spec: { ports: [{ port: 80 }] } }],
  [
    'a pod',
    `/api/v1/${NAMESPACED}/pods`,
    'Pod',
    'v1',
    { spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'nginx' }] } },
  ],
  [
    'a custom object',
    `/apis/example.com/v1/${NAMESPACED}/gadgets`,
    'Gadget',
    'example.com/v1',
    { spec: { a: '1', b: 2 } },
  ],
])('of %s', async (_what, path, kind, apiVersion, fields) => {
  if (kind === 'Gadget') await send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', gadgets);
  traced.length = 0;
  const object = { apiVersion, kind, metadata: { name: 'one', labels: { a: 'b' } }, ...fields };
  // The account of pods and the definition of custom objects are there after a moment.
  await expect.poll(() => send('POST', path, object), { timeout: 10_000 }).toBe(201);
  await send('PATCH', `${path}/one`, { metadata: { labels: { a: 'c' } } }, merge);
  const applied = { apiVersion, kind, metadata: { name: 'one' }, ...(kind === 'Gadget' && { spec: { b: 3 } }) };
  await send('PATCH', `${path}/one?fieldManager=test`, applied, 'application/apply-patch+yaml');
  await send('PATCH', `${path}/one`, { metadata: { finalizers: ['x/y'] } }, merge);
  await send('DELETE', `${path}/one`, {});
  await send('PATCH', `${path}/one`, { metadata: { finalizers: [] } }, merge);
  expect(traced.length).toBeGreaterThan(4);
  for (const { object: now, text } of traced) expect(JSON.stringify(now)).toBe(text);
});
