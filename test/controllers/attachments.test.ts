/** Attachments of volumes, where the test itself is the node and the driver's attacher. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bench, type Loose } from './bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODES = '/api/v1/nodes';
const ATTACHMENTS = '/apis/storage.cluster.io/v1/volumeattachments';

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start();
  const managed = { 'volumes.cluster.io/controller-managed-attach-detach': 'true' };
  for (const name of ['n1', 'n2']) await bench.create(NODES, { metadata: { name, annotations: managed } });
  await bench.create(NODES, { metadata: { name: 'own-doing' } });
  const inTree = { metadata: { name: 'never' }, spec: { attachRequired: false } };
  await bench.create('/apis/storage.cluster.io/v1/csidrivers', inTree);
});
afterAll(() => bench.stop());

/** A volume with a claim of the same name that is bound to it. */
async function volume(name: string, driver = 'd.example', accessModes = ['ReadWriteOnce']): Promise<void> {
  const spec = { accessModes, storageClassName: '' };
  const csi = { driver, volumeHandle: `h-${name}` };
  await bench.create('/api/v1/persistentvolumes', {
    metadata: { name },
    spec: { ...spec, capacity: { storage: '1Gi' }, csi },
  });
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const resources = { requests: { storage: '1Gi' } };
  await bench.create(claims, { metadata: { name }, spec: { ...spec, volumeName: name, resources } });
  await bench.until(`${claims}/${name}`, (claim) => claim.status.phase === 'Bound');
}

const pod = (name: string, claimName: string, nodeName = 'n1'): Promise<Loose> =>
  bench.create(PODS, {
    metadata: { name },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'nginx' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  });

const remove = (name: string): Promise<Loose> => bench.delete(`${PODS}/${name}`, { gracePeriodSeconds: 0 });
const inUse = (node: string, ...volumes: string[]): Promise<Loose> =>
  bench.patch(`${NODES}/${node}/status`, {
    status: { volumesInUse: volumes.map((name) => `cluster.io/csi/d.example^h-${name}`) },
  });

async function attachmentsOf(name: string): Promise<Loose[]> {
  return (await bench.items(ATTACHMENTS)).filter((a) => a.spec.source.persistentVolumeName === name);
}

async function attachment(name: string, node = 'n1'): Promise<Loose> {
  const isIt = (a: Loose): boolean => a.spec.source.persistentVolumeName === name && a.spec.nodeName === node;
  const { items } = await bench.until(ATTACHMENTS, ({ items: all }) => all.some(isIt));
  return items.find(isIt);
}

const goneFrom = (name: string, node: string): Promise<Loose> =>
  bench.until(
    ATTACHMENTS,
    ({ items }) => !items.some((a: Loose) => a.spec.source.persistentVolumeName === name && a.spec.nodeName === node),
  );

const answer = async (name: string, status: object, node = 'n1'): Promise<Loose> =>
  bench.patch(`${ATTACHMENTS}/${(await attachment(name, node)).metadata.name}/status`, { status });

/** Messages of a pod's events with how often each came. */
async function told(name: string, reason: string): Promise<[string, number][]> {
  const events = await bench.items('/api/v1/namespaces/default/events');
  return events.filter((e) => e.involvedObject.name === name && e.reason === reason).map((e) => [e.message, e.count]);
}

test('a volume is attached to its pod’s node, and listed and reported once it is attached', async () => {
  await volume('one');
  await pod('p-one', 'one');
  const asked = await attachment('one');
  expect(asked.metadata.name).toMatch(/^csi-[0-9a-f]{64}$/);
  expect(asked.spec).toEqual({
    attacher: 'd.example',
    nodeName: 'n1',
    source: { persistentVolumeName: 'one' },
  });
  expect((await bench.get(`${NODES}/n1`)).status.volumesAttached).toBeUndefined();
  await answer('one', { attached: true });
  const node = await bench.until(`${NODES}/n1`, ({ status }) => status.volumesAttached?.length > 0);
  expect(node.status.volumesAttached).toEqual([{ name: 'cluster.io/csi/d.example^h-one', devicePath: '' }]);
  await bench.advance(200);
  expect(await told('p-one', 'SuccessfulAttachVolume')).toEqual([
    ['AttachVolume.Attach succeeded for volume "one" ', 1],
  ]);
  await remove('p-one');
  await goneFrom('one', 'n1');
  expect(await bench.until(`${NODES}/n1`, ({ status }) => !status.volumesAttached)).toBeDefined();
});

