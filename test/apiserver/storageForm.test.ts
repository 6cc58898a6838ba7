/** What storing an object changes in it. A dry run shows the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, PATCHES, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => (client = await openCluster()));
afterAll(() => client.cluster.stop());

const metadataOf = (name: string): object => ({ metadata: { name } });

let count = 0;

describe.each(['', '?dryRun=All'])('an autoscaler created with "%s" has been through autoscaling/v1', (query) => {
  const AUTOSCALERS = '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers';
  const cpu = (target: object): object => ({ type: 'Resource', resource: { name: 'cpu', target } });
  const byHalf = cpu({ type: 'Utilization', averageUtilization: 50 });
  const pods = {
    type: 'Pods',
    pods: { metric: { name: 'p' }, target: { type: 'AverageValue', averageValue: '1' } },
  };
  const object = (target: object): object => ({
    type: 'Object',
    object: { describedObject: { kind: 'Service', name: 's' }, metric: { name: 'o' }, target },
  });

  it.each<[string, object[], object[]]>([
    ['processor utilization goes last', [byHalf, pods], [pods, byHalf]],
    ['a second one is lost', [byHalf, byHalf, pods], [pods, byHalf]],
    ['a value beside it is lost', [cpu({ type: 'Utilization', averageUtilization: 50, value: '1' })], [byHalf]],
    ['its type is what it holds', [cpu({ type: 'AverageValue', averageUtilization: 50 })], [byHalf]],
    [
      'an average decides the type',
      [object({ type: 'Value', value: '2k', averageValue: '1' })],
      [object({ type: 'AverageValue', value: '2k', averageValue: '1' })],
    ],
  ])('%s', async (_what, metrics, stored) => {
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, metrics };
    const name = `h${++count}`;
    const answer = await client.send('POST', AUTOSCALERS + query, { ...metadataOf(name), spec });
    expect([answer.code, answer.body['spec']?.['metrics']]).toEqual([201, stored]);
  });
});

describe('a job', () => {
  const JOBS = '/apis/batch/v1/namespaces/default/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const job = (name: string, labels?: object): object => ({
    ...metadataOf(name),
    spec: { template: labels ? { ...template, metadata: { labels } } : template },
  });
  const labelsOf = async (method: string, path: string, body?: object): Promise<string[]> =>
    Object.keys((await client.send(method, path, body)).body['metadata']?.['labels'] ?? {}).sort();

  it.each(['?dryRun=All', ''])('without labels shows those of its template, created with "%s"', async (query) => {
    expect(await labelsOf('POST', JOBS + query, job('a'))).toEqual(['controller-uid', 'job-name']);
    expect(await labelsOf('POST', JOBS + query, job('b', { app: 'x' }))).toEqual(['app', 'controller-uid', 'job-name']);
  });

  it('still shows the labels of its template after a status update without them', async () => {
    expect(await labelsOf('PUT', `${JOBS}/a/status`, job('a'))).toEqual(['controller-uid', 'job-name']);
  });

  it('stores the shown labels with its first patch', async () => {
    const patch = (): ReturnType<TestClient['send']> =>
      client.send('PATCH', `${JOBS}/a`, { metadata: { labels: {} } }, { 'content-type': PATCHES.merge });
    const { body: before } = await client.send('GET', `${JOBS}/a`);
    const first = (await patch()).body['metadata']?.['resourceVersion'];
    expect(first).not.toBe(before['metadata']?.['resourceVersion']);
    expect((await patch()).body['metadata']?.['resourceVersion']).toBe(first);
  });
});

describe('metadata.selfLink', () => {
  const CLASSES = '/apis/networking.cluster.io/v1/ingressclasses';
  const sent = { metadata: { name: 'c', selfLink: '/x' }, spec: { controller: 'a.b/c' } };

  it.each([
    ['POST', '', undefined],
    ['PUT', '/c', undefined],
    ['PUT', '/c?dryRun=All', '/x'],
  ])('%s %s shows %j', async (method, path, shown) => {
    expect((await client.send(method, CLASSES + path, sent)).body['metadata']?.['selfLink']).toBe(shown);
  });
});

it('a custom object in another version gets the defaults of the version in which it is stored', async () => {
  const version = (name: string, status: object, storage: boolean): object => ({
    ...{ name, served: true, storage },
    schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object', properties: status } } } },
  });
  const field = { type: 'integer' };
  const versions = [
    version('v1', { n: field, x: { ...field, default: 1 } }, true),
    version('v2', { n: field, x: field }, false),
  ];
  const names = { plural: 'widgets', kind: 'Widget' };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
  await client.send('POST', '/apis/apiextensions.cluster.io/v1/customresourcedefinitions', {
    ...metadataOf('widgets.example.com'),
    spec,
  });
  const widgets = '/apis/example.com/v2/namespaces/default/widgets';
  await expect.poll(async () => (await client.send('GET', widgets)).code).toBe(200);
  const widget = { apiVersion: 'example.com/v2', kind: 'Widget', ...metadataOf('w'), status: { n: 1 } };
  for (const query of ['?dryRun=All', ''])
    expect((await client.send('POST', widgets + query, widget)).body['status']).toEqual({ n: 1, x: 1 });
});
