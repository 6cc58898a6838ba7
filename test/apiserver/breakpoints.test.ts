/** Requests that wait before a step, go on as they were, or with what a person made of their object. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCluster, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';

let cluster: Cluster;
beforeEach(async () => {
  cluster = await createCluster({
    name: 'held',
    naming: 'k8s.io',
    clock: 'manual',
    seed: 'held',
    storage: 'memory',
    controllerManager: ['--controllers=-*'],
    apiserver: [
      '--authorization-mode=RBAC',
      '--token-auth-file=t',
      '--disable-admission-plugins=ServiceAccount',
      '--enable-admission-plugins=AlwaysPullImages',
    ],
    files: { t: 'root,admin,1,system:masters' },
  });
});
afterEach(() => cluster.stop());

const POD = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i:1' }] },
};

function create(path: string, body: object): Promise<Response> {
  const headers = { authorization: 'Bearer root', 'content-type': 'application/json' };
  return cluster.fetch(new Request(`http://c${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

const PODS = '/api/v1/namespaces/default/pods';
const heldNow = () => vi.waitFor(() => expect(cluster.breakpoints.held).toHaveLength(1));

describe('a request that matches a breakpoint', () => {
  it.each(['authorization', 'admission', 'Priority', 'validation', 'storage'])('waits before %s', async (before) => {
    cluster.breakpoints.set([{ id: 'b', before, verb: 'create', resource: 'pods', user: 'admin' }]);
    const answer = create(PODS, POD);
    await heldNow();
    expect(cluster.breakpoints.held[0]).toMatchObject({ verb: 'create', resource: 'pods', user: 'admin' });
    cluster.breakpoints.set([]);
    expect((await answer).status).toBe(201);
  });

  it('continues with the edited object', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'validation', resource: 'pods' }]);
    const answer = create(PODS, POD);
    await heldNow();
    const [held] = cluster.breakpoints.held;
    const shown = held?.object as typeof POD;
    cluster.breakpoints.release(held?.request ?? '', {
      ...shown,
      metadata: { ...shown.metadata, labels: { by: 'hand' } },
    });
    expect(await (await answer).json()).toMatchObject({ metadata: { labels: { by: 'hand' } } });
  });

  it('validates the edited object', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'validation', resource: 'pods' }]);
    const answer = create(PODS, POD);
    await heldNow();
    const [held] = cluster.breakpoints.held;
    cluster.breakpoints.release(held?.request ?? '', { ...POD, spec: { containers: [] } });
    expect((await answer).status).toBe(422);
  });

  it('does not time out while it is held', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'validation' }]);
    const answer = create(PODS, POD);
    await heldNow();
    await cluster.clock.step(3_600_000);
    cluster.breakpoints.set([]);
    expect((await answer).status).toBe(201);
  });

  it('shows a secret without its data, and does not accept an edited one', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'validation', resource: 'secrets' }]);
    const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, stringData: { k: 'hush' } };
    const answer = create('/api/v1/namespaces/default/secrets', secret);
    await heldNow();
    const [held] = cluster.breakpoints.held;
    expect(JSON.stringify(held)).not.toMatch(/hush|aHVzaA/);
    cluster.breakpoints.release(held?.request ?? '', held?.object);
    expect(await (await answer).json()).toMatchObject({ data: { k: btoa('hush') } });
  });
});

describe('the user of a breakpoint', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'a' } };
  const asComponent = (): Promise<Response> =>
    cluster.transportAs('system:kube-scheduler')(accounts, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });

  it('excludes names that begin with system:, unless a user is named', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'authorization' }]);
    expect((await asComponent()).status).toBe(403);
  });

  it('may be a component by name', async () => {
    cluster.breakpoints.set([
      { id: 'b', before: 'authorization', verb: 'create', resource: 'serviceaccounts', user: 'system:kube-scheduler' },
    ]);
    const answer = asComponent();
    await heldNow();
    cluster.breakpoints.set([]);
    expect((await answer).status).toBe(403);
  });

  it('excludes the given user agent', async () => {
    cluster.breakpoints.set([{ id: 'b', before: 'authorization', exceptAgent: 'observer' }]);
    const headers = { authorization: 'Bearer root', 'user-agent': 'observer/1' };
    expect((await cluster.fetch(new Request(`http://c${PODS}`, { headers }))).status).toBe(200);
  });
});

it.each([
  ['admission', true],
  ['Priority', true],
  ['validation', true],
  ['ResourceQuota', false],
  ['storage', false],
  ['authorization', false],
] as const)('reports whether the object can be edited before %s: %s', async (before, editable) => {
  cluster.breakpoints.set([{ id: 'b', before, resource: 'pods' }]);
  const answer = create(PODS, POD);
  await heldNow();
  expect(cluster.breakpoints.held[0]?.editable).toBe(editable);
  cluster.breakpoints.set([]);
  expect((await answer).status).toBe(201);
});

it('drops a request whose client disconnects, and stores nothing', async () => {
  cluster.breakpoints.set([{ id: 'b', before: 'storage', resource: 'pods' }]);
  const client = new AbortController();
  const headers = { authorization: 'Bearer root', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(POD), signal: client.signal };
  const answer = cluster.fetch(new Request(`http://c${PODS}`, init));
  await heldNow();
  client.abort();
  expect((await answer).status).toBe(500);
  expect(cluster.breakpoints.held).toEqual([]);
  cluster.breakpoints.set([]);
  expect((await create(PODS, POD)).status).toBe(201);
});

it('does not hold other requests', async () => {
  cluster.breakpoints.set([{ id: 'b', before: 'admission', resource: 'secrets' }]);
  expect((await create(PODS, POD)).status).toBe(201);
});

it('traces each admission step with its patch, and the validation result', async () => {
  const events: TraceEvent[] = [];
  cluster.trace.listen((event) => events.push(event), ['request']);
  await create(PODS, POD);
  await create(PODS, { ...POD, metadata: { name: 'P!' } });
  const steps = events.flatMap((event) => (event.topic === 'request' && event.stage === 'admission' ? [event] : []));
  expect(
    steps.find(({ plugin, phase }) => plugin === 'DefaultTolerationSeconds' && phase === 'mutating'),
  ).toMatchObject({
    outcome: 'changed',
    patch: [{ op: 'add', path: '/spec/tolerations', value: [{ effect: 'NoExecute' }, { effect: 'NoExecute' }] }],
  });
  expect(steps.find(({ plugin }) => plugin === 'AlwaysPullImages')).toMatchObject({
    patch: [{ op: 'replace', path: '/spec/containers/0/imagePullPolicy', value: 'Always', was: 'IfNotPresent' }],
  });
  const found = events.flatMap((event) =>
    event.topic === 'request' && event.stage === 'validation' ? [event.errors] : [],
  );
  expect(found[0]).toEqual([]);
  expect(found.at(-1)).toMatchObject([{ field: 'metadata.name', reason: 'FieldValueInvalid' }]);
});
