import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, deployment, type Loose } from './bench.ts';

const PODS = '/api/v1/namespaces/default/pods';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 2 });
});
afterEach(() => bench.stop());

const taints = (node: Loose): string[] => (node.spec.taints ?? []).map((t: Loose) => `${t.key}:${t.effect}`).sort();

describe('a node without heartbeats', () => {
  test('becomes unknown after 40 seconds, and its pods are evicted after their toleration', async () => {
    await bench.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await bench.until(PODS, (l) => l.items.length === 2 && l.items.every((p: Loose) => p.status.phase === 'Running'));
    await bench.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'simulation.vitrine.dev/down': 'true' } } });
    await bench.advance(35_000, 500);
    expect(taints(await bench.get('/api/v1/nodes/node-1'))).toEqual([]);
    const silent = await bench.until('/api/v1/nodes/node-1', (n) => taints(n).length === 2);
    expect(taints(silent)).toEqual(['node.cluster.io/unreachable:NoExecute', 'node.cluster.io/unreachable:NoSchedule']);
    expect(silent.status.conditions.find((c: Loose) => c.type === 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    });
    await bench.advance(301_000, 1000);
    const alive = (p: Loose): boolean => p.metadata.deletionTimestamp === undefined;
    await bench.until(
      PODS,
      (l) =>
        l.items.filter((p: Loose) => alive(p) && p.status.phase === 'Running' && p.spec.nodeName === 'node-2')
          .length === 2,
    );
  });

  test('recovers when it is back', async () => {
    await bench.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'simulation.vitrine.dev/down': 'true' } } });
    await bench.until('/api/v1/nodes/node-1', (n) => taints(n).length === 2);
    await bench.patch('/api/v1/nodes/node-1', { metadata: { annotations: { 'simulation.vitrine.dev/down': null } } });
    const back = await bench.until('/api/v1/nodes/node-1', (n) => taints(n).length === 0);
    expect(back.status.conditions.find((c: Loose) => c.type === 'Ready').status).toBe('True');
  });
});

describe('a node', () => {
  test('has events when it is added and deleted', async () => {
    const events = '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Down';
    const announced = (reason: string): Promise<Loose> =>
      bench.until(events, (l) => l.items.some((event: Loose) => event.reason === reason));
    await bench.create('/api/v1/nodes', { metadata: { name: 'own' } });
    await announced('RegisteredNode');
    await bench.delete('/api/v1/nodes/own');
    await announced('RemovingNode');
  });

  test('reports the state of its pods: only missing heartbeats make them unready', async () => {
    const condition = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });
    await bench.create('/api/v1/nodes', { metadata: { name: 'own' }, status: condition('False').status });
    const containers = [{ name: 'c', image: 'nginx' }];
    await bench.create(PODS, {
      metadata: { name: 'p' },
      spec: { nodeName: 'own', tolerations: [{ operator: 'Exists' }], containers },
    });
    await bench.patch(`${PODS}/p/status`, condition('True'));
    await bench.until('/api/v1/nodes/own', (n) => taints(n).includes('node.cluster.io/not-ready:NoSchedule'));
    await bench.advance(5_000, 500);
    const ready = (p: Loose): string => p.status.conditions.find((c: Loose) => c.type === 'Ready').status;
    expect(ready(await bench.get(`${PODS}/p`))).toBe('True');
    await bench.patch('/api/v1/nodes/own/status', condition('True'));
    await bench.until(`${PODS}/p`, (p) => ready(p) === 'False');
  });

  test('that reports pressure is tainted', async () => {
    await bench.patch('/api/v1/nodes/node-1', {
      metadata: { annotations: { 'simulation.vitrine.dev/pressure': 'memory' } },
    });
    await bench.until('/api/v1/nodes/node-1', (n) => taints(n).includes('node.cluster.io/memory-pressure:NoSchedule'));
  });

  test('that is deleted loses its pods', async () => {
    await bench.create(PODS, {
      metadata: { name: 'p' },
      spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx' }] },
    });
    await bench.until(`${PODS}/p`, (p) => p.status.phase === 'Running');
    await bench.delete('/api/v1/nodes/node-1');
    await bench.gone(`${PODS}/p`);
  });
});

