/** What the node lifecycle controller writes, and when. */
import { afterEach, describe, expect, test } from 'vitest';
import { leases, nodes, pods } from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';
import { minute } from '../plans/objects.ts';

let lab: Lab;
afterEach(() => lab.stop());

const ready = (status = 'True', more: Loose = {}): Loose => ({
  ...{ type: 'Ready', status, reason: 'Reported', message: 'm' },
  ...{ lastHeartbeatTime: minute(0), lastTransitionTime: minute(0), ...more },
});
const node = (name: string, conditions: Loose[] = [ready()], more: Loose = {}): Loose => ({
  metadata: { name, ...more.metadata },
  spec: { ...more.spec },
  status: { conditions },
});
const pod = (name: string, nodeName: string, more: Loose = {}): Loose => ({
  metadata: { name, namespace: 'ns', ...more.metadata },
  spec: { nodeName, tolerations: more.tolerations ?? [] },
  status: { phase: 'Running', conditions: [{ type: 'Initialized', status: 'True' }, ready()] },
});
const lease = (name: string, renewTime: string, namespace = 'cluster-node-lease'): Loose => ({
  metadata: { name, namespace },
  spec: { renewTime },
});

async function start(
  objects: { nodes?: Loose[]; pods?: Loose[]; leases?: Loose[] },
  flags: string[] = [],
): Promise<void> {
  lab = new Lab();
  for (const each of objects.nodes ?? []) lab.server.put(nodes, each);
  for (const each of objects.pods ?? []) lab.server.put(pods, each);
  for (const each of objects.leases ?? []) lab.server.put(leases, each);
  await lab.start(['nodelifecycle'], { flags });
}

const taintsOf = (name: string): string[] =>
  (lab.server.get(nodes, name).spec.taints ?? []).map((taint: Loose) => `${taint.key.split('/')[1]}:${taint.effect}`);
const conditionOf = (name: string, type = 'Ready'): Loose =>
  lab.server.get(nodes, name).status.conditions.find((each: Loose) => each.type === type);

