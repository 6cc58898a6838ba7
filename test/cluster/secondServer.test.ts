import { afterEach, expect, test } from 'vitest';
import { createCluster, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';

const SECOND = 1000;

let open: Cluster | undefined;

afterEach(async () => {
  await open?.stop();
  open = undefined;
});

async function two(): Promise<Cluster> {
  open = await createCluster({ name: 'two', naming: 'k8s.io', servers: 2, nodes: 1, clock: 'manual', seed: 'two' });
  await pass(open, 5);
  return open;
}

/** Lets seconds pass, one by one: what follows from each is done before the next. */
async function pass({ clock }: Cluster, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) await clock.step(SECOND);
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data?: Readonly<Record<string, string>>;
    readonly spec?: { readonly holderIdentity?: string; readonly leaseTransitions?: number };
    readonly subsets?: readonly { readonly addresses: readonly { readonly ip: string }[] }[];
    readonly status?: { readonly readyReplicas?: number };
    readonly message?: string;
  };
}

async function ask(cluster: Cluster, path: string, method = 'GET', body?: unknown): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const response = await cluster.fetch(new Request(`http://cluster.local${path}`, { method, ...init }), AS);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const AS = { as: { name: 'admin', uid: '', groups: ['system:masters'], extra: {} }, from: 'page' };

const maps = '/api/v1/namespaces/default/configmaps';
const settings = '/api/v1/namespaces/kube-system/configmaps/second-server';
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';

const set = (cluster: Cluster, data: Record<string, string>): Promise<Answer> =>
  ask(cluster, settings, 'PATCH', { data });
const value = async (answer: Promise<Answer>): Promise<string | undefined> => (await answer).body.data?.['value'];
const holder = async (cluster: Cluster): Promise<string | undefined> =>
  (await ask(cluster, lease)).body.spec?.holderIdentity?.replace(/_.*/, '');

test('both servers show each other’s writes', async () => {
  const cluster = await two();
  await ask(cluster, maps, 'POST', { metadata: { name: 'a' }, data: { value: '1' } });
  expect(await value(ask(cluster, `/servers/second${maps}/a`))).toBe('1');
  await ask(cluster, `/servers/second${maps}/a`, 'PATCH', { data: { value: '2' } });
  expect(await value(ask(cluster, `/servers/first${maps}/a`))).toBe('2');
  expect(await value(ask(cluster, `${maps}/a`))).toBe('2');
});

test('a delayed copy serves reads of an older state, and other reads wait', async () => {
  const cluster = await two();
  await ask(cluster, maps, 'POST', { metadata: { name: 'a' }, data: { value: '1' } });
  await set(cluster, { delay: '5s' });
  await ask(cluster, `${maps}/a`, 'PATCH', { data: { value: '2' } });
  expect(await value(ask(cluster, `/servers/second${maps}/a?resourceVersion=0`))).toBe('1');
  let told: string | undefined;
  const fresh = value(ask(cluster, `/servers/second${maps}/a`)).then((each) => (told = each));
  await pass(cluster, 4);
  expect(told).toBeUndefined();
  await pass(cluster, 2);
  expect(await fresh).toBe('2');
  expect(await value(ask(cluster, `/servers/second${maps}/a?resourceVersion=0`))).toBe('2');
});

test('a shorter delay delivers due changes at once', async () => {
  const cluster = await two();
  await ask(cluster, maps, 'POST', { metadata: { name: 'a' }, data: { value: '1' } });
  await set(cluster, { delay: '1h' });
  await ask(cluster, `${maps}/a`, 'PATCH', { data: { value: '2' } });
  expect(await value(ask(cluster, `/servers/second${maps}/a?resourceVersion=0`))).toBe('1');
  await set(cluster, { delay: 'nonsense' });
  expect(await value(ask(cluster, `/servers/second${maps}/a?resourceVersion=0`))).toBe('2');
});

test('the second server leads, and after it is switched off the first takes over when the lease expires', async () => {
  const cluster = await two();
  const leads = (): boolean => cluster.controllers.view().controllers.length > 0;
  expect([await holder(cluster), leads()]).toEqual(['second', false]);
  await set(cluster, { running: 'false' });
  await pass(cluster, 1);
  const away = await ask(cluster, `/servers/second${maps}`);
  expect(away).toMatchObject({ status: 503, body: { message: expect.stringContaining('switched off') as string } });
  await pass(cluster, 11);
  // Nothing was given back: the lease has to run out.
  expect([await holder(cluster), leads()]).toEqual(['second', false]);
  await pass(cluster, 13);
  expect([await holder(cluster), leads()]).toEqual(['first', true]);
  expect((await ask(cluster, lease)).body.spec?.leaseTransitions).toBe(1);
  await pass(cluster, 10);
  const { subsets } = (await ask(cluster, '/api/v1/namespaces/default/endpoints/kubernetes')).body;
  expect(subsets?.[0]?.addresses).toEqual([{ ip: '192.0.2.1' }]);
  await set(cluster, { running: 'true' });
  expect((await ask(cluster, `/servers/second${settings}`)).body.data).toMatchObject({ running: 'true' });
  await pass(cluster, 12);
  expect(await holder(cluster)).toBe('first');
});

test('pods run whichever server leads', async () => {
  const cluster = await two();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await ask(cluster, deployments, 'POST', {
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  await pass(cluster, 10);
  expect((await ask(cluster, `${deployments}/web`)).body.status).toMatchObject({ readyReplicas: 1 });
  await set(cluster, { running: 'false' });
  await ask(cluster, `${deployments}/web`, 'PATCH', { spec: { replicas: 2 } });
  await pass(cluster, 10);
  expect((await ask(cluster, `${deployments}/web`)).body.status).toMatchObject({ readyReplicas: 1 });
  await pass(cluster, 20);
  expect((await ask(cluster, `${deployments}/web`)).body.status).toMatchObject({ readyReplicas: 2 });
});

test('a watch at the second server ends when it is switched off, and can be resumed at the first', async () => {
  const cluster = await two();
  const { body } = await ask(cluster, maps);
  const from = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  const watch = (base: string): Promise<Response> =>
    cluster.fetch(
      new Request(`http://cluster.local${base}${maps}?watch=1&resourceVersion=${from}&timeoutSeconds=1`),
      AS,
    );
  const there = await watch('/servers/second');
  await ask(cluster, maps, 'POST', { metadata: { name: 'a' } });
  await set(cluster, { running: 'false' });
  expect(await there.text()).toContain('"ADDED"');
  const here = await watch('');
  await pass(cluster, 2);
  expect(await here.text()).toContain('"ADDED"');
});

test('stopping does not wait for a delayed copy, and settings are kept', async () => {
  const cluster = await two();
  await set(cluster, { delay: '1h' });
  await ask(cluster, maps, 'POST', { metadata: { name: 'a' } });
  const waiting = ask(cluster, `/servers/second${maps}/a`);
  await cluster.stop();
  open = undefined;
  expect((await waiting).status).toBe(200);
});

test('the trace has the server of a request that names one', async () => {
  const cluster = await two();
  const seen: string[] = [];
  cluster.trace.listen(
    (event: TraceEvent) => {
      if (event.topic === 'request' && event.stage === 'received' && event.origin === 'page') seen.push(event.url);
    },
    ['request'],
  );
  for (const base of ['', '/servers/first', '/servers/second']) await ask(cluster, `${base}${maps}?limit=1`);
  expect(seen).toEqual([`${maps}?limit=1`, `/servers/first${maps}?limit=1`, `/servers/second${maps}?limit=1`]);
  expect((await ask(cluster, '/servers/third/api')).status).toBe(404);
});