test('a pod that tolerates a taint for a time is evicted once, whatever changes on its node afterwards', async () => {
  const taint = { key: 'maintenance', effect: 'NoExecute' };
  await bench.create('/api/v1/nodes', { metadata: { name: 'own' }, spec: { taints: [taint] } });
  await bench.create(PODS, {
    metadata: { name: 'p' },
    spec: {
      nodeName: 'own',
      tolerations: [{ key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
      containers: [{ name: 'c', image: 'nginx' }],
    },
  });
  // No agent ends the pod, so it stays.
  await bench.until(`${PODS}/p`, (p) => p.metadata.deletionTimestamp !== undefined);
  const { taints: before } = (await bench.get('/api/v1/nodes/own')).spec;
  const others = [
    { key: 'full', effect: 'NoSchedule' },
    { key: 'maintenance', value: 'longer', effect: 'NoExecute' },
  ];
  await bench.patch('/api/v1/nodes/own', {
    spec: { taints: [...before.filter((t: Loose) => t.key !== 'maintenance'), ...others] },
  });
  await bench.advance(20_000, 1000);
  const events = await bench.get('/api/v1/namespaces/default/events?fieldSelector=reason%3DTaintManagerEviction');
  expect(events.items.map((event: Loose) => [event.message, event.count])).toEqual([
    ['Marking for deletion Pod default/p', 1],
  ]);
});

describe('without the taint manager', () => {
  test('all pods of a failed node are deleted after the eviction timeout, whatever they tolerate', async () => {
    const other = await Bench.start({
      nodes: 2,
      controllerManager: ['--enable-taint-manager=false', '--pod-eviction-timeout=2m'],
    });
    try {
      const tolerations = [{ operator: 'Exists' }];
      const containers = [{ name: 'c', image: 'nginx' }];
      await other.create(PODS, { metadata: { name: 'p' }, spec: { nodeName: 'node-1', tolerations, containers } });
      await other.until(`${PODS}/p`, (p) => p.status.phase === 'Running');
      await other.patch('/api/v1/nodes/node-1', {
        metadata: { annotations: { 'simulation.vitrine.dev/down': 'true' } },
      });
      const silent = await other.until('/api/v1/nodes/node-1', (n) => taints(n).length > 0);
      expect(taints(silent)).toEqual(['node.cluster.io/unreachable:NoSchedule']);
      await other.advance(100_000, 1000);
      expect((await other.get(`${PODS}/p`)).metadata.deletionTimestamp).toBeUndefined();
      await other.advance(30_000, 1000);
      await other.until(`${PODS}/p`, (p) => p.metadata.deletionTimestamp !== undefined);
      expect(await other.reasons('default', 'Pod', 'p')).toContain('NodeControllerEviction');
    } finally {
      await other.stop();
    }
  });
});

describe('when no node has a heartbeat', () => {
  const down = (name: string, value: string | null): Promise<unknown> =>
    bench.patch(`/api/v1/nodes/${name}`, { metadata: { annotations: { 'simulation.vitrine.dev/down': value } } });
  const unreachable = 'node.cluster.io/unreachable';

  test('nothing is evicted until one is back', { timeout: 60_000 }, async () => {
    await down('node-1', 'true');
    await bench.until('/api/v1/nodes/node-1', (n) => taints(n).includes(`${unreachable}:NoExecute`));
    await down('node-2', 'true');
    for (const name of ['node-1', 'node-2'])
      await bench.until(`/api/v1/nodes/${name}`, (n) => taints(n).join() === `${unreachable}:NoSchedule`);
    await bench.advance(60_000, 1000);
    expect(taints(await bench.get('/api/v1/nodes/node-1'))).toEqual([`${unreachable}:NoSchedule`]);
    await down('node-2', null);
    await bench.until('/api/v1/nodes/node-2', (n) => taints(n).length === 0);
    await bench.until('/api/v1/nodes/node-1', (n) => taints(n).includes(`${unreachable}:NoExecute`));
  });
});

describe('an eviction that waits', () => {
  const NODE = '/api/v1/nodes/own';
  const taint = (key: string) => ({ key, effect: 'NoExecute' });
  const tolerate = (key: string, tolerationSeconds?: number) => ({
    ...{ key, operator: 'Exists', effect: 'NoExecute' },
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  });
  const messages = async (): Promise<string[]> => {
    const events = await bench.get('/api/v1/namespaces/default/events?fieldSelector=reason%3DTaintManagerEviction');
    return events.items.map((event: Loose) => event.message);
  };
  /** A pod whose eviction by the taint `first` waits for a minute; then the node has the given taints. */
  const retaint = async (other: object, taints: object[]): Promise<void> => {
    await bench.create('/api/v1/nodes', { metadata: { name: 'own' }, spec: { taints: [taint('first')] } });
    await bench.create(PODS, {
      metadata: { name: 'p' },
      spec: {
        nodeName: 'own',
        tolerations: [tolerate('first', 60), other],
        containers: [{ name: 'c', image: 'nginx' }],
      },
    });
    await bench.advance(2_000, 1000);
    await bench.patch(NODE, { spec: { taints } });
    await bench.advance(20_000, 1000);
  };

  test('is cancelled by taints that the pod tolerates for ever', async () => {
    await retaint(tolerate('second'), [taint('second')]);
    expect(await messages()).toEqual(['Cancelling deletion of Pod default/p']);
  });

  test('is not brought forward by a taint that the pod tolerates for no time', async () => {
    await retaint(tolerate('second', 0), [taint('first'), taint('second')]);
    expect(await messages()).toEqual([]);
    expect((await bench.get(`${PODS}/p`)).metadata.deletionTimestamp).toBeUndefined();
  });
});
