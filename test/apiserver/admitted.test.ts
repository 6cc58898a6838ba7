/** Requests that store nothing are admitted like those that do: reviews, and connections into pods. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cluster } from '../../src/cluster/index.ts';
import { asRoot, Call, smallCluster } from './flowCluster.ts';

const PODS = '/api/v1/namespaces/default/pods';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
let cluster: Cluster;

beforeAll(async () => {
  cluster = await smallCluster(
    '--disable-admission-plugins=ServiceAccount',
    '--enable-admission-plugins=DenyEscalatingExec',
  );
  const containers = [{ name: 'c', image: 'i' }];
  for (const hostPID of [true, false])
    await asRoot(cluster, 'POST', PODS, {
      metadata: { name: hostPID ? 'dangerous' : 'harmless' },
      spec: { hostPID, containers },
    });
});
afterAll(() => cluster.stop());

async function answerTo(path: string, method = 'GET', body?: object): Promise<Record<string, unknown>> {
  const { answered } = new Call(cluster, 'root', path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return (await (await answered).json()) as Record<string, unknown>;
}

test.each([
  [`${PODS}/dangerous/exec?command=sh`, 403],
  [`${PODS}/dangerous/attach`, 403],
  [`${PODS}/dangerous/portforward?ports=80`, 400],
  [`${PODS}/harmless/exec?command=sh`, 400],
])('%s is answered with %d', async (path, code) => {
  expect(await answerTo(path, 'POST')).toMatchObject({ code });
});

test('an unreachable webhook refuses valid reviews and connections', async () => {
  const webhook = {
    name: 'all.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [
      {
        operations: ['*'],
        apiGroups: ['authorization.k8s.io', ''],
        apiVersions: ['*'],
        resources: ['selfsubjectaccessreviews', 'pods/*'],
      },
    ],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  };
  const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  await asRoot(cluster, 'POST', hooks, { metadata: { name: 'all' }, webhooks: [webhook] });
  const question = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };
  expect(await answerTo(`${AUTHORIZATION}/selfsubjectaccessreviews`, 'POST', question)).toMatchObject({ code: 500 });
  expect(await answerTo(`${AUTHORIZATION}/selfsubjectaccessreviews`, 'POST', { spec: {} })).toMatchObject({
    code: 422,
  });
  expect(await answerTo(`${PODS}/none/exec`, 'POST')).toMatchObject({ code: 403 });
  expect(await answerTo(`${PODS}/none/portforward`, 'POST')).toMatchObject({ code: 500 });
  await asRoot(cluster, 'DELETE', `${hooks}/all`);
  const { status } = await answerTo(`${AUTHORIZATION}/selfsubjectaccessreviews`, 'POST', question);
  expect(status).toMatchObject({ allowed: true });
});
