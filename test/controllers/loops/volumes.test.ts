/** What the volume controllers write. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  persistentVolumeClaims as claims,
  persistentVolumes as volumes,
  pods,
  storageClasses,
} from '../../../src/client/index.ts';
import { Lab, ownedBy, type Loose } from '../lab.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.stop());

const claim = (name: string, spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns', ...more.metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  status: { phase: 'Pending', ...more.status },
});
const volume = (name: string, spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name, ...more.metadata },
  spec: {
    ...{ accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, persistentVolumeReclaimPolicy: 'Retain' },
    ...{ nfs: { server: 's', path: '/' }, ...spec },
  },
  status: { phase: 'Available', ...more.status },
});
const user = (name: string, claimName: string, spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns' },
  spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }], ...spec },
  status: { phase: 'Running', ...more },
});
const refTo = (name: string, more: Loose = {}): Loose => ({
  kind: 'PersistentVolumeClaim',
  namespace: 'ns',
  name,
  uid: `uid-${name}`,
  ...more,
});

describe('the binder', () => {
  const start = (...flags: string[]): Promise<void> => lab.start(['persistentvolume-binder'], { flags });

  test('binds a claim and a volume, the volume first', async () => {
    lab.server.put(volumes, volume('v'));
    lab.server.put(claims, claim('c'));
    await start();
    expect(await lab.requests()).toEqual([
      'PUT persistentvolumes/v',
      'PUT persistentvolumes/v/status',
      'PUT namespaces/ns/persistentvolumeclaims/c',
      'PUT namespaces/ns/persistentvolumeclaims/c/status',
    ]);
    expect(lab.server.get(volumes, 'v')).toMatchObject({
      metadata: { annotations: { 'pv.cluster.io/bound-by-controller': 'yes' } },
      spec: {
        claimRef: {
          kind: 'PersistentVolumeClaim',
          apiVersion: 'v1',
          namespace: 'ns',
          name: 'c',
          uid: 'uid-c',
          resourceVersion: '2',
        },
      },
      status: { phase: 'Bound' },
    });
    expect(lab.server.get(claims, 'ns/c')).toMatchObject({
      metadata: { annotations: { 'pv.cluster.io/bind-completed': 'yes', 'pv.cluster.io/bound-by-controller': 'yes' } },
      spec: { volumeName: 'v' },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    });
    expect(await lab.events()).toEqual([]);
  });

  test('leaves out its mark where the user named the claim or the volume', async () => {
    lab.server.put(volumes, volume('v', { claimRef: { namespace: 'ns', name: 'c' } }));
    lab.server.put(claims, claim('c', { volumeName: 'v' }));
    await start();
    expect(lab.server.get(volumes, 'v').metadata.annotations).toEqual({});
    expect(lab.server.get(volumes, 'v').spec.claimRef.uid).toBe('uid-c');
    expect(lab.server.get(claims, 'ns/c').metadata.annotations).toEqual({ 'pv.cluster.io/bind-completed': 'yes' });
  });

  test('completes a binding that was interrupted, and writes nothing twice', async () => {
    lab.server.put(volumes, volume('v', { claimRef: refTo('c') }, { status: { phase: 'Bound' } }));
    const annotations = { 'pv.cluster.io/bind-completed': 'yes' };
    lab.server.put(claims, claim('c', { volumeName: 'v' }, { metadata: { annotations } }));
    await start();
    expect(await lab.requests()).toEqual(['PUT namespaces/ns/persistentvolumeclaims/c/status']);
    lab.server.change(claims, 'ns/c', { metadata: { labels: { x: 'y' } } });
    lab.server.change(volumes, 'v', { metadata: { labels: { x: 'y' } } });
    expect(await lab.requests()).toEqual([]);
  });

  test('keeps the capacity of a bound claim when the volume grows', async () => {
    lab.server.put(
      volumes,
      volume('v', { capacity: { storage: '2Gi' }, claimRef: refTo('c') }, { status: { phase: 'Bound' } }),
    );
    const annotations = { 'pv.cluster.io/bind-completed': 'yes' };
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    lab.server.put(claims, claim('c', { volumeName: 'v' }, { metadata: { annotations }, status }));
    await start();
    expect(await lab.requests()).toEqual([]);
  });

  test('writes that a claim is lost, once', async () => {
    const annotations = { 'pv.cluster.io/bind-completed': 'yes' };
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    lab.server.put(claims, claim('c', { volumeName: 'gone' }, { metadata: { annotations }, status }));
    await start();
    lab.server.change(claims, 'ns/c', { metadata: { labels: { x: 'y' } } });
    await lab.settle();
    expect(lab.server.get(claims, 'ns/c').status).toEqual({ phase: 'Lost' });
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/c: Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    ]);
  });

  test('says why a claim waits, once in each period of 15 seconds or when the claim changes', async () => {
    lab.server.put(claims, claim('c'));
    await start();
    const why =
      'PersistentVolumeClaim ns/c: Normal FailedBinding no persistent volumes available for this claim and no storage class is set';
    expect(await lab.events()).toEqual([why]);
    lab.server.put(volumes, volume('small', { capacity: { storage: '1' } }));
    await lab.pass(14);
    expect(await lab.events()).toEqual([]);
    await lab.pass(1);
    expect(await lab.events()).toEqual([why]);
    lab.server.change(claims, 'ns/c', { metadata: { labels: { x: 'y' } } });
    expect(await lab.events()).toEqual([why]);
    lab.server.put(volumes, volume('v'));
    await lab.settle();
    expect(lab.server.get(claims, 'ns/c').spec.volumeName).toBe('v');
  });

  test('looks at a claim again when its class comes', async () => {
    lab.server.put(claims, claim('c', { storageClassName: 'fast' }));
    lab.server.put(claims, claim('other', { storageClassName: 'slow' }));
    await start();
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/c: Warning ProvisioningFailed storageclass.storage.cluster.io "fast" not found',
      'PersistentVolumeClaim ns/other: Warning ProvisioningFailed storageclass.storage.cluster.io "slow" not found',
    ]);
    lab.server.put(storageClasses, { metadata: { name: 'fast' }, provisioner: 'cluster.io/disk' });
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/c: Warning ProvisioningFailed no volume plugin matched name: cluster.io/disk',
    ]);
  });

  test('waits for the pods of a claim whose class binds late', async () => {
    lab.server.put(storageClasses, {
      metadata: { name: 'late' },
      provisioner: 'p',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    lab.server.put(claims, claim('none', { storageClassName: 'late' }));
    lab.server.put(claims, claim('one', { storageClassName: 'late' }));
    lab.server.put(pods, user('p', 'one'));
    lab.server.put(pods, user('placed', 'one', { nodeName: 'n' }));
    await start();
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/none: Normal WaitForFirstConsumer waiting for first consumer to be created before binding',
      'PersistentVolumeClaim ns/one: Normal WaitForPodScheduled waiting for pod p to be scheduled',
    ]);
  });

  test('tells claim and volume that their modes differ', async () => {
    lab.server.put(volumes, volume('v', { claimRef: refTo('c'), volumeMode: 'Block' }));
    lab.server.put(claims, claim('c'));
    await start();
    expect((await lab.events()).filter((text) => text.includes('VolumeMismatch'))).toEqual([
      'PersistentVolume v: Warning VolumeMismatch Cannot bind PersistentVolume to requested PersistentVolumeClaim "c" due to incompatible volumeMode.',
      'PersistentVolumeClaim ns/c: Warning VolumeMismatch Cannot bind PersistentVolume "v" to requested PersistentVolumeClaim due to incompatible volumeMode.',
    ]);
  });

  test('frees a volume whose claim has another one, but keeps a reservation of the user', async () => {
    const annotations = { 'pv.cluster.io/bound-by-controller': 'yes', other: 'x' };
    lab.server.put(claims, claim('c', { volumeName: 'mine' }));
    lab.server.put(
      volumes,
      volume('freed', { claimRef: refTo('c') }, { metadata: { annotations }, status: { phase: 'Bound' } }),
    );
    lab.server.put(volumes, volume('reserved', { claimRef: refTo('c') }, { status: { phase: 'Bound', message: 'm' } }));
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    lab.server.put(
      volumes,
      volume('leaving', { claimRef: refTo('c') }, { metadata: { annotations, deletionTimestamp } }),
    );
    await start();
    expect(lab.server.get(volumes, 'freed').metadata.annotations).toEqual({ other: 'x' });
    expect(lab.server.get(volumes, 'freed').spec.claimRef).toBeUndefined();
    expect(lab.server.get(volumes, 'reserved')).toMatchObject({
      metadata: { annotations: {} },
      status: { phase: 'Available' },
    });
    expect(lab.server.get(volumes, 'reserved').spec.claimRef).toEqual({
      kind: 'PersistentVolumeClaim',
      namespace: 'ns',
      name: 'c',
    });
    expect(lab.server.get(volumes, 'reserved').status).toEqual({ phase: 'Available' });
    expect(lab.server.get(volumes, 'leaving').spec.claimRef).toEqual(refTo('c'));
  });

  test('marks a new volume Available', async () => {
    lab.server.put(volumes, volume('v', {}, { status: { phase: 'Pending' } }));
    await start();
    expect(await lab.writes()).toMatchObject([
      { method: 'PUT', path: 'persistentvolumes/v/status', body: { status: { phase: 'Available' } } },
    ]);
  });
});

describe('provisioning', () => {
  const simulated = { metadata: { name: 'fast' }, provisioner: 'simulation.vitrine.dev/volumes' };

  test('creates a simulated volume for the claim, on the node that the scheduler chose', async () => {
    lab.server.put(storageClasses, { ...simulated, reclaimPolicy: 'Retain' });
    const annotations = { 'volume.cluster.io/selected-node': 'n' };
    lab.server.put(
      claims,
      claim('c', { storageClassName: 'fast', volumeMode: 'Block' }, { metadata: { annotations } }),
    );
    await lab.start(['persistentvolume-binder']);
    const [marked, made] = await lab.writes();
    expect(marked?.body.metadata.annotations).toEqual({
      ...annotations,
      'volume.beta.cluster.io/storage-provisioner': simulated.provisioner,
    });
    expect(made).toEqual({
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: {
          annotations: {
            'pv.cluster.io/provisioned-by': 'simulation.vitrine.dev/volumes',
          },
          name: 'pvc-uid-c',
        },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: {
            storage: '1Gi',
          },
          claimRef: {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            name: 'c',
            namespace: 'ns',
            uid: 'uid-c',
          },
          hostPath: {
            path: '/simulated/ns/c',
          },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    {
                      key: 'cluster.io/hostname',
                      operator: 'In',
                      values: ['n'],
                    },
                  ],
                },
              ],
            },
          },
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: 'fast',
          volumeMode: 'Block',
        },
      },
      method: 'POST',
      path: 'persistentvolumes',
    });
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/c: Normal ProvisioningSucceeded Successfully provisioned volume pvc-uid-c using simulation.vitrine.dev/volumes',
    ]);
    expect(lab.server.get(claims, 'ns/c').status.phase).toBe('Bound');
  });

  test('fills in what the claim does not say', async () => {
    lab.server.put(storageClasses, simulated);
    lab.server.put(claims, {
      metadata: { name: 'c', namespace: 'ns' },
      spec: { storageClassName: 'fast' },
      status: { phase: 'Pending' },
    });
    await lab.start(['persistentvolume-binder']);
    expect(lab.server.get(volumes, 'pvc-uid-c').spec).toMatchObject({
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], persistentVolumeReclaimPolicy: 'Delete' },
    });
    expect(lab.server.get(volumes, 'pvc-uid-c').spec.nodeAffinity).toBeUndefined();
  });

  test('waits for an external provisioner, and marks the claim once', async () => {
    lab.server.put(storageClasses, { metadata: { name: 'fast' }, provisioner: 'theirs.example' });
    lab.server.put(claims, claim('c', { storageClassName: 'fast' }, { status: { phase: '' } }));
    await lab.start(['persistentvolume-binder']);
    expect(await lab.requests()).toEqual([
      'PUT namespaces/ns/persistentvolumeclaims/c',
      'PUT namespaces/ns/persistentvolumeclaims/c/status',
    ]);
    expect(lab.server.get(claims, 'ns/c').status.phase).toBe('Pending');
    await lab.pass(15);
    expect(await lab.requests()).toEqual([]);
    const why =
      'waiting for a volume to be created, either by external provisioner "theirs.example" or manually created by system administrator';
    expect(new Set(await lab.events())).toEqual(
      new Set([`PersistentVolumeClaim ns/c: Normal ExternalProvisioning ${why}`]),
    );
  });

  test('does nothing where it is switched off', async () => {
    lab.server.put(storageClasses, simulated);
    lab.server.put(claims, claim('c', { storageClassName: 'fast' }));
    await lab.start(['persistentvolume-binder'], { flags: ['--enable-dynamic-provisioning=false'] });
    expect([await lab.requests(), await lab.events()]).toEqual([[], []]);
  });

  test('is tried again after a failure, but not where the volume is there', async () => {
    lab.server.put(storageClasses, simulated);
    lab.server.put(claims, claim('c', { storageClassName: 'fast' }));
    lab.server.refuse('POST', /persistentvolumes/, 500, 'InternalError', 1);
    await lab.start(['persistentvolume-binder']);
    await lab.pass(1);
    expect((await lab.requests()).filter((each) => each.startsWith('POST'))).toEqual(
      Array(2).fill('POST persistentvolumes'),
    );
    lab.server.put(claims, claim('d', { storageClassName: 'fast' }));
    lab.server.refuse('POST', /persistentvolumes/, 409, 'AlreadyExists');
    // The mark on the claim makes it look once more.
    await lab.pass(5);
    expect((await lab.requests()).filter((each) => each.startsWith('POST'))).toEqual(
      Array(2).fill('POST persistentvolumes'),
    );
  });
});

describe('a volume whose claim is gone', () => {
  const released = (name: string, spec: Loose, more: Loose = {}): void => {
    lab.server.put(
      volumes,
      volume(name, { claimRef: refTo('gone'), ...spec }, { status: { phase: 'Bound' }, ...more }),
    );
  };
  const phaseOf = (name: string): Loose => lab.server.get(volumes, name)?.status;
  const start = (): Promise<void> => lab.start(['persistentvolume-binder']);

  test.each<[string, spec: Loose, more: Loose, requests: string[], status: Loose]>([
    ['is kept by its policy', {}, {}, ['PUT persistentvolumes/v/status'], { phase: 'Released' }],
    [
      'is deleted',
      { persistentVolumeReclaimPolicy: 'Delete', nfs: undefined, hostPath: { path: '/tmp/x' } },
      {},
      ['PUT persistentvolumes/v/status', 'DELETE persistentvolumes/v'],
      undefined,
    ],
    [
      'is left to its provisioner',
      { persistentVolumeReclaimPolicy: 'Delete' },
      { metadata: { annotations: { 'pv.cluster.io/provisioned-by': 'theirs' } } },
      ['PUT persistentvolumes/v/status'],
      { phase: 'Released' },
    ],
    [
      'is Released only while it is deleted',
      { persistentVolumeReclaimPolicy: 'Delete' },
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ['PUT persistentvolumes/v/status'],
      { phase: 'Released' },
    ],
    [
      'that failed already stays so',
      { persistentVolumeReclaimPolicy: 'Delete' },
      { status: { phase: 'Failed', message: 'm' } },
      [],
      { phase: 'Failed', message: 'm' },
    ],
    [
      'that nothing can recycle fails',
      { persistentVolumeReclaimPolicy: 'Recycle', nfs: undefined },
      {},
      Array(2).fill('PUT persistentvolumes/v/status'),
      { phase: 'Failed', message: 'No recycler plugin found for the volume!' },
    ],
  ])('%s', async (_, spec, more, requests, status) => {
    released('v', spec, more);
    await start();
    expect(await lab.requests()).toEqual(requests);
    expect(phaseOf('v')).toEqual(status);
  });

  test('that can not be deleted fails, and is tried again after 15 seconds', async () => {
    released('v', { persistentVolumeReclaimPolicy: 'Delete' });
    await start();
    const why = 'Error getting deleter volume plugin for volume "v": no deletable volume plugin matched';
    expect(phaseOf('v')).toEqual({ phase: 'Failed', message: why });
    expect(await lab.events()).toEqual([`PersistentVolume v: Warning VolumeFailedDelete ${why}`]);
    await lab.requests();
    lab.server.change(volumes, 'v', { spec: { nfs: null, hostPath: { path: '/tmp/x' } } });
    expect(await lab.requests()).toEqual(['DELETE persistentvolumes/v']);
  });

  test('is recycled by a pod and free again', async () => {
    released('v', { persistentVolumeReclaimPolicy: 'Recycle' });
    await start();
    const [, made] = await lab.writes();
    expect(made).toEqual({
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'recycler-for-v',
          namespace: 'default',
        },
        spec: {
          activeDeadlineSeconds: 300,
          containers: [
            {
              args: [
                '-c',
                'test -e /scrub && rm -rf /scrub/..?* /scrub/.[!.]* /scrub/* && test -z "$(ls -A /scrub)" || exit 1',
              ],
              command: ['/bin/sh'],
              image: 'busybox:1.27',
              name: 'pv-recycler',
              resources: {},
              volumeMounts: [
                {
                  mountPath: '/scrub',
                  name: 'vol',
                },
              ],
            },
          ],
          restartPolicy: 'Never',
          volumes: [
            {
              name: 'vol',
              nfs: {
                path: '/',
                server: 's',
              },
            },
          ],
        },
      },
      method: 'POST',
      path: 'namespaces/default/pods',
    });
    lab.server.change(pods, 'default/recycler-for-v', { status: { phase: 'Running' } });
    expect(await lab.requests()).toEqual([]);
    lab.server.change(pods, 'default/recycler-for-v', { status: { phase: 'Succeeded' } });
    expect(await lab.requests()).toEqual([
      'DELETE namespaces/default/pods/recycler-for-v',
      'PUT persistentvolumes/v',
      'PUT persistentvolumes/v/status',
    ]);
    expect(phaseOf('v')).toEqual({ phase: 'Available' });
    expect(await lab.events()).toEqual(['PersistentVolume v: Normal VolumeRecycled Volume recycled']);
  });

  test.each<[string, spec: Loose, seconds: number]>([
    ['a minute for a directory', { hostPath: { path: '/x' } }, 60],
    ['30 seconds for each GiB of a directory', { hostPath: { path: '/x' }, capacity: { storage: '3900Mi' } }, 90],
    ['five minutes for NFS', { capacity: { storage: '3Gi' } }, 300],
    ['30 seconds for each GiB of NFS', { capacity: { storage: '20Gi' } }, 600],
  ])('gets %s', async (_, spec, seconds) => {
    released('v', { persistentVolumeReclaimPolicy: 'Recycle', ...spec });
    await start();
    expect(lab.server.get(pods, 'default/recycler-for-v').spec.activeDeadlineSeconds).toBe(seconds);
  });

  test.each<[string, Loose, string]>([
    ['the pod says', { phase: 'Failed', message: 'disk on fire' }, 'Recycler failed: disk on fire'],
    ['the pod does not say', { phase: 'Failed' }, 'Recycler failed: pod failed'],
  ])('fails for what %s', async (_, status, message) => {
    released('v', { persistentVolumeReclaimPolicy: 'Recycle' });
    await start();
    lab.server.change(pods, 'default/recycler-for-v', { status });
    await lab.settle();
    expect(phaseOf('v')).toEqual({ phase: 'Failed', message });
    expect(await lab.events()).toEqual([`PersistentVolume v: Warning VolumeFailedRecycle ${message}`]);
  });

  test('is not recycled while a pod still names the claim', async () => {
    lab.server.put(pods, user('b', 'gone'));
    lab.server.put(pods, user('a', 'gone'));
    lab.server.put(pods, user('over', 'gone', {}, { phase: 'Failed' }));
    released('v', { persistentVolumeReclaimPolicy: 'Recycle' });
    await start();
    expect(new Set(await lab.events())).toEqual(
      new Set(['PersistentVolume v: Normal VolumeFailedRecycle Volume is used by pods: ns/a,ns/b']),
    );
    lab.server.remove(pods, 'ns/a');
    lab.server.remove(pods, 'ns/b');
    await lab.pass(14);
    expect(lab.server.get(pods, 'default/recycler-for-v')).toBeUndefined();
    await lab.pass(1);
    expect(lab.server.get(pods, 'default/recycler-for-v')).toBeDefined();
  });
});

describe('expansion', () => {
  beforeEach(() => void lab.server.put(storageClasses, { metadata: { name: 'fast' }, provisioner: 'p' }));
  const annotations = { 'pv.cluster.io/provisioned-by': 'simulation.vitrine.dev/volumes' };
  const status = { phase: 'Bound', capacity: { storage: '1Gi', other: '1' } };
  const grown = { storageClassName: 'fast', volumeName: 'v', resources: { requests: { storage: '2Gi' } } };

  test('grows the volume, then the claim', async () => {
    lab.server.put(volumes, volume('v', { claimRef: refTo('c') }, { metadata: { annotations } }));
    lab.server.put(claims, claim('c', grown, { status }));
    await lab.start(['persistentvolume-expander']);
    expect(await lab.writes()).toMatchObject([
      { method: 'PATCH', path: 'persistentvolumes/v', body: { spec: { capacity: { storage: '2Gi' } } } },
      {
        method: 'PUT',
        path: 'namespaces/ns/persistentvolumeclaims/c/status',
        body: { status: { phase: 'Bound', capacity: { storage: '2Gi', other: '1' } } },
      },
    ]);
    expect(await lab.events()).toEqual([
      'PersistentVolumeClaim ns/c: Normal VolumeResizeSuccessful ExpandVolume succeeded for volume ns/c',
    ]);
  });

  test.each<[string, spec: Loose, made: Loose, events: number]>([
    ['waits for a driver', grown, {}, 1],
    ['does nothing without a class', { ...grown, storageClassName: '' }, annotations, 0],
    [
      'does nothing for a claim that is large enough',
      { ...grown, resources: { requests: { storage: '1Gi' } } },
      annotations,
      0,
    ],
    ['does nothing without the volume', { ...grown, volumeName: 'other' }, annotations, 0],
  ])('%s', async (_, spec, made, events) => {
    lab.server.put(volumes, volume('v', { claimRef: refTo('c') }, { metadata: { annotations: made } }));
    lab.server.put(claims, claim('c', spec, { status }));
    await lab.start(['persistentvolume-expander']);
    expect(await lab.requests()).toEqual([]);
    expect(await lab.events()).toHaveLength(events);
  });
});

describe('claims of ephemeral volumes', () => {
  const template = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { storageClassName: 'fast' } };
  const volumesOf = (volumeClaimTemplate: Loose): Loose => ({
    volumes: [
      { name: 'v', ephemeral: { volumeClaimTemplate } },
      { name: 'x', emptyDir: {} },
    ],
  });
  const pod = (name: string, volumeClaimTemplate: Loose = template, more: Loose = {}): Loose => ({
    metadata: { name, namespace: 'ns', ...more.metadata },
    spec: volumesOf(volumeClaimTemplate),
    status: { phase: 'Pending', ...more.status },
  });
  const start = (): Promise<void> =>
    lab.start(['ephemeral-volume'], { flags: ['--feature-gates=GenericEphemeralVolume=true'] });

  test('are created for the pod, and again when they are deleted', async () => {
    const owner = lab.server.put(pods, pod('p'));
    lab.server.put(pods, pod('bare', { spec: {} }));
    lab.server.put(pods, pod('over', template, { status: { phase: 'Succeeded' } }));
    lab.server.put(pods, pod('leaving', template, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
    await start();
    const [first, second, ...others] = await lab.writes();
    expect(first).toEqual({
      method: 'POST',
      path: 'namespaces/ns/persistentvolumeclaims',
      body: {
        ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: template.spec },
        metadata: {
          name: 'p-v',
          namespace: 'ns',
          ownerReferences: [ownedBy('Pod', owner, 'v1')],
          ...template.metadata,
        },
      },
    });
    expect(Object.keys(second?.body.metadata)).toEqual(['name', 'namespace', 'ownerReferences']);
    expect(others).toEqual([]);
    lab.server.change(pods, 'ns/p', { metadata: { labels: { x: 'y' } } });
    expect(await lab.requests()).toEqual([]);
    lab.server.remove(claims, 'ns/p-v');
    expect(await lab.requests()).toEqual(['POST namespaces/ns/persistentvolumeclaims']);
  });

  test('are not created over the claim of somebody else', async () => {
    lab.server.put(claims, claim('p-v'));
    lab.server.put(pods, pod('p'));
    await start();
    expect([await lab.requests(), await lab.events()]).toEqual([[], []]);
    lab.server.remove(claims, 'ns/p-v');
    await lab.pass(1);
    expect(await lab.requests()).toEqual(['POST namespaces/ns/persistentvolumeclaims']);
  });

  test('that the server refuses are reported and tried again', async () => {
    lab.server.put(pods, pod('p'));
    lab.server.refuse('POST', /claims/, 403, 'Forbidden', 1);
    await start();
    await lab.pass(1);
    expect(await lab.requests()).toEqual(Array(2).fill('POST namespaces/ns/persistentvolumeclaims'));
    expect(await lab.events()).toEqual(['Pod ns/p: Warning FailedBinding PVC creation failed: Forbidden']);
  });
});

describe('protection', () => {
  const finalizers = ['other', 'cluster.io/pvc-protection'];
  const deletionTimestamp = '2026-01-01T00:00:00Z';

  test('is added to claims, and removed when no placed pod uses them', async () => {
    lab.server.put(claims, claim('new', {}, { metadata: { finalizers: ['other'] } }));
    for (const name of ['used', 'waited', 'free'])
      lab.server.put(claims, claim(name, {}, { metadata: { finalizers, deletionTimestamp } }));
    lab.server.put(pods, user('p', 'used', { nodeName: 'n' }, { phase: 'Succeeded' }));
    lab.server.put(pods, user('q', 'waited'));
    await lab.start(['pvc-protection']);
    const finalizersOf = (name: string): Loose => lab.server.get(claims, `ns/${name}`).metadata.finalizers;
    expect(['new', 'used', 'waited', 'free'].map(finalizersOf)).toEqual([finalizers, finalizers, ['other'], ['other']]);
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    expect(finalizersOf('used')).toEqual(['other']);
  });

  test('is removed from a volume that is not bound, and a volume that is gone does not matter', async () => {
    const own = { finalizers: ['cluster.io/pv-protection'], deletionTimestamp };
    lab.server.put(volumes, volume('new'));
    lab.server.put(volumes, volume('bound', {}, { metadata: own, status: { phase: 'Bound' } }));
    lab.server.put(volumes, volume('free', {}, { metadata: own }));
    lab.server.refuse('PUT', /volumes\/free/, 404, 'NotFound');
    await lab.start(['pv-protection']);
    expect(await lab.requests()).toEqual(['PUT persistentvolumes/new', 'PUT persistentvolumes/free']);
    expect(lab.server.get(volumes, 'new').metadata.finalizers).toEqual(['cluster.io/pv-protection']);
  });
});
