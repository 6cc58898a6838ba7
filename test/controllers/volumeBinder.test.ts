import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from './bench.ts';

const CORE = '/api/v1/namespaces/default';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ controllerManager: ['--use-service-account-credentials=true'] });
  await bench.create(bench.cluster.names.fill('/apis/storage.{domain}/v1/storageclasses'), {
    ...{ metadata: { name: 'late' }, provisioner: 'example.com/p', volumeBindingMode: 'WaitForFirstConsumer' },
  });
});
afterAll(() => bench.stop());

/** How often each reason was told of a claim. */
async function told(claim: string): Promise<Record<string, number>> {
  const events = await bench.items(`${CORE}/events?fieldSelector=involvedObject.name%3D${claim}`);
  return Object.fromEntries(events.map((e: Loose) => [e.reason, e.count]));
}

test('a waiting claim repeats its event after fifteen seconds, not for every volume or pod', async () => {
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'late',
  };
  await bench.create(`${CORE}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec });
  await bench.until(`${CORE}/persistentvolumeclaims/c`, (claim) => claim.status.phase === 'Pending');
  await bench.advance(1_000);
  expect(await told('c')).toEqual({ WaitForFirstConsumer: 1 });

  await bench.create('/api/v1/persistentvolumes', {
    metadata: { name: 'other' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
  });
  await bench.until('/api/v1/persistentvolumes/other', (volume) => volume.status.phase === 'Available');
  await bench.create(`${CORE}/pods`, {
    metadata: { name: 'p' },
    spec: {
      schedulerName: 'none',
      containers: [{ name: 'c', image: 'nginx' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
    },
  });
  await bench.advance(5_000);
  expect(await told('c')).toEqual({ WaitForFirstConsumer: 1 });

  await bench.advance(10_000);
  expect(await told('c')).toEqual({ WaitForFirstConsumer: 1, WaitForPodScheduled: 1 });
});

test('a new volume is bound at once', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } }, storageClassName: 'x' };
  await bench.create(`${CORE}/persistentvolumeclaims`, { metadata: { name: 'd' }, spec });
  await bench.until(`${CORE}/persistentvolumeclaims/d`, (claim) => claim.status.phase === 'Pending');
  await bench.create('/api/v1/persistentvolumes', {
    metadata: { name: 'd' },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/x' },
      storageClassName: 'x',
    },
  });
  await bench.until(`${CORE}/persistentvolumeclaims/d`, (claim) => claim.status.phase === 'Bound', 2_000);
});

test('a claim that is being deleted still gets a volume', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '3Gi' } }, storageClassName: 'y' };
  const metadata = { name: 'held', finalizers: ['example.com/hold'] };
  await bench.create(`${CORE}/persistentvolumeclaims`, { metadata, spec });
  await bench.until(`${CORE}/persistentvolumeclaims/held`, (claim) => claim.status.phase === 'Pending');
  await bench.delete(`${CORE}/persistentvolumeclaims/held`);
  await bench.create('/api/v1/persistentvolumes', {
    metadata: { name: 'held' },
    spec: { ...spec, resources: undefined, capacity: { storage: '3Gi' }, hostPath: { path: '/x' } },
  });
  await bench.until(`${CORE}/persistentvolumeclaims/held`, (claim) => claim.status.phase === 'Bound');
});
