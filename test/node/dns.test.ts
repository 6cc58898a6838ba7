/** The name server as it stands in a cluster: what is installed, what pods see of it, what happens without it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const SYSTEM = '/api/v1/namespaces/kube-system';
const DEPLOYMENT = '/apis/apps/v1/namespaces/kube-system/deployments/coredns';
const CORE = '/api/v1/namespaces/default';
const POLICIES = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 2, naming: 'k8s.io', addons: ['dns'] });
  await bench.until(DEPLOYMENT, (deployment) => deployment.status?.readyReplicas === 2);
  const loop = 'while true; do nslookup kubernetes.default >/dev/null && echo known || echo unknown; sleep 1; done';
  await bench.create(`${CORE}/pods`, {
    metadata: { name: 'client', labels: { app: 'client' } },
    spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', loop] }] },
  });
});
afterAll(() => bench.stop());

/** Waits until the last lines of the loop say the same. */
async function untilNames(are: 'known' | 'unknown'): Promise<void> {
  const log = `${CORE}/pods/client/log?container=c&tailLines=2`;
  await bench.until(log, (text: Loose) => String(text) === `${are}\n${are}\n`);
}

test('it is installed as in the field, without anybody having made a pod', async () => {
  const service = await bench.get(`${SYSTEM}/services/kube-dns`);
  expect(service.spec).toMatchObject({ clusterIP: '10.0.0.10', selector: { 'k8s-app': 'kube-dns' } });
  expect(service.metadata.labels).toEqual({
    'k8s-app': 'kube-dns',
    'kubernetes.io/cluster-service': 'true',
    'kubernetes.io/name': 'KubeDNS',
  });
  const ports = service.spec.ports.map((port: Loose) => `${port.name} ${port.port}/${port.protocol}`);
  expect(ports).toEqual(['dns 53/UDP', 'dns-tcp 53/TCP', 'metrics 9153/TCP']);
  const pods = await bench.items(`${SYSTEM}/pods?labelSelector=k8s-app%3Dkube-dns`);
  expect(pods.map(({ spec }: Loose) => [spec.priorityClassName, spec.serviceAccountName, spec.dnsPolicy])).toEqual(
    Array.from({ length: 2 }, () => ['system-cluster-critical', 'coredns', 'Default']),
  );
});

describe('a pod looks names up', () => {
  test('while the pods are there', () => untilNames('known'));

  test('not when a policy closes egress, and again when another one names the pods by label', async () => {
    const podSelector = { matchLabels: { app: 'client' } };
    await bench.create(POLICIES, { metadata: { name: 'none' }, spec: { podSelector, policyTypes: ['Egress'] } });
    await untilNames('unknown');
    const to = [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }];
    const egress = [{ to, ports: [{ protocol: 'UDP', port: 53 }] }];
    await bench.create(POLICIES, { metadata: { name: 'dns' }, spec: { podSelector, policyTypes: ['Egress'], egress } });
    await untilNames('known');
  });

  test('not when there are no pods, and again when there are', async () => {
    await bench.patch(DEPLOYMENT, { spec: { replicas: 0 } });
    await untilNames('unknown');
    await bench.patch(DEPLOYMENT, { spec: { replicas: 1 } });
    await untilNames('known');
  });

  test('after a deleted pod was replaced', async () => {
    const [pod] = await bench.items(`${SYSTEM}/pods?labelSelector=k8s-app%3Dkube-dns`);
    await bench.delete(`${SYSTEM}/pods/${pod.metadata.name}`);
    await bench.until(`${SYSTEM}/pods?labelSelector=k8s-app%3Dkube-dns`, ({ items }) =>
      items.every(({ metadata }: Loose) => metadata.name !== pod.metadata.name),
    );
    await untilNames('known');
  });
});

test('a long step of the clock does not ask after its health each time', async () => {
  const [pod] = await bench.items(`${SYSTEM}/pods?labelSelector=k8s-app%3Dkube-dns`);
  await bench.delete(`${CORE}/pods/client`, { gracePeriodSeconds: 0 });
  const { clock } = bench.cluster;
  for (let i = 0; i < 20; i++) await clock.step(1000);
  let asked = 0;
  const stop = bench.cluster.trace.listen((event) => void (event.topic === 'flow' && asked++), ['flow']);
  await clock.step(3_600_000);
  stop();
  // Two probes of a pod, once each ten seconds, would be 720.
  expect(asked).toBeLessThan(100);
  const after = await bench.get(`${SYSTEM}/pods/${pod.metadata.name}`);
  expect(after.status.containerStatuses).toMatchObject([{ ready: true, restartCount: 0 }]);
});

describe('a cluster', () => {
  test('of the other profile has it by the names of that profile', async () => {
    const other = await Bench.start({ nodes: 1, addons: ['dns'] });
    await other.until(
      '/apis/apps/v1/namespaces/cluster-system/deployments/coredns',
      (d) => d.status?.readyReplicas === 2,
    );
    const service = await other.get('/api/v1/namespaces/cluster-system/services/cluster-dns');
    expect(service.spec.selector).toEqual({ 'k8s-app': 'cluster-dns' });
    await other.stop();
  });

  test('that does not ask for it has none of its objects', async () => {
    const bare = await Bench.start({ nodes: 1, naming: 'k8s.io' });
    expect((await bare.items(`${SYSTEM}/pods`)).length).toBe(0);
    expect((await bare.get(`${SYSTEM}/services/kube-dns`)).code).toBe(404);
    expect((await bare.get(DEPLOYMENT)).code).toBe(404);
    await bare.stop();
  });

  test('whose address for it is taken already goes without, and the simulation answers', async () => {
    const disk = memoryDisk();
    const before = await Bench.start({ naming: 'k8s.io' }, { backend: memoryBackend(disk) });
    const spec = { clusterIP: '10.0.0.10', ports: [{ port: 80 }] };
    await before.create(`${CORE}/services`, { metadata: { name: 'first' }, spec });
    await before.stop();
    const after = await Bench.start({ naming: 'k8s.io', nodes: 1, addons: ['dns'] }, { backend: memoryBackend(disk) });
    const loop = 'until nslookup first; do sleep 1; done; echo found';
    const pod = { spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', loop] }] } };
    await after.create(`${CORE}/pods`, { metadata: { name: 'client' }, ...pod });
    await after.until(`${CORE}/pods/client/log`, (text: Loose) => String(text).endsWith('found\n'));
    expect((await after.get(`${SYSTEM}/services/kube-dns`)).code).toBe(404);
    expect((await after.get(DEPLOYMENT)).code).toBe(404);
    await after.stop();
  });
});
