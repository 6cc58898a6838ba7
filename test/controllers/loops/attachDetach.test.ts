/** What the attach and detach controller writes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  csiDrivers,
  nodes,
  persistentVolumeClaims as claims,
  persistentVolumes as volumes,
  pods,
  volumeAttachments as attachments,
} from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
beforeEach(() => {
  lab = new Lab();
  for (const name of ['a', 'b']) lab.server.put(nodes, node(name));
});
afterEach(() => lab.stop());

const node = (name: string, annotation = 'true'): Loose => ({
  metadata: { name, annotations: { 'volumes.cluster.io/controller-managed-attach-detach': annotation } },
  ...{ spec: {}, status: {} },
});
/** A volume of a driver, with a claim of the same name. */
function withVolume(name: string, spec: Loose = {}): void {
  lab.server.put(volumes, {
    metadata: { name },
    spec: { csi: { driver: 'd', volumeHandle: `h-${name}` }, accessModes: ['ReadWriteOnce'], ...spec },
    status: {},
  });
  lab.server.put(claims, { metadata: { name, namespace: 'ns' }, spec: { volumeName: name }, status: {} });
}
const pod = (name: string, claimName: string, nodeName?: string, phase = 'Pending'): Loose => ({
  metadata: { name, namespace: 'ns' },
  spec: { nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
  status: { phase },
});
const start = (): Promise<void> => lab.start(['attachdetach']);
const attachmentOf = (volume: string): Loose =>
  lab.server.list(attachments).find(({ spec }) => spec.source.persistentVolumeName === volume);
async function attached(volume: string, status: Loose = { attached: true }): Promise<void> {
  lab.server.change(attachments, attachmentOf(volume).metadata.name, { status });
  await lab.settle();
}
const listed = (name: string): Loose => lab.server.get(nodes, name).status.volumesAttached;
const unique = (volume: string): string => `cluster.io/csi/d^h-${volume}`;

test('a volume of a placed pod is attached, listed and announced, and detached after the pod', async () => {
  withVolume('v');
  lab.server.put(pods, pod('p', 'v'));
  await start();
  expect(await lab.writes()).toEqual([]);
  lab.server.change(pods, 'ns/p', { spec: { nodeName: 'a' } });
  const [made, ...others] = await lab.writes();
  expect([made?.method, made?.path, others]).toEqual(['POST', 'volumeattachments', []]);
  expect(made?.body.metadata.name).toMatch(/^csi-[0-9a-f]{64}$/);
  expect(made?.body.spec).toEqual({ attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'v' } });
  await attached('v');
  expect(await lab.writes()).toEqual([
    {
      method: 'PATCH',
      path: 'nodes/a/status',
      body: { status: { volumesAttached: [{ name: unique('v'), devicePath: '' }] } },
    },
  ]);
  expect(await lab.events()).toEqual([
    'Pod ns/p: Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "v" ',
  ]);
  lab.server.remove(pods, 'ns/p');
  expect((await lab.requests()).map((each) => each.replace(/csi-.*/, 'NAME'))).toEqual([
    'DELETE volumeattachments/NAME',
    'PATCH nodes/a/status',
  ]);
  expect(listed('a')).toEqual([]);
});

test.each<[string, prepare: () => void]>([
  ['of another kind', () => lab.server.change(volumes, 'v', { spec: { csi: null, nfs: {} } })],
  [
    'whose driver attaches nothing',
    () => void lab.server.put(csiDrivers, { metadata: { name: 'd' }, spec: { attachRequired: false } }),
  ],
  ['on a node that attaches itself', () => void lab.server.put(nodes, node('a', 'false'))],
  ['of a pod that has ended', () => lab.server.change(pods, 'ns/p', { status: { phase: 'Succeeded' } })],
  ['of a claim without a volume', () => lab.server.change(claims, 'ns/v', { spec: { volumeName: null } })],
])('a volume %s is not attached', async (_, prepare) => {
  withVolume('v');
  lab.server.put(pods, pod('p', 'v', 'a'));
  prepare();
  await start();
  expect(await lab.writes()).toEqual([]);
});

test('a claim that is bound later is looked at again', async () => {
  withVolume('v');
  withVolume('w');
  lab.server.change(claims, 'ns/v', { spec: { volumeName: null } });
  lab.server.put(pods, pod('p', 'v', 'a'));
  await start();
  lab.server.change(claims, 'ns/v', { spec: { volumeName: 'w' } });
  expect(await lab.requests()).toEqual(['POST volumeattachments']);
});

