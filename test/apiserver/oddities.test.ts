/** Small particulars of single kinds, as the reference has them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { causes, openCluster, PATCHES, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => {
  client = await openCluster();
});
afterAll(() => client.cluster.stop());

describe('an immutable ConfigMap or Secret', () => {
  const base = '/api/v1/namespaces/default';
  const map = { metadata: { name: 'frozen' }, data: { a: 'Yg==' }, immutable: true };
  const bare = { metadata: { name: 'bare' }, immutable: true };
  beforeAll(async () => {
    for (const path of [`${base}/configmaps`, `${base}/secrets`])
      for (const body of [map, bare]) await client.send('POST', path, body);
  });

  // An empty map is not the same as none.
  test.each<[what: string, path: string, body: object, refused: readonly string[]]>([
    ['the same', 'configmaps/frozen', map, []],
    ['empty binaryData', 'configmaps/frozen', { ...map, binaryData: {} }, ['binaryData']],
    ['null binaryData', 'configmaps/frozen', { ...map, binaryData: null }, []],
    ['empty data where there is none', 'configmaps/bare', { ...bare, data: {} }, ['data']],
    ['other data', 'configmaps/frozen', { ...map, data: { a: 'c' } }, ['data']],
    ['mutable', 'configmaps/frozen', { ...map, immutable: false }, ['immutable']],
    ['the same', 'secrets/frozen', map, []],
    ['empty data where there is none', 'secrets/bare', { ...bare, data: {} }, ['data']],
  ])('PUT with %s to %s', async (_what, path, body, refused) => {
    const answer = await client.send('PUT', `${base}/${path}`, body);
    expect(answer.code).toBe(refused.length > 0 ? 422 : 200);
    expect(causes(answer)).toEqual(refused);
  });

  test.each([PATCHES.merge, PATCHES.strategic])('%s with empty binaryData', async (type) => {
    const answer = await client.send(
      'PATCH',
      `${base}/configmaps/frozen`,
      { binaryData: {} },
      { 'content-type': type },
    );
    expect(causes(answer)).toEqual(['binaryData']);
  });
});

describe('a LimitRange without a name', () => {
  test.each([{}, { generateName: 'x-' }])('with %j gets a unique name', async (metadata) => {
    const { code, body } = await client.send('POST', '/api/v1/namespaces/default/limitranges', { metadata });
    expect(code).toBe(201);
    expect(body['metadata']?.['name']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(body['metadata']?.['name']).not.toBe(body['metadata']?.['uid']);
  });
});

describe('an APIService', () => {
  const spec = { group: 'g.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10 };
  test.each<[metadata: object, refused: readonly string[]]>([
    [{ generateName: 'x-' }, ['metadata.generateName', 'metadata.name']],
    [{ name: 'v1.g.example.com', generateName: 'x-' }, ['metadata.generateName']],
    [{ name: 'v1.g.example.com', generateName: 'v1.g.example.com' }, []],
  ])('with %j', async (metadata, refused) => {
    const answer = await client.send('POST', '/apis/apiregistration.cluster.io/v1/apiservices', { metadata, spec });
    expect(answer.code).toBe(refused.length > 0 ? 422 : 201);
    expect(causes(answer)).toEqual(refused);
  });
});

describe('a FlowSchema', () => {
  const path = '/apis/flowcontrol.apiserver.cluster.io/v1beta1/flowschemas';
  const user = { kind: 'User', user: { name: 'a' } };
  const resourceRule = { verbs: ['get'], apiGroups: ['a'], resources: ['b'], namespaces: ['c'] };
  const flowSchema = (name: string, subjects: object[], resourceRules: object[]): object => ({
    metadata: { name },
    spec: { priorityLevelConfiguration: { name: 'exempt' }, rules: [{ subjects, resourceRules }] },
  });
  test.each<[what: string, subjects: object[], rules: object[], tracked: boolean]>([
    ['plain', [user], [resourceRule], true],
    ['subjects that stand twice', [user, user], [resourceRule], true],
    ['rules that stand twice', [user], [resourceRule, resourceRule], true],
    ['verbs that stand twice', [user], [{ ...resourceRule, verbs: ['get', 'get'] }], false],
    ['namespaces that stand twice', [user], [{ ...resourceRule, namespaces: ['c', 'c'] }], false],
  ])('with %s is stored, with its owners if they can be determined', async (what, subjects, rules, tracked) => {
    const answer = await client.send('POST', path, flowSchema(what.replaceAll(' ', '-'), subjects, rules));
    expect(answer.code).toBe(201);
    expect(answer.body['metadata']?.['managedFields'] !== undefined).toBe(tracked);
  });
});
