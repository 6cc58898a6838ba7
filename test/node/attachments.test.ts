import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachProblem, isForOneNode } from '../../src/controllers/volumes/attachDetach.ts';
import type { PersistentVolume, VolumeAttachment } from '../../src/client/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const VOLUMES = '/api/v1/persistentvolumes';
const STORAGE = '/apis/storage.cluster.io/v1';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({
    nodes: 2,
    apiserver: ['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
});
afterAll(() => bench.stop());

/** A volume of a driver, and a claim that is bound to it. */
async function claim(name: string, driver: string): Promise<void> {
  const modes = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const csi = { driver, volumeHandle: `handle-${name}` };
  await bench.create(VOLUMES, { metadata: { name }, spec: { ...modes, capacity: { storage: '1Gi' }, csi } });
  await bench.create(CLAIMS, {
    metadata: { name },
    spec: { ...modes, volumeName: name, resources: { requests: { storage: '1Gi' } } },
  });
  await bench.until(`${CLAIMS}/${name}`, (c) => c.status.phase === 'Bound');
}

const driver = (name: string, mode: string | undefined, spec: Loose = {}): Promise<Loose> =>
  bench.create(`${STORAGE}/csidrivers`, {
    metadata: { name, ...(mode ? { annotations: { 'simulation.vitrine.dev/driver': mode } } : {}) },
    spec,
  });

const pod = (name: string, claimName: string, nodeName = 'node-1'): Promise<Loose> =>
  bench.create(PODS, {
    metadata: { name },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'nginx', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      terminationGracePeriodSeconds: 0,
    },
  });

const isRunning = (object: Loose): boolean => object.status?.phase === 'Running';
const node = (name = 'node-1'): Promise<Loose> => bench.get(`/api/v1/nodes/${name}`);

async function messages(name: string, reason: string): Promise<string[]> {
  const events = await bench.items('/api/v1/namespaces/default/events');
  return events.filter((e) => e.involvedObject.name === name && e.reason === reason).map((e) => e.message);
}

describe('28. a volume of a storage driver', () => {
  test('is mounted when it is attached, and detached when its pod is gone', async () => {
    await driver('sim.example.com', 'attach');
    await claim('good', 'sim.example.com');
    await pod('good', 'good');
    await bench.until(`${PODS}/good`, isRunning);
    const name = 'cluster.io/csi/sim.example.com^handle-good';
    expect((await node()).status).toMatchObject({
      volumesInUse: [name],
      volumesAttached: [{ name, devicePath: '' }],
    });
    expect(await messages('good', 'SuccessfulAttachVolume')).toEqual([
      'AttachVolume.Attach succeeded for volume "good" ',
    ]);
    await bench.delete(`${PODS}/good`);
    await bench.gone(`${PODS}/good`);
    await bench.until('/api/v1/nodes/node-1', ({ status }) => !status.volumesInUse && !status.volumesAttached);
    expect(await bench.items(`${STORAGE}/volumeattachments`)).toEqual([]);
  });

  test('that is never attached keeps its pod waiting, and events say why', async () => {
    await claim('nobody', 'other.example.com');
    await pod('nobody', 'nobody');
    await bench.advance(130_000, 1000);
    expect((await bench.get(`${PODS}/nobody`)).status.containerStatuses[0].state.waiting.reason).toBe(
      'ContainerCreating',
    );
    const [mount] = await messages('nobody', 'FailedMount');
    expect(mount).toMatch(
      /^Unable to attach or mount volumes: unmounted volumes=\[data\], unattached volumes=\[data default-token-\w+\]: timed out waiting for the condition$/,
    );
    expect(await messages('nobody', 'FailedAttachVolume')).toEqual([
      'AttachVolume.Attach failed for volume "nobody" : attachment timeout for volume handle-nobody',
    ]);
    // The driver comes; the volume is attached, and the pod goes on without waiting for its next try.
    await driver('other.example.com', 'attach');
    await bench.until(`${PODS}/nobody`, isRunning, 5_000);
  });

  test('that can not be attached is told with what the driver says, until it can', async () => {
    await driver('fail.example.com', 'fail');
    await claim('failing', 'fail.example.com');
    await pod('failing', 'failing');
    await bench.advance(2000, 100);
    expect(await messages('failing', 'FailedAttachVolume')).toEqual([
      expect.stringMatching(/^AttachVolume.Attach failed for volume "failing" : rpc error: /),
    ]);
    const annotations = { 'simulation.vitrine.dev/driver': 'attach' };
    await bench.patch(`${STORAGE}/csidrivers/fail.example.com`, { metadata: { annotations } });
    await bench.until(`${PODS}/failing`, isRunning);
  });

  test('whose driver does not attach is mounted at once', async () => {
    await driver('plain.example.com', undefined, { attachRequired: false });
    await claim('plain', 'plain.example.com');
    await pod('plain', 'plain');
    await bench.until(`${PODS}/plain`, isRunning);
    const attachments = await bench.items(`${STORAGE}/volumeattachments`);
    expect(attachments.map(({ spec }) => spec.attacher)).not.toContain('plain.example.com');
  });

  test('for one node waits until another has let it go', async () => {
    await claim('moves', 'sim.example.com');
    await pod('first', 'moves');
    await bench.until(`${PODS}/first`, isRunning);
    await pod('second', 'moves', 'node-2');
    await bench.advance(2000, 100);
    expect(await messages('second', 'FailedAttachVolume')).toEqual([
      'Multi-Attach error for volume "moves" Volume is already used by pod(s) first',
    ]);
    await bench.delete(`${PODS}/first`);
    await bench.until(`${PODS}/second`, isRunning);
  });
});

