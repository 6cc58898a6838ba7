/** Pages of other origins: whom `--cors-allowed-origins` lets ask, and what their browsers are told. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { allowedOrigins } from '../../src/apiserver/stages/cors.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { refusalOf } from '../../src/hosts/node/target.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';

const PAGE = 'https://page.example.com';

test.each<[string, string, boolean | undefined]>([
  ['', PAGE, undefined],
  ['example', PAGE, true],
  ['^http://,\\.com$', PAGE, true],
  ['^http://', PAGE, false],
])('the patterns "%s" allow %s: %s', (patterns, origin, allowed) => {
  expect(allowedOrigins(patterns)?.(origin)).toBe(allowed);
});

test('a pattern that is no regular expression stops the start', () => {
  expect(() => allowedOrigins('(')).toThrow();
});

test('the HTTP host accepts only allowed origins', () => {
  const envelope = { method: 'GET', target: '/', host: 'localhost', origin: PAGE };
  expect(refusalOf(envelope, [])?.code).toBe(403);
  expect(refusalOf(envelope, [], (origin) => origin === PAGE)).toBeUndefined();
});

describe('a server that allows an origin', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    const recorded = recordedOptions('cluster.io');
    const flag = '--cors-allowed-origins=^https://page\\.';
    cluster = await createCluster({ ...recorded, apiserver: [...(recorded.apiserver ?? []), flag] });
  });
  afterAll(() => cluster.stop());

  const ask = (method: string, headers: Record<string, string>): Promise<Response> =>
    cluster.fetch(new Request('http://cors.test/api/v1/namespaces', { method, headers }));
  const allowed = (response: Response): string | null => response.headers.get('access-control-allow-origin');

  it('answers a preflight request without credentials', async () => {
    const answer = await ask('OPTIONS', { origin: PAGE });
    expect([answer.status, allowed(answer)]).toEqual([204, PAGE]);
    expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  });

  it.each<[string, Record<string, string>, number, string | null]>([
    ['an allowed origin', { origin: PAGE, authorization: `Bearer ${tokens.admin}` }, 200, PAGE],
    ['an allowed origin with a wrong token', { origin: PAGE, authorization: 'Bearer wrong' }, 401, PAGE],
    ['another origin', { origin: 'https://other.com', authorization: `Bearer ${tokens.admin}` }, 200, null],
    ['no origin', { authorization: `Bearer ${tokens.admin}` }, 200, null],
  ])('answers %s', async (_what, headers, code, origin) => {
    const answer = await ask('GET', headers);
    expect([answer.status, allowed(answer)]).toEqual([code, origin]);
  });
});
