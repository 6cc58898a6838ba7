/** What becomes of volumes whose claims are gone, and the claims of ephemeral volumes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from './bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const VOLUMES = '/api/v1/persistentvolumes';

let bench: Bench;

beforeAll(async () => {
  const gates = '--feature-gates=GenericEphemeralVolume=true';
  bench = await Bench.start({ apiserver: [gates], controllerManager: [gates] });
});
afterAll(() => bench.stop());

/** A volume whose claim has gone. */
async function released(name: string, persistentVolumeReclaimPolicy: string, more: Loose): Promise<void> {
  const { metadata = {}, storage = '1Gi', ...source } = more;
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  await bench.create(VOLUMES, {
    metadata: { name, ...metadata },
    spec: { ...spec, capacity: { storage }, persistentVolumeReclaimPolicy, ...source },
  });
  const resources = { requests: { storage: '1' } };
  await bench.create(CLAIMS, { metadata: { name }, spec: { ...spec, volumeName: name, resources } });
  await bench.until(`${CLAIMS}/${name}`, (claim) => claim.status.phase === 'Bound');
  await bench.delete(`${CLAIMS}/${name}`);
}

const inPhase = (name: string, phase: string): Promise<Loose> =>
  bench.until(`${VOLUMES}/${name}`, ({ status }) => status.phase === phase);

async function told(name: string): Promise<string[][]> {
  await bench.advance(200);
  const events = await bench.items('/api/v1/namespaces/default/events');
  return events.filter((e) => e.involvedObject.name === name).map((e) => [e.type, e.reason, e.message]);
}

const nfs = { nfs: { server: 's', path: '/' } };

describe('a released volume', () => {
  test('is kept with the policy Retain', async () => {
    await released('kept', 'Retain', nfs);
    const { spec } = await inPhase('kept', 'Released');
    await bench.advance(2000);
    expect((await bench.get(`${VOLUMES}/kept`)).status).toEqual({ phase: 'Released' });
    expect([spec.claimRef.name, await told('kept')]).toEqual(['kept', []]);
  });

  test('is deleted with the policy Delete, if possible', async () => {
    await released('scratch', 'Delete', { hostPath: { path: '/tmp/scratch' } });
    await bench.gone(`${VOLUMES}/scratch`);
  });

  test('is left to its external provisioner', async () => {
    const annotations = { 'pv.cluster.io/provisioned-by': 'theirs.example' };
    await released('theirs', 'Delete', { metadata: { annotations }, ...nfs });
    await inPhase('theirs', 'Released');
    await bench.advance(2000);
    expect((await bench.get(`${VOLUMES}/theirs`)).status).toEqual({ phase: 'Released' });
  });

  test.each([
    [
      'a folder beside /tmp',
      'outside',
      { hostPath: { path: '/data' } },
      'host_path deleter only supports /tmp/.+ but received provided /data',
    ],
    [
      'a share',
      'share',
      nfs,
      'Error getting deleter volume plugin for volume "share": no deletable volume plugin matched',
    ],
  ])('fails if it is %s with the policy Delete', async (_what, name, source, message) => {
    await released(name, 'Delete', source);
    const { status } = await inPhase(name, 'Failed');
    expect(status).toEqual({ phase: 'Failed', message });
    // It is tried again, but said once.
    await bench.advance(40_000, 1000);
    expect(await told(name)).toEqual([['Warning', 'VolumeFailedDelete', message]]);
  });

  test('fails if nothing can recycle it', async () => {
    await released('disk', 'Recycle', { csi: { driver: 'd', volumeHandle: 'h' } });
    const message = 'No recycler plugin found for the volume!';
    expect((await inPhase('disk', 'Failed')).status).toEqual({ phase: 'Failed', message });
    expect(await told('disk')).toEqual([['Warning', 'VolumeFailedRecycle', message]]);
  });

  test.each([
    ['hostPath', 'small', { hostPath: { path: '/x' }, storage: '1Gi' }, 60],
    ['hostPath', 'large', { hostPath: { path: '/x' }, storage: '2560Mi' }, 60],
    ['hostPath', 'larger', { hostPath: { path: '/x' }, storage: '5Gi' }, 150],
    ['nfs', 'small', nfs, 300],
    ['nfs', 'large', { ...nfs, storage: '20Gi' }, 600],
  ])('is recycled by a pod with a deadline: %s, %s', async (source, size, more, seconds) => {
    const name = `${source.toLowerCase()}-${size}`;
    await released(name, 'Recycle', more);
    const { spec } = await bench.until(`${PODS}/recycler-for-${name}`, ({ kind }) => kind === 'Pod');
    expect([spec.activeDeadlineSeconds, spec.restartPolicy]).toEqual([seconds, 'Never']);
    expect(Object.keys(spec.volumes[0]).sort()).toEqual([source, 'name'].sort());
    expect(spec.containers[0].volumeMounts).toContainEqual({ name: 'vol', mountPath: '/scrub' });
    expect(spec.containers[0].args.join(' ')).toMatch(/^-c test -e \/scrub && rm -rf/);
  });

  const ended = (name: string, status: object): Promise<Loose> =>
    bench
      .until(`${PODS}/recycler-for-${name}`, ({ kind }) => kind === 'Pod')
      .then(() => bench.patch(`${PODS}/recycler-for-${name}/status`, { status }));

  test('is available again once it is empty', async () => {
    await released('again', 'Recycle', nfs);
    await ended('again', { phase: 'Running' });
    await bench.advance(1000);
    expect((await bench.get(`${VOLUMES}/again`)).status.phase).toBe('Released');
    await ended('again', { phase: 'Succeeded' });
    const { spec } = await inPhase('again', 'Available');
    expect(spec.claimRef).toBeUndefined();
    expect(await told('again')).toContainEqual(['Normal', 'VolumeRecycled', 'Volume recycled']);
    await bench.delete(`${PODS}/recycler-for-again`, { gracePeriodSeconds: 0 });
  });

  test('is not recycled while a pod uses it', async () => {
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }];
    const user = { schedulerName: 'none', containers: [{ name: 'c', image: 'nginx' }], volumes };
    await bench.create(PODS, { metadata: { name: 'user' }, spec: user });
    await released('used', 'Recycle', nfs);
    await inPhase('used', 'Released');
    expect(await told('used')).toContainEqual([
      'Normal',
      'VolumeFailedRecycle',
      'Volume is used by pods: default/user',
    ]);
    expect((await bench.get(`${PODS}/recycler-for-used`)).code).toBe(404);
    await bench.delete(`${PODS}/user`);
    await bench.until(`${PODS}/recycler-for-used`, ({ kind }) => kind === 'Pod');
  });

  test.each([
    ['a reason', { phase: 'Failed', message: 'it was full' }, 'Recycler failed: it was full'],
    ['none', { phase: 'Failed' }, 'Recycler failed: pod failed'],
  ])('fails if the recycler pod fails, with %s', async (what, status, message) => {
    const name = `fails-${what.replace(' ', '-')}`;
    await released(name, 'Recycle', nfs);
    await ended(name, status);
    expect((await inPhase(name, 'Failed')).status.message).toBe(message);
    expect(await told(name)).toContainEqual(['Warning', 'VolumeFailedRecycle', message]);
  });
});

