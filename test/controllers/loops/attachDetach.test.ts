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
import type { Loose } from '../lab.ts';
import { AttachLab, attachingNode, podWith } from './attachLab.ts';
import { minute } from '../plans/objects.ts';

let lab: AttachLab;
beforeEach(() => {
  lab = new AttachLab();
  for (const name of ['a', 'b']) lab.server.put(nodes, attachingNode(name));
});
afterEach(() => lab.stop());

const listed = (name: string): Loose => lab.server.get(nodes, name).status.volumesAttached;
const unique = (volume: string): string => `cluster.io/csi/d^h-${volume}`;

test('a volume of a placed pod is attached, listed and announced, and detached after the pod', async () => {
  lab.putVolume('v');
  lab.server.put(pods, podWith('p', ['v']));
  await lab.begin();
  expect(await lab.writes()).toEqual([]);
  lab.server.change(pods, 'ns/p', { spec: { nodeName: 'a' } });
  const [made, ...others] = await lab.writes();
  expect([made?.method, made?.path, others]).toEqual(['POST', 'volumeattachments', []]);
  expect(made?.body.metadata.name).toMatch(/^csi-[0-9a-f]{64}$/);
  expect(made?.body.spec).toEqual({ attacher: 'd', nodeName: 'a', source: { persistentVolumeName: 'v' } });
  await lab.report('v');
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
  ['on a node that attaches itself', () => void lab.server.put(nodes, attachingNode('a', 'false'))],
  ['of a pod that has ended', () => lab.server.change(pods, 'ns/p', { status: { phase: 'Succeeded' } })],
  ['of a claim without a volume', () => lab.server.change(claims, 'ns/v', { spec: { volumeName: null } })],
])('a volume %s is not attached', async (_, prepare) => {
  lab.putVolume('v');
  lab.server.put(pods, podWith('p', ['v'], 'a'));
  prepare();
  await lab.begin();
  expect(await lab.writes()).toEqual([]);
});

test('a claim that is bound later is looked at again', async () => {
  lab.putVolume('v');
  lab.putVolume('w');
  lab.server.change(claims, 'ns/v', { spec: { volumeName: null } });
  lab.server.put(pods, podWith('p', ['v'], 'a'));
  await lab.begin();
  lab.server.change(claims, 'ns/v', { spec: { volumeName: 'w' } });
  expect(await lab.requests()).toEqual(['POST volumeattachments']);
});

describe('a volume for one node', () => {
  test('waits until the other node has let it go, and says so once', async () => {
    lab.putVolume('v');
    lab.server.put(pods, podWith('first', ['v'], 'a'));
    await lab.begin();
    await lab.report('v');
    lab.server.put(pods, podWith('second', ['v'], 'b'));
    await lab.writes();
    expect((await lab.events()).slice(1)).toEqual([
      'Pod ns/second: Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already used by pod(s) first',
    ]);
    lab.server.change(pods, 'ns/first', { status: { phase: 'Succeeded' } });
    await lab.settle();
    expect(lab.attachmentOf('v').spec.nodeName).toBe('b');
    expect((await lab.events()).filter((text) => text.includes('Multi-Attach'))).toEqual([]);
  });

  test('that nobody uses on the other node any more is said to be attached there', async () => {
    lab.putVolume('v');
    lab.server.put(attachments, {
      metadata: { name: 'x', finalizers: ['f'] },
      spec: { nodeName: 'gone', attacher: 'd', source: { persistentVolumeName: 'v' } },
      status: { attached: true },
    });
    lab.server.put(pods, podWith('p', ['v'], 'b'));
    await lab.begin();
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
    lab.putVolume('v', { accessModes });
    lab.server.put(pods, podWith('p', ['v'], 'a'));
    lab.server.put(pods, podWith('q', ['v'], 'b'));
    await lab.begin();
    expect(lab.server.list(attachments)).toHaveLength(count);
  });
});

describe('a volume that its node still uses', () => {
  beforeEach(async () => {
    lab.putVolume('v');
    lab.server.put(pods, podWith('p', ['v'], 'a'));
    await lab.begin();
    await lab.report('v');
    lab.server.change(nodes, 'a', { status: { volumesInUse: [unique('v')] } });
    await lab.settle();
    lab.server.remove(pods, 'ns/p');
    await lab.settle();
    await lab.writes();
  });
  const deletions = async (): Promise<number> =>
    (await lab.requests()).filter((each) => each.startsWith('DELETE')).length;

  test('is detached when the node no longer uses it', async () => {
    expect(lab.attachmentOf('v')).toBeDefined();
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
    lab.server.put(pods, podWith('q', ['v'], 'a'));
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
    lab.putVolume('v');
    lab.server.put(pods, podWith('p', ['v'], 'a'));
    await lab.begin();
  });

  test('is reported, again after half a second, a second, two', async () => {
    await lab.report('v', { attached: false, attachError: { message: 'no disk' } });
    expect(await lab.events()).toEqual([`${failed}no disk`]);
    for (const seconds of [0.5, 1, 2]) {
      await lab.pass(seconds - 0.1);
      expect(await lab.events()).toEqual([]);
      await lab.pass(0.1);
      expect(await lab.events()).toEqual([`${failed}no disk`]);
    }
    await lab.report('v', { attached: false, attachError: { message: 'other' } });
    expect(await lab.events()).toEqual([`${failed}other`]);
    await lab.report('v', { attached: true, attachError: null });
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
  lab.putVolume('v');
  const spec = { nodeName: 'a', attacher: 'd', source: { persistentVolumeName: 'v' } };
  const metadata = { name: 'x', deletionTimestamp: minute(0), finalizers: ['f'] };
  lab.server.put(attachments, { metadata, spec, status: {} });
  lab.server.put(attachments, { metadata: { name: 'y' }, spec: { ...spec, nodeName: 'gone' }, status: {} });
  lab.server.refuse('DELETE', /attachments/, 404, 'NotFound');
  await lab.begin();
  expect(await lab.requests()).toEqual(['DELETE volumeattachments/y']);
});
