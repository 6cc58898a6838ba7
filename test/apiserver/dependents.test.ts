/** What a delete does about dependants, by kind, version and what the request asks for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => (client = await openCluster()));
afterAll(() => client.cluster.stop());

const pod = { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' };
const jobs = { schedule: '@daily', jobTemplate: { spec: { template: { spec: pod } } } };

const inDefault = (group: string, resource: string): string => `${group}/namespaces/default/${resource}`;
const COLLECTIONS: Readonly<Record<string, readonly [string, object]>> = {
  'a cron job by batch/v1beta1': [inDefault('/apis/batch/v1beta1', 'cronjobs'), { spec: jobs }],
  'a job': [inDefault('/apis/batch/v1', 'jobs'), { spec: { template: { spec: pod } } }],
  'a config map': [inDefault('/api/v1', 'configmaps'), {}],
  'an event': [inDefault('/api/v1', 'events'), { involvedObject: { namespace: 'default' } }],
  'a namespace': ['/api/v1/namespaces', {}],
};

let count = 0;
async function finalizersAfter(what: string, options: object): Promise<unknown> {
  const [path, fields] = COLLECTIONS[what] ?? ['', {}];
  const name = `d${++count}`;
  expect((await client.send('POST', path, { ...fields, metadata: { name } })).code).toBe(201);
  await client.send('DELETE', `${path}/${name}`, options);
  return (await client.send('GET', `${path}/${name}`)).body['metadata']?.['finalizers'];
}

it.each<[string, object, readonly string[] | undefined]>([
  ['a cron job by batch/v1beta1', {}, ['orphan']],
  ['a cron job by batch/v1beta1', { propagationPolicy: 'Background' }, undefined],
  ['a job', {}, ['orphan']],
  ['a config map', {}, undefined],
  ['a config map', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
  ['an event', { propagationPolicy: 'Foreground' }, undefined],
  ['an event', { orphanDependents: true }, undefined],
  ['a namespace', {}, undefined],
  ['a namespace', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
  ['a namespace', { propagationPolicy: 'Orphan' }, ['orphan']],
  ['a namespace', { propagationPolicy: 'Background' }, undefined],
  ['a namespace', { orphanDependents: true }, ['orphan']],
  // Not to orphan means here to delete what depends on it first.
  ['a namespace', { orphanDependents: false }, ['foregroundDeletion']],
])('%s deleted with %j waits for %j', async (what, options, finalizers) => {
  expect(await finalizersAfter(what, options)).toEqual(finalizers);
});

it.each([
  [
    '/apis/networking.cluster.io/v1/namespaces/default/ingresses',
    'extensions',
    { defaultBackend: { resource: ref() } },
  ],
  ['/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', 'policy', { minAvailable: 1 }],
])('a failed precondition on %s names the group %s', async (path, group, spec) => {
  expect((await client.send('POST', path, { metadata: { name: 'p' }, spec })).code).toBe(201);
  const answer = await client.send('DELETE', `${path}/p`, { preconditions: { uid: 'other' } });
  expect([answer.code, answer.body['details']?.['group']]).toEqual([409, group]);
});

function ref(): object {
  return { apiGroup: 'a.b', kind: 'Bucket', name: 'b' };
}