describe('an ephemeral volume', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const volumeClaimTemplate = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec };
  const pod = (name: string): Promise<Loose> =>
    bench.create(PODS, {
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: 'nginx' }],
        volumes: [
          { name: 'data', ephemeral: { volumeClaimTemplate } },
          { name: 'none', emptyDir: {} },
        ],
      },
    });
  const isThere = ({ kind, metadata }: Loose): boolean =>
    kind === 'PersistentVolumeClaim' && metadata.deletionTimestamp === undefined;

  test('has a claim owned by its pod, and another after that is deleted', async () => {
    const { metadata } = await pod('with');
    const claim = await bench.until(`${CLAIMS}/with-data`, isThere);
    expect(claim.metadata).toMatchObject({ labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(claim.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Pod', name: 'with', uid: metadata.uid, controller: true, blockOwnerDeletion: true },
    ]);
    await bench.patch(`${CLAIMS}/with-data`, { metadata: { finalizers: null } });
    await bench.delete(`${CLAIMS}/with-data`);
    const isOther = (now: Loose): boolean => isThere(now) && now.metadata.uid !== claim.metadata.uid;
    await bench.until(`${CLAIMS}/with-data`, isOther);
  });

  test('does not use the claim of another owner', async () => {
    await bench.create(CLAIMS, { metadata: { name: 'taken-data' }, spec });
    await pod('taken');
    await bench.advance(1000);
    expect((await bench.get(`${CLAIMS}/taken-data`)).metadata.ownerReferences).toBeUndefined();
  });

  test('with a refused claim is reported to its pod', async () => {
    const hard = { 'count/persistentvolumeclaims': '0' };
    await bench.create('/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
    await bench.until('/api/v1/namespaces/default/resourcequotas/q', ({ status }) => status.hard !== undefined);
    await pod('refused');
    await bench.advance(500);
    const events = (await told('refused')).filter(([, reason]) => reason === 'FailedBinding');
    expect(events[0]?.[2]).toMatch(/^PVC creation failed: .*exceeded quota: q/);
  });
});
