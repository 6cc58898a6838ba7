/** What those who look on see of bodies: all of small documents, never a secret or a token. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCluster, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';

type Body = Extract<TraceEvent, { readonly topic: 'body' }>;

let cluster: Cluster;
let events: TraceEvent[];
beforeEach(async () => {
  cluster = await createCluster({
    name: 'bodies',
    naming: 'k8s.io',
    clock: 'manual',
    seed: 'bodies',
    storage: 'memory',
    controllerManager: ['--controllers=-*'],
    apiserver: ['--token-auth-file=t', '--authorization-mode=RBAC'],
    files: { t: 'root,admin,1,system:masters' },
  });
  events = [];
  cluster.trace.listen((event) => events.push(event));
});
afterEach(() => cluster.stop());

async function send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Response> {
  const headers = { authorization: 'Bearer root', 'content-type': type };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = body === undefined ? { method, headers } : { method, headers, body: text };
  return cluster.fetch(new Request(`http://c${path}`, init));
}

const bodies = (): Body[] => events.filter((event) => event.topic === 'body');
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'm' }, data: { colour: 'teal' } };

it('traces the request and response bodies', async () => {
  await send('POST', MAPS, map);
  const [sent, answered] = bodies();
  expect(JSON.parse(sent?.text ?? '')).toEqual(map);
  expect(sent).toMatchObject({ of: 'request', contentType: 'application/json', bytes: JSON.stringify(map).length });
  expect(JSON.parse(answered?.text ?? '')).toMatchObject({ data: map.data, metadata: { resourceVersion: /./ } });
});

it('traces a patch and a refusal', async () => {
  await send('PATCH', `${MAPS}/none`, { data: { a: 'b' } }, 'application/merge-patch+json');
  expect(bodies().map(({ of, text }) => [of, JSON.parse(text ?? '') as unknown])).toEqual([
    ['request', { data: { a: 'b' } }],
    ['answer', expect.objectContaining({ reason: 'NotFound' })],
  ]);
});

it('traces only the size of large bodies', async () => {
  await send('POST', MAPS, { ...map, data: { large: 'x'.repeat(70_000) } });
  expect(bodies().map(({ bytes, text }) => [bytes > 70_000, text])).toEqual([
    [true, undefined],
    [true, undefined],
  ]);
});

it('does not trace bodies of components', async () => {
  await cluster.transportAs('system:kube-scheduler')(MAPS);
  expect(bodies()).toEqual([]);
});

const HUSH = 'hush-hush';
const CODED = btoa(HUSH);
const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, stringData: { key: HUSH } };
const applied = { 'vitrine.dev/last-applied-configuration': HUSH };

it.each([
  ['a create', 'POST', SECRETS, secret, 'application/json'],
  [
    'YAML',
    'POST',
    SECRETS,
    `kind: Secret\napiVersion: v1\nmetadata: {name: y}\ndata: {key: ${CODED}}`,
    'application/yaml',
  ],
  ['a merge patch', 'PATCH', `${SECRETS}/kept`, { stringData: { key: HUSH } }, 'application/merge-patch+json'],
  [
    'a JSON patch',
    'PATCH',
    `${SECRETS}/kept`,
    [{ op: 'add', path: '/data/x', value: CODED }],
    'application/json-patch+json',
  ],
  [
    'what was applied last',
    'POST',
    SECRETS,
    { ...secret, metadata: { name: 'a', annotations: applied } },
    'application/json',
  ],
  ['a broken document', 'POST', SECRETS, `{"kind":"Secret","data":{"key":"${CODED}"`, 'application/json'],
  ['a secret sent elsewhere', 'POST', MAPS, secret, 'application/json'],
  ['a broken secret sent elsewhere', 'POST', MAPS, `{"kind":"Secret","data":{"key":"${CODED}"`, 'application/json'],
  ['a list', 'GET', SECRETS, undefined, 'application/json'],
  [
    'a token review',
    'POST',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', spec: { token: HUSH } },
    'application/json',
  ],
])('hides the secrets of %s', async (_what, method, path, body, type) => {
  await send('POST', SECRETS, { ...secret, metadata: { name: 'kept' } });
  await send(method, path, body, type);
  expect(bodies().length).toBeGreaterThan(2);
  const told = JSON.stringify(events);
  expect(told).not.toContain(HUSH);
  expect(told).not.toContain(CODED);
});

it('hides the token of a service account', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'a' } });
  const asked = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec: { audiences: ['x'] } };
  const answer = (await (await send('POST', `${accounts}/a/token`, asked)).json()) as { status: { token: string } };
  expect(answer.status.token).toMatch(/^ey/);
  expect(JSON.stringify(events)).not.toContain(answer.status.token);
});

it('traces the watches that receive a write, with the event type', async () => {
  const headers = { authorization: 'Bearer root', 'user-agent': 'mine' };
  const watch = await cluster.fetch(new Request(`http://c${MAPS}?watch=1&fieldSelector=metadata.name=m`, { headers }));
  const reader = watch.body?.getReader();
  await send('POST', MAPS, { ...map, metadata: { name: 'other' } });
  await send('POST', MAPS, map);
  await reader?.read();
  const sent = events.flatMap((event) =>
    event.topic === 'watch' && event.userAgent === 'mine' ? (event.sent ?? []).map((each) => [event.user, each]) : [],
  );
  const stored = events.flatMap((event) =>
    event.topic === 'request' && event.stage === 'stored' ? [event.revision] : [],
  );
  expect(sent).toEqual([['admin', { type: 'ADDED', revision: stored.at(-1) }]]);
  await reader?.cancel();
});
