/** Which pods and volumes the attach and detach controller looks at, and what it does where the server refuses. */
import { afterEach, beforeEach, expect, test } from 'vitest';
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

let lab: AttachLab;
beforeEach(() => {
  lab = new AttachLab();
  for (const name of ['a', 'b']) lab.server.put(nodes, attachingNode(name));
});
afterEach(() => lab.stop());

const listed = (name: string): string[] =>
  (lab.server.get(nodes, name).status.volumesAttached ?? []).map((each: Loose) => each.name.replace(/.*h-/, ''));

test('all volumes of all pods on a node that have not ended are attached, and each is announced to its pods once', async () => {
  for (const name of ['v', 'w', 'x', 'y']) lab.putVolume(name);
  lab.server.put(pods, podWith('p', ['v', 'w', 'none'], 'a'));
  lab.server.put(pods, podWith('q', ['w'], 'a'));
  lab.server.put(pods, podWith('ended', ['x'], 'a', 'Succeeded'));
  lab.server.put(pods, podWith('unplaced', ['y']));
  await lab.begin();
  expect(
    lab.server
      .list(attachments)
      .map(({ spec }) => spec.source.persistentVolumeName)
      .sort(),
  ).toEqual(['v', 'w']);
  await lab.report('v');
  const attached = (name: string, volume: string): string =>
    `Pod ns/${name}: Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "${volume}" `;
  expect(await lab.events()).toEqual([attached('p', 'v')]);
  await lab.report('w');
  expect((await lab.events()).sort()).toEqual([attached('p', 'w'), attached('q', 'w')]);
  expect(listed('a').sort()).toEqual(['v', 'w']);
  await lab.writes();
  lab.server.remove(pods, 'ns/q');
  expect(await lab.requests()).toEqual([]);
  lab.server.change(pods, 'ns/p', { status: { phase: 'Failed' } });
  expect((await lab.requests()).filter((each) => each.startsWith('DELETE'))).toHaveLength(2);
  expect(listed('a')).toEqual([]);
});

test.each<[string, prepare: () => void]>([
  [
    'whose driver needs none',
    () => lab.server.put(csiDrivers, { metadata: { name: 'd' }, spec: { attachRequired: false } }),
  ],
  ['without a driver', () => lab.server.change(volumes, 'v', { spec: { csi: null } })],
  ['whose claim is not bound', () => lab.server.change(claims, 'ns/v', { spec: { volumeName: null } })],
  ['that is gone', () => lab.server.remove(volumes, 'v')],
  ['on a node that attaches by itself', () => lab.server.change(nodes, 'a', { metadata: { annotations: null } })],
])('a volume %s is not attached', async (_, prepare) => {
  lab.putVolume('v');
  lab.server.put(pods, podWith('p', ['v'], 'a'));
  prepare();
  await lab.begin();
  expect(await lab.requests()).toEqual([]);
});

test('a node is looked at for pods with claims, for its attachments and for what it uses, not for more', async () => {
  lab.putVolume('v');
  lab.server.put(pods, podWith('p', ['v'], 'a'));
  lab.server.put(pods, podWith('plain', [], 'a'));
  lab.server.put(pods, podWith('unplaced', ['v']));
  await lab.begin();
  await lab.report('v');
  const told = lab.listen('reconcile');
  const woken = async (change: () => void): Promise<string[]> => {
    told.length = 0;
    change();
    await lab.settle();
    return told.flatMap(({ what, key }) => (what === 'woken' ? [key] : []));
  };
  expect(await woken(() => lab.server.change(pods, 'ns/plain', { metadata: { labels: { x: 'y' } } }))).toEqual([]);
  expect(await woken(() => lab.server.change(pods, 'ns/unplaced', { metadata: { labels: { x: 'y' } } }))).toEqual([]);
  expect(await woken(() => lab.server.change(nodes, 'a', { metadata: { labels: { x: 'y' } } }))).toEqual([]);
  expect(await woken(() => lab.server.change(pods, 'ns/p', { metadata: { labels: { x: 'y' } } }))).toEqual(['a']);
  expect(await woken(() => lab.server.change(claims, 'ns/v', { metadata: { labels: { x: 'y' } } }))).toEqual(['a']);
  expect(await woken(() => lab.server.change(nodes, 'a', { status: { volumesInUse: ['x'] } }))).toEqual(['a']);
});

test.each<[string, method: string, code: number, reason: string, tries: number]>([
  ['an attachment that is there already', 'POST', 409, 'AlreadyExists', 1],
  ['a refused attachment', 'POST', 403, 'Forbidden', 2],
])('%s', async (_, method, code, reason, tries) => {
  lab.putVolume('v');
  lab.server.put(pods, podWith('p', ['v'], 'a'));
  lab.server.refuse(method, /attachments/, code, reason, 1);
  await lab.begin();
  await lab.pass(1);
  expect((await lab.requests()).filter((each) => each.startsWith('POST'))).toHaveLength(tries);
});

test.each<[code: number, reason: string, tries: number]>([
  [404, 'NotFound', 1],
  [403, 'Forbidden', 2],
])('a detachment that is answered with %i %s is tried %i times', async (code, reason, tries) => {
  lab.server.put(attachments, {
    metadata: { name: 'x' },
    spec: { nodeName: 'a', attacher: 'd', source: { persistentVolumeName: 'v' } },
    status: {},
  });
  lab.server.refuse('DELETE', /attachments/, code, reason, 1);
  await lab.begin();
  await lab.pass(1);
  expect(await lab.requests()).toEqual(Array(tries).fill('DELETE volumeattachments/x'));
});

test('a problem is told to the pods that wait for that volume alone, and anew after the volume was attached', async () => {
  for (const name of ['v', 'w']) lab.putVolume(name);
  lab.server.put(pods, podWith('p', ['w', 'v'], 'a'));
  lab.server.put(pods, podWith('other', ['w'], 'a'));
  lab.server.put(pods, podWith('elsewhere', ['v'], 'b'));
  lab.server.put(pods, podWith('ended', ['v'], 'a', 'Failed'));
  await lab.begin();
  await lab.events();
  const failed = { attached: false, attachError: { message: 'no' } };
  const told = async (): Promise<string[]> => (await lab.events()).filter((each) => !each.includes('Multi-Attach'));
  const text = 'Pod ns/p: Warning FailedAttachVolume AttachVolume.Attach failed for volume "v" : no';
  await lab.report('v', failed);
  expect(await told()).toEqual([text]);
  await lab.report('v', { attached: true, attachError: null });
  await told();
  await lab.report('v', failed);
  expect(await told()).toEqual([text]);
});

test('who was first in using a volume is named, whoever has ended is not', async () => {
  lab.putVolume('v');
  for (const name of ['first', 'second']) lab.server.put(pods, podWith(name, ['v'], 'a'));
  lab.server.put(pods, podWith('ended', ['v'], 'a', 'Succeeded'));
  await lab.begin();
  await lab.report('v');
  await lab.events();
  lab.server.put(pods, podWith('third', ['v'], 'b'));
  const [event, ...others] = await lab.events();
  expect([event, others]).toEqual([
    'Pod ns/third: Warning FailedAttachVolume Multi-Attach error for volume "v" Volume is already used by pod(s) first, second',
    [],
  ]);
  await lab.pass(300);
  expect(await lab.events()).toEqual([]);
});