describe('a node without heartbeats', () => {
  test('becomes Unknown after the grace period of 40 seconds, and its pods unready', async () => {
    await start({ nodes: [node('a'), node('b')], pods: [pod('p', 'a'), pod('q', 'b')] });
    await lab.events();
    await lab.pass(39);
    expect(await lab.requests()).toEqual([]);
    lab.server.put(leases, lease('b', minute(0.6)));
    await lab.pass(1);
    expect(conditionOf('a')).toEqual({
      ...{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' },
      message: 'Clusterlet stopped posting node status.',
      ...{ lastHeartbeatTime: minute(0), lastTransitionTime: '2026-01-01T12:00:40Z' },
    });
    expect(conditionOf('a', 'DiskPressure')).toMatchObject({ status: 'Unknown', reason: 'NodeStatusNeverUpdated' });
    expect(conditionOf('b')).toMatchObject({ status: 'True' });
    expect(taintsOf('a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    expect(taintsOf('b')).toEqual([]);
    const writes = await lab.writes();
    expect(writes[1]?.body.status.conditions).toEqual([
      { type: 'Initialized', status: 'True' },
      { ...ready('False'), lastTransitionTime: '2026-01-01T12:00:40Z' },
    ]);
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PUT nodes/a/status',
      'PUT namespaces/ns/pods/p/status',
      'PATCH nodes/a',
      'DELETE namespaces/ns/pods/p',
    ]);
    expect(await lab.events()).toEqual([
      'Node a: Normal NodeNotReady Node a status is now: NodeNotReady',
      'Pod ns/p: Warning NodeNotReady Node is not ready',
      'Pod ns/p: Normal TaintManagerEviction Marking for deletion Pod ns/p',
    ]);
  });

  test('gets a minute if it never had a status', async () => {
    await start({ nodes: [node('a', []), node('b')], leases: [] });
    for (const second of [20, 40, 59]) {
      await lab.pass(second === 59 ? 19 : 20);
      lab.server.put(leases, lease('b', `2026-01-01T12:00:${second}Z`));
      await lab.settle();
    }
    expect(lab.server.get(nodes, 'a').status.conditions).toEqual([]);
    await lab.pass(1);
    expect(conditionOf('a')).toMatchObject({ status: 'Unknown', reason: 'NodeStatusNeverUpdated' });
    expect((await lab.events()).filter((text) => text.includes('NodeNotReady'))).toEqual([]);
  });

  test.each<[what: string, renew: () => void]>([
    ['renews its lease', () => lab.server.put(leases, lease('a', minute(0.5)))],
    [
      'reports its status',
      () =>
        lab.server.change(nodes, 'a', { status: { conditions: [ready('True', { lastHeartbeatTime: minute(0.5) })] } }),
    ],
  ])('that %s gets another grace period', async (_, renew) => {
    await start({ nodes: [node('a')], leases: [lease('a', minute(0))] });
    await lab.pass(30);
    renew();
    await lab.settle();
    await lab.pass(39);
    expect(conditionOf('a').status).toBe('True');
    await lab.pass(1);
    expect(conditionOf('a').status).toBe('Unknown');
  });

  test.each<[what: string, change: () => void]>([
    ['a lease in another namespace', () => lab.server.put(leases, lease('a', minute(0.5), 'ns'))],
    ['a label', () => lab.server.change(nodes, 'a', { metadata: { labels: { x: 'y' } } })],
  ])('gets no other grace period for %s', async (_, change) => {
    await start({ nodes: [node('a')] });
    await lab.pass(30);
    change();
    await lab.settle();
    await lab.pass(10);
    expect(conditionOf('a').status).toBe('Unknown');
  });

  test('that is ready again loses its taints', async () => {
    await start({ nodes: [node('a'), node('b')] });
    await lab.pass(30);
    lab.server.put(leases, lease('b', minute(0.5)));
    await lab.pass(10);
    expect(taintsOf('a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    lab.server.put(leases, lease('a', minute(1)));
    lab.server.change(nodes, 'a', { status: { conditions: [ready('True', { lastHeartbeatTime: minute(1) })] } });
    await lab.settle();
    expect(taintsOf('a')).toEqual([]);
  });

  test('that says itself that it is not ready keeps the conditions of its pods', async () => {
    await start({
      nodes: [node('a', [ready('False')]), node('b')],
      pods: [pod('p', 'a', { tolerations: [{ operator: 'Exists' }] })],
    });
    expect(taintsOf('a')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
    expect(await lab.requests()).toEqual(['PATCH nodes/a']);
    expect(lab.server.get(pods, 'ns/p').status.conditions[1].status).toBe('True');
  });

  test('whose pods are gone or unready already is done with them', async () => {
    const unready = { ...pod('p', 'a'), status: { conditions: [ready('False')] } };
    await start({ nodes: [node('a'), node('b')], pods: [unready, { ...pod('q', 'a'), status: {} }, pod('r', 'a')] });
    lab.server.refuse('PUT', /pods\/r/, 404, 'NotFound');
    await lab.pass(30);
    lab.server.put(leases, lease('b', minute(0.5)));
    await lab.pass(10);
    expect(await lab.requests()).toEqual([
      'PUT nodes/a/status',
      'PUT namespaces/ns/pods/r/status',
      'PATCH nodes/a',
      ...['p', 'q', 'r'].map((name) => `DELETE namespaces/ns/pods/${name}`),
    ]);
  });

  test('has its pods marked again after a failure', async () => {
    await start({ nodes: [node('a'), node('b')], pods: [pod('p', 'a')] });
    lab.server.refuse('PUT', /pods\/p/, 500, 'InternalError', 1);
    await lab.pass(30);
    lab.server.put(leases, lease('b', minute(0.5)));
    await lab.pass(10);
    await lab.pass(1);
    expect((await lab.requests()).filter((each) => each.startsWith('PUT namespaces'))).toEqual(
      Array(2).fill('PUT namespaces/ns/pods/p/status'),
    );
  });
});

describe('while no node is ready', () => {
  test('no pod is evicted; when one is ready again, the others get a new grace period', async () => {
    await start({ nodes: [node('a'), node('b')], pods: [pod('p', 'a')] });
    await lab.pass(40);
    expect([taintsOf('a'), taintsOf('b')]).toEqual(Array(2).fill(['unreachable:NoSchedule']));
    expect(lab.server.get(pods, 'ns/p')).toBeDefined();
    await lab.pass(20);
    lab.server.change(nodes, 'b', { status: { conditions: [ready('True', { lastHeartbeatTime: minute(1) })] } });
    await lab.settle();
    expect(taintsOf('a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    expect(taintsOf('b')).toEqual([]);
  });

  test('the evicting taints of all nodes are removed', async () => {
    await start({ nodes: [node('a', [ready('Unknown')]), node('b')] });
    expect(taintsOf('a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
    lab.server.change(nodes, 'b', { status: { conditions: [ready('False')] } });
    await lab.settle();
    expect([taintsOf('a'), taintsOf('b')]).toEqual([['unreachable:NoSchedule'], ['not-ready:NoSchedule']]);
    lab.server.remove(nodes, 'b');
    lab.server.put(nodes, node('c'));
    await lab.pass(10);
    expect(taintsOf('a')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
  });
});

test('a zone loses one node in ten seconds', async () => {
  const down = ['a', 'b'].map((name) => node(name, [ready('Unknown')]));
  await start({ nodes: [...down, ...['c', 'd', 'e'].map((name) => node(name, [ready()]))] });
  expect([taintsOf('a'), taintsOf('b')]).toEqual([
    ['unreachable:NoSchedule', 'unreachable:NoExecute'],
    ['unreachable:NoSchedule'],
  ]);
  await lab.pass(9);
  expect(taintsOf('b')).toEqual(['unreachable:NoSchedule']);
  await lab.pass(1);
  expect(taintsOf('b')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
});

test('another zone has a rate of its own', async () => {
  const zone = (name: string): Loose => ({ metadata: { labels: { 'topology.cluster.io/zone': name } } });
  await start({ nodes: [node('a', [ready('False')], zone('x')), node('b', [ready('False')], zone('y')), node('c')] });
  expect([taintsOf('a'), taintsOf('b')]).toEqual(Array(2).fill(['not-ready:NoSchedule', 'not-ready:NoExecute']));
});

test('nodes that come and go are announced, and older platform labels are added', async () => {
  await start({ nodes: [node('a', [ready()], { metadata: { labels: { 'cluster.io/os': 'linux' } } })] });
  lab.server.remove(nodes, 'a');
  expect(await lab.writes()).toEqual([
    { method: 'PATCH', path: 'nodes/a', body: { metadata: { labels: { 'beta.cluster.io/os': 'linux' } } } },
  ]);
  expect(await lab.events()).toEqual([
    'Node a: Normal RegisteredNode Node a event: Registered Node a in Controller',
    'Node a: Normal RemovingNode Node a event: Removing Node a from Controller',
  ]);
});

describe('without the taint manager', () => {
  const flags = ['--enable-taint-manager=false', '--pod-eviction-timeout=30s'];

  test('pods of a node that failed leave after the timeout, but those of daemon sets', async () => {
    const owner = { kind: 'DaemonSet', apiVersion: 'apps/v1', name: 'd', uid: 'd', controller: true };
    const daemon = pod('daemon', 'a', { metadata: { ownerReferences: [owner] } });
    const leaving = pod('leaving', 'a', { metadata: { deletionTimestamp: minute(0) } });
    await start(
      { nodes: [node('a', [ready('False')]), node('b')], pods: [pod('p', 'a'), daemon, leaving, pod('q', 'b')] },
      flags,
    );
    expect(await lab.requests()).toEqual(['PATCH nodes/a']);
    expect(taintsOf('a')).toEqual(['not-ready:NoSchedule']);
    await lab.pass(29);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    const message = 'Node a which was running pod p is unresponsive';
    expect(await lab.writes()).toEqual([
      { method: 'PATCH', path: 'namespaces/ns/pods/p/status', body: { status: { reason: 'NodeLost', message } } },
      { method: 'DELETE', path: 'namespaces/ns/pods/p', body: { apiVersion: 'v1', kind: 'DeleteOptions' } },
    ]);
    expect((await lab.events()).filter((text) => text.startsWith('Pod'))).toEqual([
      'Pod ns/p: Normal NodeControllerEviction Marking for deletion Pod p from Node a',
    ]);
  });

  test('the next node of a zone has to wait, and a pod that is gone does not matter', async () => {
    const failed = ready('False', { lastTransitionTime: minute(-1) });
    await start(
      { nodes: [node('b'), node('a', [failed]), node('c', [failed])], pods: [pod('p', 'a'), pod('q', 'c')] },
      flags,
    );
    const evicted = async (): Promise<string[]> => (await lab.requests()).filter((each) => each.includes('pods'));
    expect(await evicted()).toEqual(['PATCH namespaces/ns/pods/p/status', 'DELETE namespaces/ns/pods/p']);
    lab.server.refuse('PATCH', /pods\/q/, 404, 'NotFound');
    await lab.pass(9);
    expect(await evicted()).toEqual([]);
    await lab.pass(1);
    expect(await evicted()).toEqual(['PATCH namespaces/ns/pods/q/status']);
  });
});

describe('pods on a node with an evicting taint', () => {
  const taint = { key: 'mine', effect: 'NoExecute' };
  const tainted = node('a', [ready()], { spec: { taints: [taint] } });
  const forSeconds = (tolerationSeconds: number): Loose => ({
    tolerations: [{ key: 'mine', operator: 'Exists', tolerationSeconds }],
  });

  test('leave at once, after their time, or never', async () => {
    const always = pod('always', 'a', { tolerations: [{ operator: 'Exists' }] });
    await start({ nodes: [tainted], pods: [pod('none', 'a'), pod('soon', 'a', forSeconds(20)), always] });
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/none']);
    await lab.pass(19);
    lab.server.put(leases, lease('a', minute(0.2)));
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/soon']);
  });

  test('stay when the taint goes in time, and that is told', async () => {
    await start({ nodes: [tainted], pods: [pod('soon', 'a', forSeconds(20))] });
    await lab.pass(10);
    await lab.events();
    lab.server.change(nodes, 'a', { spec: { taints: [] } });
    expect(await lab.events()).toEqual(['Pod ns/soon: Normal TaintManagerEviction Cancelling deletion of Pod ns/soon']);
    await lab.pass(15);
    expect(await lab.requests()).toEqual([]);
  });

  test('that are deleted by somebody else are no longer waited for', async () => {
    await start({ nodes: [tainted], pods: [pod('soon', 'a', forSeconds(20))] });
    await lab.events();
    lab.server.remove(pods, 'ns/soon');
    expect(await lab.events()).toEqual(['Pod ns/soon: Normal TaintManagerEviction Cancelling deletion of Pod ns/soon']);
  });

  test('are deleted again only if the first deletion failed', async () => {
    await start({ nodes: [node('a')], pods: [pod('p', 'a', { metadata: { finalizers: ['f'] } }), pod('q', 'a')] });
    lab.server.refuse('DELETE', /pods\/q/, 500, 'InternalError', 1);
    lab.server.change(nodes, 'a', { spec: { taints: [taint] } });
    await lab.pass(1);
    lab.server.change(pods, 'ns/p', { metadata: { labels: { x: 'y' } } });
    await lab.pass(1);
    const deletions = await lab.requests();
    expect(deletions.sort()).toEqual(['DELETE namespaces/ns/pods/p', ...Array(2).fill('DELETE namespaces/ns/pods/q')]);
  });

  test('leave at once when they no longer tolerate it, and not earlier for a shorter time', async () => {
    await start({ nodes: [tainted], pods: [pod('p', 'a', forSeconds(20)), pod('q', 'a', forSeconds(20))] });
    await lab.pass(5);
    lab.server.change(pods, 'ns/p', { spec: { tolerations: [] } });
    lab.server.change(pods, 'ns/q', { spec: forSeconds(6) });
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/p']);
    await lab.pass(14);
    expect(await lab.requests()).toEqual([]);
    await lab.pass(1);
    expect(await lab.requests()).toEqual(['DELETE namespaces/ns/pods/q']);
  });
});
