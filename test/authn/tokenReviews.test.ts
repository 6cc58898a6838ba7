/** What token reviews and token requests answer to tokens and references that are not good. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCluster, type TestClient } from '../apiserver/client.ts';

const TOKEN = '/api/v1/namespaces/default/serviceaccounts/robot/token';
const REVIEWS = '/apis/authentication.cluster.io/v1/tokenreviews';
let client: TestClient;
let token: string;

beforeAll(async () => {
  client = await openCluster();
  await client.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const { body } = await client.send('POST', TOKEN, { spec: { audiences: ['a', 'b'] } });
  token = String(body['status']?.['token']);
});
afterAll(() => client.cluster.stop());

test.each<[what: string, changed: (token: string) => string, audiences: readonly string[], error: string | undefined]>([
  ['a valid token', (text) => text, ['b', 'c'], undefined],
  [
    'a token for other audiences',
    (text) => text,
    ['c', 'd'],
    '[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["c" "d"]]',
  ],
  [
    'a token with another signature',
    (text) => `${text.slice(0, -4)}AAAA`,
    ['a'],
    '[invalid bearer token, square/go-jose: error in cryptographic primitive]',
  ],
  ['a token whose header can not be read', (text) => `x${text}`, ['a'], 'invalid bearer token'],
  ['a text that is no token', () => 'nothing', ['a'], 'invalid bearer token'],
])('a review of %s', async (_, changed, audiences, error) => {
  const { body } = await client.send('POST', REVIEWS, { spec: { token: changed(token), audiences } });
  expect(body['status']?.['error']).toBe(error);
});

test('a token can not be bound to an object without a name', async () => {
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1' };
  const { code, body } = await client.send('POST', TOKEN, { spec: { boundObjectRef } });
  expect([code, body['reason'], body['message']]).toEqual([400, 'BadRequest', 'Name parameter required.']);
});