test('a volume in use stays attached until the node releases it', async () => {
  await volume('used');
  await pod('p-used', 'used');
  await answer('used', { attached: true });
  await inUse('n1', 'used');
  await remove('p-used');
  await bench.advance(2000, 500);
  expect(await attachmentsOf('used')).toHaveLength(1);
  await inUse('n1');
  await goneFrom('used', 'n1');
});

test('a node that never releases a volume loses it after six minutes', async () => {
  await volume('held');
  await pod('p-held', 'held');
  await answer('held', { attached: true });
  await inUse('n1', 'held');
  await remove('p-held');
  await bench.advance(358_000, 2000);
  expect(await attachmentsOf('held')).toHaveLength(1);
  await bench.advance(4000, 500);
  expect(await attachmentsOf('held')).toEqual([]);
  await inUse('n1');
});

test('a single-node volume waits until another node releases it, and its pod gets one event', async () => {
  await volume('single');
  await pod('first', 'single', 'n1');
  await answer('single', { attached: true });
  await pod('second', 'single', 'n2');
  await bench.advance(5000, 500);
  expect((await attachmentsOf('single')).map(({ spec }) => spec.nodeName)).toEqual(['n1']);
  expect(await told('second', 'FailedAttachVolume')).toEqual([
    ['Multi-Attach error for volume "single" Volume is already used by pod(s) first', 1],
  ]);
  await remove('first');
  await attachment('single', 'n2');
  await remove('second');
});

test('a multi-node volume does not wait', async () => {
  await volume('many', 'd.example', ['ReadWriteOnce', 'ReadOnlyMany']);
  await pod('m1', 'many', 'n1');
  await pod('m2', 'many', 'n2');
  await attachment('many', 'n1');
  await attachment('many', 'n2');
  await remove('m1');
  await remove('m2');
});

test('an attach failure is reported to the pod with back-off', async () => {
  await volume('broken');
  await pod('p-broken', 'broken');
  await answer('broken', { attached: false, attachError: { message: 'no room' } });
  const counts: number[] = [];
  // It is said at once, after half a second, and after one second more.
  for (const ms of [400, 400, 400, 1000]) {
    await bench.advance(ms);
    const events = await told('p-broken', 'FailedAttachVolume');
    expect(events.map(([message]) => message)).toEqual(['AttachVolume.Attach failed for volume "broken" : no room']);
    counts.push(events[0]?.[1] ?? 0);
  }
  expect(counts).toEqual([1, 2, 2, 3]);
  await remove('p-broken');
});

test('an attacher without a response has failed after two minutes', async () => {
  await volume('silent');
  await pod('p-silent', 'silent');
  await attachment('silent');
  await bench.advance(118_000, 2000);
  expect(await told('p-silent', 'FailedAttachVolume')).toEqual([]);
  await bench.advance(3000, 500);
  const [[message] = ['']] = await told('p-silent', 'FailedAttachVolume');
  expect(message).toBe('AttachVolume.Attach failed for volume "silent" : attachment timeout for volume h-silent');
  await remove('p-silent');
});

test.each([
  ['the driver needs none', 'never', 'n1'],
  ['the node attaches for itself', 'd.example', 'own-doing'],
])('nothing is attached where %s', async (_what, driver, node) => {
  const name = `none-${node}`;
  await volume(name, driver);
  await pod(`p-${name}`, name, node);
  await bench.advance(2000, 500);
  expect(await attachmentsOf(name)).toEqual([]);
});

test('a pod that has ended needs no volume', async () => {
  await volume('ended');
  await pod('p-ended', 'ended');
  await attachment('ended');
  await bench.patch(`${PODS}/p-ended/status`, { status: { phase: 'Succeeded' } });
  await goneFrom('ended', 'n1');
});