describe('a volume for one node', () => {
  test('waits until the other node has let it go, and says so once', async () => {
    withVolume('v');
    lab.server.put(pods, pod('first', 'v', 'a'));
    await start();
    await attached('v');
    lab.server.put(pods, pod('second', 'v', 'b'));
    await lab.writes();
    expect((await lab.events()).slice(1)).toEqual([
      'Pod ns/second: Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already used by pod(s) first',
    ]);
    lab.server.change(pods, 'ns/first', { status: { phase: 'Succeeded' } });
    await lab.settle();
    expect(attachmentOf('v').spec.nodeName).toBe('b');
    expect((await lab.events()).filter((text) => text.includes('Multi-Attach'))).toEqual([]);
  });

  test('that nobody uses on the other node any more is said to be attached there', async () => {
    withVolume('v');
    lab.server.put(attachments, {
      metadata: { name: 'x', finalizers: ['f'] },
      spec: { nodeName: 'gone', attacher: 'd', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    });
    lab.server.put(pods, pod('p', 'v', 'b'));
    await start();
    expect(await lab.events()).toEqual([
      'Pod ns/p: Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already exclusively attached to one node and can\'t be attached to another',
    ]);
  });

  test.each<[modes: string[] | undefined, attached: number]>([
    [['ReadWriteMany'], 2],
    [['ReadWriteOnce', 'ReadOnlyMany'], 2],
    [undefined, 2],
    [['ReadWriteOnce'], 1],
  ])('has the access modes %j: attached to %s nodes', async (accessModes, count) => {
    withVolume('v', { accessModes });
    lab.server.put(pods, pod('p', 'v', 'a'));
    lab.server.put(pods, pod('q', 'v', 'b'));
    await start();
    expect(lab.server.list(attachments)).toHaveLength(count);
  });
});

describe('a volume that its node still uses', () => {
  beforeEach(async () => {
    withVolume('v');
    lab.server.put(pods, pod('p', 'v', 'a'));
    await start();
    await attached('v');
    lab.server.change(nodes, 'a', { status: { volumesInUse: [unique('v')] } });
    await lab.settle();
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    await lab.writes();
  });
  const deletions = async (): Promise<number> =>
    (await lab.requests()).filter((each) => each.startsWith('DELETE')).length;

  test('is detached when the node no longer uses it', async () => {
    expect(attachmentOf('v')).toBeDefined();
    lab.server.change(nodes, 'a', { status: { volumesInUse: [] } });
    expect(await deletions()).toBe(1);
  });

  test('is detached after six minutes', async () => {
    await lab.pass(359);
    expect(await deletions()).toBe(0);
    await lab.pass(1);
    expect(await deletions()).toBe(1);
  });

  test('starts its time anew when a pod has used it in between', async () => {
    await lab.pass(300);
    lab.server.put(pods, pod('q', 'v', 'a'));
    await lab.settle();
    lab.server.remove(pods, 'ns/q');
    await lab.pass(359);
    expect(await deletions()).toBe(0);
    await lab.pass(1);
    expect(await deletions()).toBe(1);
  });
});

describe('a volume that can not be attached', () => {
  const failed = 'Pod ns/p: Warning FailedAttachVolume AttachVolume.Attach failed for volume "v" : ';
  beforeEach(async () => {
    withVolume('v');
    lab.server.put(pods, pod('p', 'v', 'a'));
    await start();
  });

  test('is reported, again after half a second, a second, two', async () => {
    await attached('v', { attached: false, attachError: { message: 'no disk' } });
    expect(await lab.events()).toEqual([`${failed}no disk`]);
    for (const seconds of [0.5, 1, 2]) {
      await lab.pass(seconds - 0.1);
      expect(await lab.events()).toEqual([]);
      await lab.pass(0.1);
      expect(await lab.events()).toEqual([`${failed}no disk`]);
    }
    await attached('v', { attached: false, attachError: { message: 'other' } });
    expect(await lab.events()).toEqual([`${failed}other`]);
    await attached('v', { attached: true, attachError: null });
    await lab.events();
    await lab.pass(100);
    expect(await lab.events()).toEqual([]);
  });

  test('is reported after two minutes without an answer', async () => {
    await lab.pass(119);
    expect(await lab.events()).toEqual([]);
    await lab.pass(1);
    expect(await lab.events()).toEqual([`${failed}attachment timeout for volume h-v`]);
  });

  test('is not reported to a pod that is gone', async () => {
    lab.server.remove(pods, 'ns/p');
    await lab.pass(150);
    expect(await lab.events()).toEqual([]);
  });
});

test('an attachment that is being deleted is not deleted again, and a node that is gone has none', async () => {
  withVolume('v');
  const spec = { nodeName: 'a', attacher: 'd', source: { persistentVolumeName: 'v' } };
  const metadata = { name: 'x', deletionTimestamp: minute(0), finalizers: ['f'] };
  lab.server.put(attachments, { metadata, spec, status: {} });
  lab.server.put(attachments, { metadata: { name: 'y' }, spec: { ...spec, nodeName: 'gone' }, status: {} });
  lab.server.refuse('DELETE', /attachments/, 404, 'NotFound');
  await start();
  expect(await lab.requests()).toEqual(['DELETE volumeattachments/y']);
});
