import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/cluster/index.ts';
import { etcdStorage } from '../../src/hosts/node/etcd/storage.ts';
import { etcdHere, startEtcd, type EtcdServer } from './server.ts';

let etcd: EtcdServer;
const running = new Set<Cluster>();

beforeAll(async () => {
  if (etcdHere.has) etcd = await startEtcd();
});

afterAll(async () => {
  for (const cluster of running) await cluster.stop();
  await etcd?.stop();
});

const election = [
  '--leader-elect-lease-duration=2s',
  '--leader-elect-renew-deadline=1s',
  '--leader-elect-retry-period=200ms',
];

/** One more server of the control plane under a prefix. */
async function serve(prefix: string, address: string): Promise<Cluster> {
  const options: ClusterOptions = {
    name: address,
    naming: 'k8s.io',
    apiserver: [`--etcd-servers=${etcd.url}`, `--etcd-prefix=${prefix}`, `--advertise-address=${address}`],
    controllerManager: election,
    scheduler: election,
    nodes: 1,
  };
  const cluster = await createCluster(options, etcdStorage(options));
  running.add(cluster);
  return cluster;
}

async function stop(cluster: Cluster): Promise<void> {
  running.delete(cluster);
  await cluster.stop();
}

interface Thing {
  readonly metadata: { readonly name: string; readonly uid?: string; readonly resourceVersion: string };
  readonly spec?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

async function ask(cluster: Cluster, path: string, body?: unknown, method = 'POST'): Promise<Response> {
  const init = body === undefined ? {} : { method, body: JSON.stringify(body), headers: JSON_TYPE };
  return cluster.transportAs('admin')(path, init);
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function told<T = Thing>(cluster: Cluster, path: string, body?: unknown, method?: string): Promise<T> {
  const response = await ask(cluster, path, body, method);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const soon = { timeout: 60_000, interval: 50 };
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, value: string) => ({ metadata: { name }, data: { value } });

describe.skipIf(!etcdHere.has)(`one control plane of two servers${etcdHere.has ? '' : ` (${etcdHere.why})`}`, () => {
  let [a, b]: Cluster[] = [];
  const both = (): [Cluster, Cluster] => [a as Cluster, b as Cluster];

  beforeAll(async () => {
    [a, b] = await Promise.all([serve('/plane', '10.9.0.1'), serve('/plane', '10.9.0.2')]);
  }, 60_000);

  test('both have the same keys, so that what one signs the other trusts', async () => {
    const [a, b] = both();
    const files = await Promise.all([a, b].map((each) => each.servingFiles(['localhost'])));
    expect(files[0]?.authority).toBe(files[1]?.authority);
  });

  test('a read at one server shows what the other has just answered', async () => {
    const [a, b] = both();
    await told(a, configMaps, configMap('seen', '0'));
    for (let i = 1; i <= 20; i++) {
      const [writer, reader] = i % 2 ? [a, b] : [b, a];
      const found = await told(writer, `${configMaps}/seen`);
      await told(writer, `${configMaps}/seen`, { ...found, data: { value: `${i}` } }, 'PUT');
      expect(await told(reader, `${configMaps}/seen`)).toMatchObject({ data: { value: `${i}` } });
    }
  });

  test('an older version is refused by either', async () => {
    const [a, b] = both();
    const old = await told(a, configMaps, configMap('raced', '1'));
    await told(b, `${configMaps}/raced`, { ...old, data: { value: '2' } }, 'PUT');
    expect((await ask(a, `${configMaps}/raced`, { ...old, data: { value: '3' } }, 'PUT')).status).toBe(409);
    expect((await ask(a, configMaps, configMap('raced', '4'))).status).toBe(409);
  });

  test('a watch goes on at the other server without a gap', async () => {
    const [a, b] = both();
    const start = await told(a, configMaps, configMap('watched', '0'));
    for (let i = 1; i <= 5; i++)
      await told(
        a,
        `${configMaps}/watched`,
        { ...start, metadata: { name: 'watched' }, data: { value: `${i}` } },
        'PUT',
      );
    const from = start.metadata.resourceVersion;
    const path = `${configMaps}?watch=1&fieldSelector=metadata.name=watched&resourceVersion=${from}&timeoutSeconds=1`;
    const lines = (await (await ask(b, path)).text()).trim().split('\n');
    const values = lines.map((line) => (JSON.parse(line) as { object: { data: { value: string } } }).object.data.value);
    expect(values).toEqual(['1', '2', '3', '4', '5']);
  });

  test('a definition that one takes is served by the other at once', async () => {
    const [a, b] = both();
    const names = { plural: 'crons', singular: 'cron', kind: 'Cron' };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    await told(a, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'crons.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
    });
    const made = vi.waitFor(
      () =>
        told(b, '/apis/example.com/v1/namespaces/default/crons', {
          ...{ apiVersion: 'example.com/v1', kind: 'Cron', metadata: { name: 'one' } },
        }),
      soon,
    );
    expect((await made).metadata.name).toBe('one');
    expect(await told(a, '/apis/example.com/v1/namespaces/default/crons/one')).toMatchObject({ kind: 'Cron' });
  });

  test('addresses and ports of services never collide, and the reference can read what is taken', async () => {
    const path = '/api/v1/namespaces/default/services';
    const service = (i: number) => ({ metadata: { name: `s${i}` }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) => told(both()[i % 2] as Cluster, path, service(i))),
    );
    const specs = made.map(({ spec }) => spec as { clusterIP: string; ports: [{ nodePort: number }] });
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(30);
    expect(new Set(specs.map(({ ports }) => ports[0].nodePort)).size).toBe(30);
    await both()[0].storage.fresh();
    const { value = '' } = both()[0].storage.get('/registry/ranges/servicenodeports') ?? {};
    const taken = JSON.parse(value) as { range: string; data: string };
    expect(taken.range).toBe('30000-32767');
    const bits = BigInt(`0x${Buffer.from(taken.data, 'base64').toString('hex')}`);
    for (const { ports } of specs) expect((bits >> BigInt(ports[0].nodePort - 30000)) & 1n).toBe(1n);
    const asked = { metadata: { name: 'asked' }, spec: { clusterIP: specs[0]?.clusterIP, ports: [{ port: 80 }] } };
    for (const each of both()) expect((await ask(each, path, asked)).status).toBe(422);
    await ask(both()[0], `${path}/s0`, {}, 'DELETE');
    expect(await told(both()[1], path, asked)).toMatchObject({ spec: { clusterIP: specs[0]?.clusterIP } });
  });

  test('the server without nodes leaves it to the other to say whether services in the cluster answer', async () => {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io';
    const isAvailable = async (): Promise<Thing> => {
      const service = await told(both()[0], path);
      expect(service).toMatchObject({ status: { conditions: [{ type: 'Available', status: 'True' }] } });
      return service;
    };
    const { metadata } = await vi.waitFor(isAvailable, soon);
    for (let i = 0; i < 50; i++) await told(both()[i % 2] as Cluster, configMaps, configMap(`turn-${i}`, ''));
    expect((await isAvailable()).metadata).toEqual(metadata);
  }, 120_000);

  test('both are found behind the cluster’s own service', async () => {
    await vi.waitFor(async () => {
      const { subsets } = await told(both()[0], '/api/v1/namespaces/default/endpoints/kubernetes');
      expect(subsets).toMatchObject([{ addresses: [{ ip: '10.9.0.1' }, { ip: '10.9.0.2' }] }]);
    }, soon);
  }, 120_000);

  test('one server leads; when it stops, the other takes over', async () => {
    const leading = (each: Cluster): boolean => each.controllers.view().controllers.length > 0;
    await vi.waitFor(() => expect(both().filter(leading)).toHaveLength(1), soon);
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    await told(both()[0], deployments, {
      metadata: { name: 'web' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    const ready = (each: Cluster, count: number): Promise<void> =>
      vi.waitFor(async () => {
        const { status } = await told(each, `${deployments}/web`);
        expect(status).toMatchObject({ readyReplicas: count });
      }, soon);
    await ready(both()[1], 1);
    // On a busy machine a leader may have lost its lease meanwhile; then one of both leads again soon.
    const leader = await vi.waitFor(() => {
      const found = both().find(leading);
      if (!found) throw new Error('no server leads');
      return found;
    }, soon);
    const other = both().find((each) => each !== leader) as Cluster;
    await stop(leader);
    await vi.waitFor(() => expect(leading(other)).toBe(true), soon);
    await told(other, `${deployments}/web/scale`, { ...scale, spec: { replicas: 2 } }, 'PUT');
    await ready(other, 2);
    const { subsets } = await told(other, '/api/v1/namespaces/default/endpoints/kubernetes');
    expect(subsets).toMatchObject([{ addresses: [{ ip: other.name }] }]);
  }, 120_000);
});

const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web', namespace: 'default' } };
