import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/client/index.ts';
import { chooseAddress, planLoadBalancer } from '../../src/controllers/services/loadBalancer.ts';
import { Bench, deployment, type Loose } from './bench.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints';
const SLICES = '/apis/discovery.cluster.io/v1beta1/namespaces/default/endpointslices';
const CREDENTIALS = { controllerManager: ['--use-service-account-credentials=true'] };

describe('load balancers', () => {
  const finalizer = 'f';
  const service = (type: string, marked: boolean, ingress: object[], leaving = false): Service =>
    ({
      metadata: { finalizers: marked ? [finalizer] : [], ...(leaving ? { deletionTimestamp: 'x' } : {}) },
      spec: { type },
      status: { loadBalancer: { ingress } },
    }) as unknown as Service;
  test.each<[string, Service, string]>([
    ['are made', service('LoadBalancer', false, []), 'ensure'],
    ['are completed', service('LoadBalancer', true, []), 'ensure'],
    ['stay', service('LoadBalancer', true, [{}]), 'nothing'],
    ['go with their service', service('LoadBalancer', true, [{}], true), 'remove'],
    ['go when the type changes', service('ClusterIP', true, [{}]), 'remove'],
    ['are not for other services', service('NodePort', false, []), 'nothing'],
    ['leave an address to whoever wrote it', service('ClusterIP', false, [{}]), 'nothing'],
  ])('%s', (_, of, plan) => expect(planLoadBalancer(of, finalizer)).toBe(plan));

  test('have the requested address, or the first free one', () => {
    expect(chooseAddress(undefined, new Set(['198.51.100.1']))).toBe('198.51.100.2');
    expect(chooseAddress('1.2.3.4', new Set())).toBe('1.2.3.4');
    expect(chooseAddress('1.2.3.4', new Set(['1.2.3.4']))).toBeUndefined();
    const all = new Set(Array.from({ length: 254 }, (_, i) => `198.51.100.${i + 1}`));
    expect(chooseAddress(undefined, all)).toBeUndefined();
  });
});

