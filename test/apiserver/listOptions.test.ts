/** The order in which the options of a list or watch are read and refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster, type TestClient } from './client.ts';

let client: TestClient;
beforeAll(async () => (client = await openCluster()));
afterAll(() => client.cluster.stop());

const PODS = '/api/v1/namespaces/default/pods';

it.each([
  ['labelSelector=app<x', 400],
  ['resourceVersionMatch=Exact', 422],
  // What can't be parsed is told before what may not be combined.
  ['labelSelector=app<x&resourceVersionMatch=Exact', 400],
  ['fieldSelector=metadata.name&resourceVersionMatch=bogus', 400],
  ['labelSelector=app<x&watch=1&resourceVersionMatch=Exact', 400],
  // A field that the kind doesn't select by is found only when the selector is used.
  ['fieldSelector=spec.none=x&resourceVersionMatch=Exact', 422],
  ['fieldSelector=spec.none=x', 400],
])('%s is answered with %i', async (query, code) => {
  expect((await client.send('GET', `${PODS}?${query}`)).code).toBe(code);
  expect((await client.send('DELETE', `${PODS}?${query.replace('watch=1&', '')}`)).code).toBe(code);
});

it.each(['=', '==', '!=', ',=,', ',,'])('the field selector "%s" selects everything', async (selector) => {
  const answer = await client.send('GET', `${PODS}?fieldSelector=${encodeURIComponent(selector)}`);
  expect([answer.code, answer.body['kind']]).toEqual([200, 'PodList']);
});

it.each([
  ['/api/v1/namespaces/default/configmaps/none?resourceVersion=abc', 500],
  // Events are read from storage, which says whose mistake it is.
  ['/api/v1/namespaces/default/events/none?resourceVersion=abc', 400],
  ['/apis/events.cluster.io/v1/namespaces/default/events/none?resourceVersion=abc', 400],
])('GET %s is answered with %i', async (path, code) => {
  expect((await client.send('GET', path)).code).toBe(code);
});

it('refuses resourceVersionMatch on an old watch path as on a list', async () => {
  const answer = await client.send('GET', '/api/v1/watch/namespaces/default/pods?resourceVersionMatch=Exact');
  expect(answer.code).toBe(422);
  expect(answer.body['message']).toContain('unless resourceVersion is provided');
});
