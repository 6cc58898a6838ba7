/** Facts of single kinds: what is frozen, and who manages what is used of a quota. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { causes, openCluster, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => void (client = await openCluster({ naming: 'k8s.io' })));
afterAll(() => client.cluster.stop());

const MAPS = '/api/v1/namespaces/default/configmaps';
const QUOTAS = '/api/v1/namespaces/default/resourcequotas';

test.each<[change: string, given: object, refused: string[]]>([
  ['nothing', {}, []],
  ['a label', { metadata: { name: 'frozen', labels: { a: 'b' } } }, []],
  ['a value', { data: { a: '2' } }, ['data']],
  ['no data', { data: {} }, ['data']],
  ['binary data', { binaryData: { b: 'AA==' } }, ['binaryData']],
  ['no longer immutable', { immutable: false }, ['immutable']],
])('an immutable config map, given %s', async (_, given, refused) => {
  const frozen = { metadata: { name: 'frozen' }, immutable: true, data: { a: '1' } };
  await client.send('POST', MAPS, frozen);
  const answer = await client.send('PUT', `${MAPS}/frozen`, { ...frozen, ...given });
  expect([answer.code, causes(answer)]).toEqual([refused.length > 0 ? 422 : 200, refused]);
});

test('the API server is the manager of usage in quotas', async () => {
  const hard = { 'count/configmaps': '10' };
  const { body } = await client.send('POST', QUOTAS, { metadata: { name: 'q' }, spec: { hard } });
  await client.send('PUT', `${QUOTAS}/q/status`, { ...body, status: { hard, used: { 'count/configmaps': '0' } } });
  await client.send('POST', MAPS, { metadata: { name: 'charged' } });
  const quota = await client.send('GET', `${QUOTAS}/q`);
  expect(quota.body['status']?.['used']).toEqual({ 'count/configmaps': '1' });
  const managers = quota.body['metadata']?.['managedFields'] as unknown as { manager: string }[];
  expect(managers.map(({ manager }) => manager)).toContain('kube-apiserver');
});