describe('in a cluster with simulated nodes', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start({ nodes: 2, ...CREDENTIALS });
  });
  afterAll(() => bench.stop());

  const ready = (slices: Loose): string[] =>
    slices.items.flatMap((slice: Loose) => slice.endpoints ?? []).map((endpoint: Loose) => endpoint.addresses[0]);
  const of = (name: string): string => `${SLICES}?labelSelector=cluster.io/service-name%3D${name}`;

  test('a service gets an external address, and loses it with its type', async () => {
    const spec = { type: 'LoadBalancer', selector: { app: 'none' }, ports: [{ port: 80 }] };
    await bench.create(SERVICES, { metadata: { name: 'lb' }, spec });
    const made = await bench.until(`${SERVICES}/lb`, (s) => s.status.loadBalancer.ingress?.length === 1);
    expect(made.status.loadBalancer.ingress).toEqual([{ ip: '198.51.100.1' }]);
    expect(made.metadata.finalizers).toEqual(['service.cluster.io/load-balancer-cleanup']);
    await bench.patch(`${SERVICES}/lb`, { spec: { type: 'ClusterIP' } });
    const plain = await bench.until(`${SERVICES}/lb`, (s) => !s.metadata.finalizers);
    expect(plain.status.loadBalancer).toEqual({});
    // Events are written beside what they tell of.
    await bench.until('/api/v1/namespaces/default/events', ({ items }) =>
      items.some(({ reason }: Loose) => reason === 'DeletedLoadBalancer'),
    );
    expect(await bench.reasons('default', 'Service', 'lb')).toEqual([
      'EnsuringLoadBalancer',
      'EnsuredLoadBalancer',
      'DeletingLoadBalancer',
      'DeletedLoadBalancer',
    ]);
  });

  test('a deleted service is removed after its load balancer', async () => {
    await bench.create(SERVICES, { metadata: { name: 'gone' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    await bench.until(`${SERVICES}/gone`, (s) => s.status.loadBalancer.ingress?.length === 1);
    await bench.delete(`${SERVICES}/gone`);
    await bench.gone(`${SERVICES}/gone`);
  });

  test('slices and Endpoints follow the pods, in the same slice', async () => {
    await bench.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await bench.create(SERVICES, {
      metadata: { name: 'web', labels: { a: 'b' } },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    });
    const before = await bench.until(of('web'), (l) => ready(l).length === 2);
    await bench.patch('/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 3 } });
    const after = await bench.until(of('web'), (l) => ready(l).length === 3);
    expect(after.items.map((s: Loose) => s.metadata.uid)).toEqual(before.items.map((s: Loose) => s.metadata.uid));
    expect(after.items[0].metadata.generation).toBeGreaterThan(before.items[0].metadata.generation);
    expect(after.items[0].metadata.labels).toMatchObject({ a: 'b', 'cluster.io/service-name': 'web' });
    expect(after.items[0].metadata.ownerReferences[0]).toMatchObject({
      kind: 'Service',
      name: 'web',
      controller: true,
    });
    const endpoints = await bench.get(`${ENDPOINTS}/web`);
    expect(endpoints.subsets[0].addresses).toHaveLength(3);
    await bench.patch(`${SERVICES}/web`, { metadata: { labels: { a: 'c' } } });
    await bench.until(of('web'), (l) => l.items[0].metadata.labels.a === 'c');
    await bench.patch('/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 0 } });
    const empty = await bench.until(of('web'), (l) => ready(l).length === 0);
    expect(empty.items.map((s: Loose) => s.metadata.uid)).toEqual(before.items.map((s: Loose) => s.metadata.uid));
  });

  test('a slice loses its last-change annotation when its service is written again', async () => {
    const changed = 'endpoints.cluster.io/last-change-trigger-time';
    const timesOf = ({ items }: Loose): unknown[] => items.map((slice: Loose) => slice.metadata.annotations?.[changed]);
    const spec = { selector: { app: 'nobody' }, ports: [{ port: 80 }] };
    const { metadata } = await bench.create(SERVICES, { metadata: { name: 'empty' }, spec });
    await bench.until(of('empty'), (l) => l.items.length === 1);
    await bench.advance(5_000, 500);
    expect(timesOf(await bench.get(of('empty')))).toEqual([metadata.creationTimestamp]);
    await bench.patch(`${SERVICES}/empty`, { metadata: { annotations: { a: 'b' } } });
    await bench.until(of('empty'), (l) => timesOf(l)[0] === undefined);
  });

  test('manually managed Endpoints are mirrored until their service is deleted', async () => {
    await bench.create(SERVICES, { metadata: { name: 'hand' }, spec: { ports: [{ port: 80 }] } });
    const subsets = [
      { addresses: [{ ip: '192.0.2.1' }], notReadyAddresses: [{ ip: '2001:db8::1' }], ports: [{ port: 80 }] },
    ];
    await bench.create(ENDPOINTS, { metadata: { name: 'hand', labels: { x: 'y' } }, subsets });
    const slices = await bench.until(of('hand'), (l) => l.items.length === 2);
    expect(slices.items.map((s: Loose) => s.addressType).sort()).toEqual(['IPv4', 'IPv6']);
    expect(slices.items[0].metadata.labels.x).toBe('y');
    await bench.patch(`${ENDPOINTS}/hand`, {
      metadata: { labels: { 'endpointslice.cluster.io/skip-mirror': 'true' } },
    });
    await bench.until(of('hand'), (l) => l.items.length === 0);
  });
});

test('without simulated nodes a load balancer stays pending', async () => {
  const bench = await Bench.start(CREDENTIALS);
  try {
    await bench.create(SERVICES, { metadata: { name: 'lb' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    await bench.advance(5_000, 500);
    const waiting = await bench.get(`${SERVICES}/lb`);
    expect(waiting.status.loadBalancer).toEqual({});
    expect(waiting.metadata.finalizers).toBeUndefined();
  } finally {
    await bench.stop();
  }
});