describe('28. a volume for one node', () => {
  test.each([
    ['has succeeded', (name: string) => once(name, `echo done`)],
    [
      'was evicted',
      async (name: string) => {
        await once(name, 'sleep 1; head -c 3000 /dev/zero > /e/f; sleep 100000', { sizeLimit: '1k' });
      },
    ],
  ])('is free for another once its pod %s', async (what, start) => {
    const name = what.replaceAll(' ', '-');
    await claim(name, 'sim.example.com');
    await start(name);
    await bench.until(`${PODS}/${name}`, (p) => ['Succeeded', 'Failed'].includes(p.status.phase), 120_000);
    await pod(`${name}-next`, name, 'node-2');
    await bench.until(`${PODS}/${name}-next`, isRunning);
    const inUse = (await node()).status.volumesInUse ?? [];
    expect(inUse.filter((each: string) => each.endsWith(name))).toEqual([]);
  });

  const once = (name: string, command: string, emptyDir: Loose = {}): Promise<Loose> =>
    bench.create(PODS, {
      metadata: { name },
      spec: {
        ...{ nodeName: 'node-1', restartPolicy: 'Never', terminationGracePeriodSeconds: 0 },
        containers: [
          {
            ...{ name: 'c', image: 'busybox', command: ['sh', '-c', command] },
            volumeMounts: [
              { name: 'data', mountPath: '/data' },
              { name: 'e', mountPath: '/e' },
            ],
          },
        ],
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: name } },
          { name: 'e', emptyDir },
        ],
      },
    });

  test('is taken after six minutes from a node that is off', async () => {
    await claim('stuck', 'sim.example.com');
    await pod('holder', 'stuck');
    await bench.until(`${PODS}/holder`, isRunning);
    const down = (value: string | null): Promise<Loose> =>
      bench.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'simulation.vitrine.dev/down': value } } });
    await down('true');
    await bench.advance(1000);
    await bench.delete(`${PODS}/holder`, { gracePeriodSeconds: 0 });
    await pod('successor', 'stuck', 'node-2');
    await bench.advance(340_000, 1000);
    expect(isRunning(await bench.get(`${PODS}/successor`))).toBe(false);
    await bench.advance(25_000, 500);
    await bench.until(`${PODS}/successor`, isRunning, 10_000);
    await down(null);
    await bench.until('/api/v1/nodes/node-1', ({ status }) =>
      status.conditions.some((c: Loose) => c.type === 'Ready' && c.status === 'True'),
    );
  });
});

describe('28. a volume that can not be attached', () => {
  test('is an event of each pod that waits for it, again and again, ever less often', async () => {
    await driver('broken.example.com', 'fail');
    await claim('broken', 'broken.example.com');
    const attached = async (name: string): Promise<Loose> =>
      (await bench.items('/api/v1/namespaces/default/events')).find(
        (e) => e.involvedObject.name === name && e.reason === 'FailedAttachVolume',
      );
    await pod('broken-1', 'broken');
    await bench.advance(2000, 100);
    await pod('broken-2', 'broken');
    await bench.advance(2000, 100);
    expect(await attached('broken-2')).toBeDefined();
    await bench.advance(60_000, 500);
    const { count } = await attached('broken-1');
    expect(count).toBeGreaterThan(3);
    expect(count).toBeLessThan(12);
    await bench.delete(`${PODS}/broken-1`);
    await bench.delete(`${PODS}/broken-2`);
    await bench.gone(`${PODS}/broken-2`);
    await pod('broken-3', 'broken');
    await bench.advance(3000, 100);
    expect(await attached('broken-3')).toBeDefined();
  });
});

test('10. a claim that is not there keeps its pod waiting', async () => {
  await pod('claimless', 'no-claim');
  await bench.advance(3000, 100);
  expect((await messages('claimless', 'FailedMount'))[0]).toMatch(
    /^Unable to attach or mount volumes: unmounted volumes=\[data\], unattached volumes=\[data default-token-\w+\]: error processing PVC default\/no-claim: failed to fetch PVC from API server: persistentvolumeclaims "no-claim" not found$/,
  );
});

describe('why a volume is not attached', () => {
  const volume = { metadata: { name: 'v' }, spec: { csi: { driver: 'd', volumeHandle: 'h' } } } as PersistentVolume;
  const made = (status: Loose): VolumeAttachment =>
    ({ metadata: { creationTimestamp: '2020-01-01T00:00:00Z' }, spec: {}, status }) as VolumeAttachment;
  const start = Date.parse('2020-01-01T00:00:00Z');
  test.each<[string, Loose, number, string | undefined]>([
    ['it is', { attached: true }, 500_000, undefined],
    ['nobody has come to it', { attached: false }, 119_999, undefined],
    ['nobody came to it', { attached: false }, 120_000, 'attachment timeout for volume h'],
    ['it failed', { attached: false, attachError: { message: 'no' } }, 0, 'no'],
  ])('%s', (_, status, age, expected) => {
    const problem = attachProblem(volume, made(status), start + age);
    expect(problem).toBe(expected && `AttachVolume.Attach failed for volume "v" : ${expected}`);
  });

  test.each([
    [['ReadWriteOnce'], true],
    [['ReadWriteOnce', 'ReadOnlyMany'], false],
    [['ReadWriteMany'], false],
    [[], false],
  ])('modes %j are for one node: %s', (accessModes, expected) => {
    expect(isForOneNode({ ...volume, spec: { ...volume.spec, accessModes } } as PersistentVolume)).toBe(expected);
  });
});
