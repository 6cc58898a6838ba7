import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, listen, type TestCluster } from '../../src/hosts/node/library/index.ts';
import { makeCluster, optionsOf, testCluster } from '../../src/hosts/node/library/testCluster.ts';

const json = { 'content-type': 'application/json' };
const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body), headers: json });
const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';

describe('a cluster in process', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await createCluster({ clock: 'manual', seed: 1 });
  });
  afterAll(() => cluster.stop());

  const names = async (path: string): Promise<string[]> => {
    const { items } = (await (await cluster.fetch(path)).json()) as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  };

  test('serves the API to an administrator, and refuses requests without credentials', async () => {
    expect((await cluster.fetch(configMaps, post({ metadata: { name: 'a' } }))).status).toBe(201);
    expect(await names(configMaps)).toContain('a');
    const anonymous = await cluster.request(new Request(`http://cluster${configMaps}`));
    expect(anonymous.status).toBe(401);
    await cluster.reset();
  });

  test('is as it was after a reset: what was made, changed and deleted', async () => {
    const before = await names(configMaps);
    const { data } = (await (await cluster.fetch(`${configMaps}/kube-root-ca.crt`)).json()) as { data: object };
    for (let round = 0; round < 3; round++) {
      await cluster.fetch(configMaps, post({ metadata: { name: 'made' } }));
      await cluster.fetch(`${configMaps}/kube-root-ca.crt`, {
        method: 'PATCH',
        body: '{"data":{"ca.crt":"changed"}}',
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      const namespace = '/api/v1/namespaces';
      await cluster.fetch(namespace, post({ metadata: { name: `n${round}` } }));
      await cluster.reset();
      expect(await names(configMaps)).toEqual(before);
      expect(await (await cluster.fetch(`${configMaps}/kube-root-ca.crt`)).json()).toMatchObject({ data });
      expect(await names(namespace)).not.toContain(`n${round}`);
    }
  });

  test('takes pods as soon as it is made, and after each reset', async () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    for (let round = 0; round < 3; round++) {
      const made = await cluster.fetch('/api/v1/namespaces/default/pods', post(pod));
      expect([made.status, await made.text()]).toEqual([201, expect.any(String)]);
      await cluster.reset();
    }
  });

  test('signs the tokens of service accounts by an elliptic curve also without a seed', async () => {
    const other = await createCluster();
    const keys = await (await other.fetch('/openid/v1/jwks')).json();
    await other.stop();
    expect(keys).toMatchObject({ keys: [{ kty: 'EC', alg: 'ES256' }] });
  });

  test('gives addresses and ports back at a reset', async () => {
    const service = {
      metadata: { name: 'web' },
      spec: { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30077 }] },
    };
    for (let round = 0; round < 2; round++) {
      expect((await cluster.fetch(services, post(service))).status).toBe(201);
      await cluster.reset();
    }
  });

  test('resets fifty objects with a few writes', async () => {
    const own = await makeCluster(optionsOf({ clock: 'manual', seed: 1 }));
    const { fetch, reset, stop } = await testCluster(own);
    const writes = (): number => own.storage.stats().groups;
    for (let i = 0; i < 50; i++)
      expect((await fetch(configMaps, post({ metadata: { name: `many-${i}` } }))).status).toBe(201);
    const before = writes();
    await reset();
    expect(writes() - before).toBeLessThanOrEqual(3);
    await stop();
  });

  test('lets time pass only when it is told to', async () => {
    const before = cluster.clock.now();
    await cluster.clock.step(3_600_000);
    expect(cluster.clock.now() - before).toBe(3_600_000);
  });
});

test('has ready nodes as soon as it is created, and keeps them at a reset', async () => {
  const cluster = await createCluster({ nodes: 12 });
  const nodes = async (): Promise<readonly unknown[]> => {
    const { items } = (await (await cluster.fetch('/api/v1/nodes')).json()) as {
      items: {
        metadata: { name: string };
        spec: { taints?: object };
        status: { conditions: { type: string; status: string }[] };
      }[];
    };
    return items
      .filter(({ spec }) => spec.taints === undefined)
      .filter(({ status }) => status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      .map(({ metadata }) => metadata.name)
      .sort();
  };
  const all = Array.from({ length: 12 }, (_, at) => `node-${at + 1}`).sort();
  expect(await nodes()).toEqual(all);
  await cluster.reset();
  expect(await nodes()).toEqual(all);
  await cluster.stop();
});

test('does not wait for ever for what flags prevent', async () => {
  const cluster = await createCluster({ nodes: 1, apiserver: ['--authorization-mode=RBAC'] });
  expect((await cluster.fetch('/api/v1/namespaces/default/serviceaccounts/default')).status).toBe(200);
  await cluster.stop();
}, 60_000);

test.each(['--controllers=-*', '--controllers=*,-serviceaccount', '--controllers=*,-serviceaccount-token'])(
  'is made with %s, too',
  async (flag) => {
    const cluster = await createCluster({ clock: 'manual', seed: 1, controllerManager: [flag] });
    expect((await cluster.fetch('/api/v1/namespaces/default')).status).toBe(200);
    await cluster.reset();
    await cluster.stop();
  },
);

test('an option that there is not is refused', async () => {
  const misspelt: object = { nods: 1 };
  await expect(createCluster(misspelt)).rejects.toThrow('nods: there is no such option');
  await expect(listen(misspelt)).rejects.toThrow('nods: there is no such option');
});

test('a cluster at a port has what clients need, and is gone when it is stopped', async () => {
  const server = await listen({ tls: false, seed: 1 });
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/api/v1/namespaces/default`, { headers });
  expect(await answer.json()).toMatchObject({ kind: 'Namespace', metadata: { name: 'default' } });
  expect(server.kubeconfig).toContain(`server: ${server.url}`);
  await server.stop();
  await expect(fetch(`${server.url}/version`)).rejects.toThrow();
});

test('over TLS it names the authority to trust', async () => {
  const server = await listen();
  expect(server.url).toMatch(/^https:/);
  expect(server.authority).toContain('BEGIN CERTIFICATE');
  expect(server.kubeconfig).toContain('certificate-authority-data');
  await server.stop();
});
