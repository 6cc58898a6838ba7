import { describe, expect, test } from 'vitest';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttachment,
} from '../../src/client/index.ts';
import { planAttachments } from '../../src/controllers/volumes/attachDetach.ts';
import {
  matchingVolume,
  mismatchOf,
  planClaim,
  planDeletion,
  planVolume,
} from '../../src/controllers/volumes/bindPlan.ts';
import { ephemeralClaims } from '../../src/controllers/volumes/ephemeral.ts';
import { planExpansion } from '../../src/controllers/volumes/expander.ts';
import { namesOf } from '../../src/names/index.ts';

const names = namesOf('k8s.io');
const PROVISIONED = 'pv.kubernetes.io/provisioned-by';
const COMPLETED = { 'pv.kubernetes.io/bind-completed': 'yes' };

interface Shape {
  readonly spec?: object;
  readonly annotations?: Record<string, string>;
  readonly status?: object;
  readonly leaving?: boolean;
}

function object(name: string, uid: string, defaults: object, { spec, annotations, status, leaving }: Shape): object {
  const deletion = leaving ? { deletionTimestamp: '2020-01-01T00:00:00Z' } : {};
  const metadata = { name, namespace: 'ns', uid, annotations: annotations ?? {}, ...deletion };
  return { metadata, spec: { ...defaults, ...spec }, status: { phase: 'Available', ...status } };
}

const modes = { accessModes: ['ReadWriteOnce'], storageClassName: 'fast' };

const claim = (shape: Shape = {}): PersistentVolumeClaim =>
  object('c', 'uid-c', { ...modes, resources: { requests: { storage: '2Gi' } } }, shape) as PersistentVolumeClaim;

const volume = (name: string, spec: object = {}, shape: Shape = {}): PersistentVolume =>
  object(name, name, { ...modes, capacity: { storage: '5Gi' } }, { ...shape, spec }) as PersistentVolume;

const forClaim = (uid?: string): object => ({ claimRef: { namespace: 'ns', name: 'c', ...(uid ? { uid } : {}) } });

describe('the volume for a claim', () => {
  test.each<[string, PersistentVolume[], string | undefined]>([
    ['the smallest', [volume('large', { capacity: { storage: '9Gi' } }), volume('small')], 'small'],
    ['large enough', [volume('tiny', { capacity: { storage: '1Gi' } })], undefined],
    ['of its class', [volume('slow', { storageClassName: 'slow' })], undefined],
    ['of its mode', [volume('block', { volumeMode: 'Block' })], undefined],
    ['with its access modes', [volume('read', { accessModes: ['ReadOnlyMany'] })], undefined],
    [
      'with the fewest access modes',
      [volume('many', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], capacity: { storage: '2Gi' } }), volume('one')],
      'one',
    ],
    ['kept for it', [volume('small', { capacity: { storage: '2Gi' } }), volume('kept', forClaim())], 'kept'],
    ['kept for it, of another class', [volume('kept', { ...forClaim(), storageClassName: 'x' })], 'kept'],
    ['not kept for another', [volume('kept', { claimRef: { namespace: 'ns', name: 'other' } })], undefined],
    ['not kept for its predecessor', [volume('kept', forClaim('old'))], undefined],
    ['not one that is not available yet', [volume('new', {}, { status: { phase: 'Pending' } })], undefined],
    ['not one that is going', [volume('going', {}, { leaving: true })], undefined],
    [
      'of the class in the older annotation',
      [volume('old', { storageClassName: '' }, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'fast' } })],
      'old',
    ],
  ])('is %s', (_, volumes, expected) =>
    expect(matchingVolume(claim(), volumes, names, false)?.metadata.name).toBe(expected),
  );

  test('must be reserved for it while binding waits for the scheduler', () => {
    expect(matchingVolume(claim(), [volume('free')], names, true)).toBeUndefined();
    expect(matchingVolume(claim(), [volume('kept', forClaim())], names, true)?.metadata.name).toBe('kept');
  });
});

describe('a volume that a claim names', () => {
  test.each<[string, PersistentVolume, string | undefined]>([
    ['suits', volume('v'), undefined],
    ['is going', volume('v', {}, { leaving: true }), 'the volume is marked for deletion'],
    ['is too small', volume('v', { capacity: { storage: '1Gi' } }), 'requested PV is too small'],
    ['is of another class', volume('v', { storageClassName: '' }), 'storageClassName does not match'],
    ['is of another mode', volume('v', { volumeMode: 'Block' }), 'incompatible volumeMode'],
    ['has other access modes', volume('v', { accessModes: ['ReadOnlyMany'] }), 'incompatible accessMode'],
  ])('%s', (_, found, mismatch) => expect(mismatchOf(found, claim(), names)).toBe(mismatch));
});

