import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 1 });
});
afterEach(() => bench.stop());

const needing = (name: string, cpu: string, spec: Loose = {}): Loose => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }], ...spec },
});
const scheduled = (pod: Loose): Loose => pod.status.conditions?.find((c: Loose) => c.type === 'PodScheduled');

describe('the scheduler', () => {
  test('says why a pod has no node, and places it when one comes on which it fits', async () => {
    await bench.create(PODS, needing('big', '6'));
    const pending = await bench.until(`${PODS}/big`, (p) => scheduled(p)?.status === 'False');
    expect(scheduled(pending)).toMatchObject({
      reason: 'Unschedulable',
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    });
    expect(await bench.reasons('default', 'Pod', 'big')).toEqual(['FailedScheduling']);
    const annotations = { 'simulation.vitrine.dev/agent': 'true' };
    const capacity = { cpu: '8', memory: '8Gi', pods: '110' };
    await bench.create('/api/v1/nodes', {
      metadata: { name: 'large', annotations },
      status: { capacity, allocatable: capacity },
    });
    const placed = await bench.until(`${PODS}/big`, (p) => p.status.phase === 'Running');
    expect(placed.spec.nodeName).toBe('large');
  });

  test('makes room for a pod of higher priority', async () => {
    await bench.create('/apis/scheduling.cluster.io/v1/priorityclasses', { metadata: { name: 'urgent' }, value: 1000 });
    await bench.create(PODS, needing('low', '3'));
    await bench.until(`${PODS}/low`, (p) => p.status.phase === 'Running');
    await bench.create(PODS, needing('high', '3', { priorityClassName: 'urgent' }));
    await bench.until(`${PODS}/high`, (p) => p.status.phase === 'Running');
    expect((await bench.get(`${PODS}/low`)).code).toBe(404);
    expect(await bench.reasons('default', 'Pod', 'low')).toContain('Preempted');
  });

  test('leaves pods alone that name another scheduler', async () => {
    await bench.create(PODS, needing('other', '1', { schedulerName: 'another' }));
    await bench.advance(5000, 500);
    const pod = await bench.get(`${PODS}/other`);
    expect(pod.spec.nodeName).toBeUndefined();
    expect(scheduled(pod)).toBeUndefined();
  });

  test('places a pod when the one in its way has gone', async () => {
    await bench.create(PODS, needing('first', '3'));
    await bench.until(`${PODS}/first`, (p) => p.status.phase === 'Running');
    await bench.create(PODS, needing('second', '3'));
    await bench.until(`${PODS}/second`, (p) => scheduled(p)?.status === 'False');
    await bench.delete(`${PODS}/first`);
    await bench.until(`${PODS}/second`, (p) => p.status.phase === 'Running');
  });

  test('tells what it did: the queue, each filter, each score, the binding', async () => {
    const events = bench.listen('scheduling');
    await bench.create(PODS, needing('traced', '1'));
    await bench.until(`${PODS}/traced`, (p) => p.spec.nodeName !== undefined);
    const told = (): readonly string[] => events.map((event) => ('what' in event ? event.what : ''));
    // The pod has its node before the scheduler is answered.
    await expect.poll(told).toEqual(['queued', 'popped', 'filtered', 'bound']);
  });
});