describe('a claim', () => {
  const immediate = { provisioner: 'p', volumeBindingMode: 'Immediate' } as unknown as StorageClass;
  const delayed = { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' } as unknown as StorageClass;

  function told(
    of: PersistentVolumeClaim,
    volumes: PersistentVolume[],
    storageClass?: StorageClass,
    waitingPods: string[] = [],
  ) {
    const plan = planClaim(of, {
      names,
      volumes,
      volume: (name) => volumes.find((found) => found.metadata.name === name),
      storageClass: () => storageClass,
      waitingPods,
    });
    return plan.do === 'wait' || plan.do === 'lose' ? `${plan.do} ${plan.event?.reason ?? ''}`.trim() : plan.do;
  }

  const named = (annotations: Record<string, string> = {}): PersistentVolumeClaim =>
    claim({ spec: { volumeName: 'v' }, annotations });
  const other = { claimRef: { namespace: 'ns', name: 'other', uid: 'o' } };

  test.each<[string, PersistentVolumeClaim, PersistentVolume[], string, StorageClass?, string[]?]>([
    ['finds a volume', claim(), [volume('v')], 'bind'],
    ['finds none, without a class', claim({ spec: { storageClassName: '' } }), [], 'wait FailedBinding'],
    ['finds none, and its class is missing', claim(), [], 'wait ProvisioningFailed'],
    ['finds none', claim(), [], 'provision', immediate],
    ['waits for a pod', claim(), [volume('v')], 'wait WaitForFirstConsumer', delayed],
    ['waits for its pod to be scheduled', claim(), [], 'wait WaitForPodScheduled', delayed, ['p']],
    [
      'has a node chosen',
      claim({ annotations: { 'volume.kubernetes.io/selected-node': 'n' } }),
      [volume('v')],
      'provision',
      delayed,
    ],
    ['names a volume', named(), [volume('v')], 'bind'],
    ['names a volume that does not suit', named(), [volume('v', { storageClassName: '' })], 'wait VolumeMismatch'],
    ['names a volume that is missing', named(), [], 'wait'],
    ['names a volume that is taken', named(), [volume('v', other)], 'wait FailedBinding'],
    ['names a volume that is kept for it', named(), [volume('v', forClaim())], 'bind'],
    ['is bound', named(COMPLETED), [volume('v', forClaim('uid-c'))], 'bind'],
    ['is bound to a volume that came loose', named(COMPLETED), [volume('v')], 'bind'],
    ['was bound to a volume that is gone', named(COMPLETED), [], 'lose ClaimLost'],
    ['was bound and names nothing', claim({ annotations: COMPLETED }), [], 'lose ClaimLost'],
    ['was bound to what another has', named(COMPLETED), [volume('v', other)], 'lose ClaimMisbound'],
  ])('that %s', (_, of, volumes, expected, storageClass, pods) =>
    expect(told(of, volumes, storageClass, pods)).toBe(expected),
  );
});

describe('a volume', () => {
  const bound = forClaim('uid-c');
  const disposable = { annotations: { [PROVISIONED]: 'x' } };
  const elsewhere = claim({ spec: { volumeName: 'w' } });
  test.each<[string, PersistentVolume, PersistentVolumeClaim | undefined, unknown]>([
    ['that is free', volume('v'), undefined, { do: 'phase', phase: 'Available' }],
    ['that is kept for a claim', volume('v', forClaim()), claim(), { do: 'phase', phase: 'Available' }],
    ['whose claim is gone', volume('v', bound), undefined, { do: 'reclaim' }],
    ['whose claim was replaced', volume('v', forClaim('old')), claim(), { do: 'reclaim' }],
    ['whose claim names it', volume('v', bound), claim({ spec: { volumeName: 'v' } }), { do: 'phase', phase: 'Bound' }],
    ['whose claim names nothing yet', volume('v', bound), claim(), { do: 'wakeClaim' }],
    ['of another mode than its claim', volume('v', { ...bound, volumeMode: 'Block' }), claim(), { do: 'refuse' }],
    ['whose claim took another', volume('v', bound), elsewhere, { do: 'unbind' }],
    [
      'made for a claim that took another',
      volume('v', { ...bound, persistentVolumeReclaimPolicy: 'Delete' }, disposable),
      elsewhere,
      { do: 'reclaim' },
    ],
    ['made for a claim that took another, to be kept', volume('v', bound, disposable), elsewhere, { do: 'unbind' }],
  ])('%s', (_, of, its, plan) => expect(planVolume(of, its, names)).toEqual(plan));
});

describe('deleting a volume', () => {
  const by = (provisioner: string): PersistentVolume =>
    volume('v', {}, { annotations: { [PROVISIONED]: provisioner } });
  test.each<[string, PersistentVolume, string]>([
    ['of the simulated provisioner', by('simulated'), 'delete'],
    ['of an external provisioner', by('example.com/p'), 'leaveToProvisioner'],
    ['of a plugin that is not there', by('kubernetes.io/aws-ebs'), 'fails'],
    ['that nobody provisioned', volume('v', { nfs: {} }), 'fails'],
    ['in a directory below /tmp', volume('v', { hostPath: { path: '/tmp/x' } }), 'delete'],
    ['in another directory', volume('v', { hostPath: { path: '/data' } }), 'fails'],
  ])('%s', (_, of, expected) => {
    const plan = planDeletion(of, 'simulated', names);
    expect(typeof plan === 'string' ? plan : 'fails').toBe(expected);
  });
});

describe('a claim that requests more than its capacity', () => {
  const held = (capacity: string, more: Shape = {}): PersistentVolumeClaim =>
    claim({ status: { phase: 'Bound', capacity: { storage: capacity } }, ...more });
  const its = volume('v', forClaim('uid-c'));
  const simulated = volume('v', forClaim('uid-c'), {
    annotations: { [PROVISIONED]: 'simulation.vitrine.dev/volumes' },
  });
  test.each<[string, PersistentVolumeClaim, PersistentVolume | undefined, string]>([
    ['waits for the driver', held('1Gi'), its, 'waitForDriver'],
    ['is expanded where the volume is simulated', held('1Gi'), simulated, 'expand'],
    ['has enough already', held('2Gi'), simulated, 'nothing'],
    ['has no class', held('1Gi', { spec: { storageClassName: '' } }), its, 'nothing'],
    ['is not bound', claim(), its, 'nothing'],
    ['has no volume', held('1Gi'), undefined, 'nothing'],
    ['names a volume of another', held('1Gi'), volume('v', forClaim('other')), 'nothing'],
  ])('%s', (_, of, found, plan) => expect(planExpansion(of, found, names)).toBe(plan));
});

describe('attachments of a node', () => {
  const csi = (name: string): PersistentVolume => volume(name, { csi: { driver: 'd', volumeHandle: name } });
  const attachment = (name: string, attached: boolean): VolumeAttachment =>
    ({
      metadata: { name },
      spec: { source: { persistentVolumeName: name } },
      status: { attached },
    }) as VolumeAttachment;
  const node = (inUse: string[]): Node => ({ status: { volumesInUse: inUse } }) as unknown as Node;
  const all = [csi('a'), csi('b')];

  function planned(wanted: string[], existing: VolumeAttachment[], inUse: string[] = []): string[][] {
    const volumeOf = (name: string) => all.find(({ metadata }) => metadata.name === name);
    const plan = planAttachments(
      node(inUse),
      wanted.flatMap((name) => volumeOf(name) ?? []),
      existing,
      names,
      volumeOf,
    );
    return [
      plan.attach.map(({ metadata }) => metadata.name ?? ''),
      plan.detach.map(({ metadata }) => metadata.name ?? ''),
      plan.attached.map(({ name }) => name),
      plan.held.map(({ metadata }) => metadata.name ?? ''),
    ];
  }

  test.each<[string, string[][], string[][]]>([
    ['are made for what is wanted', planned(['a'], []), [['a'], [], [], []]],
    ['are not made twice', planned(['a'], [attachment('a', false)]), [[], [], [], []]],
    ['are listed once they hold', planned(['a'], [attachment('a', true)]), [[], [], ['kubernetes.io/csi/d^a'], []]],
    ['go when nobody wants them', planned([], [attachment('b', true)]), [[], ['b'], ['kubernetes.io/csi/d^b'], []]],
    [
      'stay while the node uses them',
      planned([], [attachment('b', false)], ['kubernetes.io/csi/d^b']),
      [[], [], [], ['b']],
    ],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected));
});

test('an ephemeral volume gets a claim owned by its pod', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { accessModes: ['ReadWriteOnce'] } };
  const spec = { volumes: [{ name: 'plain' }, { name: 'v', ephemeral: { volumeClaimTemplate: template } }] };
  const pod = { metadata: { name: 'p', namespace: 'ns', uid: 'u' }, spec } as unknown as Pod;
  expect(ephemeralClaims(pod, names)).toEqual([
    {
      metadata: {
        name: 'p-v',
        namespace: 'ns',
        labels: { a: 'b' },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true, blockOwnerDeletion: true },
        ],
      },
      spec: template.spec,
    },
  ]);
});
