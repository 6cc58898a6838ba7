import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '../../src/client/index.ts';
import { Bench, deployment, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start({ nodes: 2 });
});
afterEach(() => bench.stop());

const needing = (name: string, cpu: string, spec: Loose = {}): Loose => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }], ...spec },
});
const isRefused = (pod: Loose): boolean =>
  pod.status.conditions?.some((c: Loose) => c.type === 'PodScheduled' && c.status === 'False');

describe('questions to the running scheduler', () => {
  test('tell why a pod waits, what could wake it, and what would help', async () => {
    await bench.create(PODS, needing('big', '6'));
    await bench.until(`${PODS}/big`, isRefused);
    const ask = await bench.cluster.scheduling.questions();
    const placement = await ask.explain({ pod: 'default/big' });
    expect(placement).toMatchObject({
      winners: [],
      why: '0/2 nodes are available: 2 Insufficient cpu.',
      taken: { why: '0/2 nodes are available: 2 Insufficient cpu.' },
      nodes: [
        { node: 'node-1', fits: false, first: { plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'] } },
        { node: 'node-2', fits: false },
      ],
    });
    expect(placement.wakes).toContain('NodeAllocatableChange');
    expect((await ask.remedies({ pod: 'default/big' })).map(({ title }) => title)).toEqual([
      'Request 4000m CPU or less',
    ]);
    expect(ask.overview().lanes.unschedulable).toMatchObject({
      count: 1,
      first: [{ pod: 'default/big', wakes: expect.arrayContaining(['NodeAdd']) as unknown }],
      reasons: [{ reason: '0/2 nodes are available: 2 Insufficient cpu.', count: 1 }],
    });
  });

  test('a draft of a node says who would win, and so it comes when the draft is applied', async () => {
    await bench.create(PODS, needing('picky', '1', { nodeSelector: { disk: 'ssd' } }));
    await bench.until(`${PODS}/picky`, isRefused);
    const ask = await bench.cluster.scheduling.questions();
    const node = await bench.get('/api/v1/nodes/node-2');
    node.metadata.labels.disk = 'ssd';
    expect((await ask.explain({ pod: 'default/picky', draft: { nodes: [node] } })).winners).toEqual(['node-2']);
    expect((await ask.explain({ pod: 'default/picky' })).winners).toEqual([]);
    await bench.patch('/api/v1/nodes/node-2', { metadata: { labels: { disk: 'ssd' } } });
    const placed = await bench.until(`${PODS}/picky`, (pod) => pod.spec.nodeName !== undefined);
    expect(placed.spec.nodeName).toBe('node-2');
  });

  test('know the decision about a pod for as long as the pod is there', async () => {
    await bench.create(PODS, needing('brief', '1'));
    const pod = (await bench.until(`${PODS}/brief`, ({ spec }) => spec.nodeName !== undefined)) as Pod;
    const ask = await bench.cluster.scheduling.questions();
    expect((await ask.explain({ pod })).taken).toMatchObject({ node: pod.spec.nodeName });
    await bench.delete(`${PODS}/brief`, { gracePeriodSeconds: 0 });
    await bench.gone(`${PODS}/brief`);
    expect((await ask.explain({ pod })).taken).toBeUndefined();
  });

  test('a pod that has its node is looked at as the nodes stood when it was decided about', async () => {
    await bench.create(PODS, needing('first', '3'));
    const first = await bench.until(`${PODS}/first`, (pod) => pod.spec.nodeName !== undefined);
    await bench.create(PODS, needing('second', '3'));
    const second = await bench.until(`${PODS}/second`, (pod) => pod.spec.nodeName !== undefined);
    expect(second.spec.nodeName).not.toBe(first.spec.nodeName);
    const ask = await bench.cluster.scheduling.questions();
    const then = await ask.explain({ pod: 'default/first', then: 'decided' });
    expect(then.winners).toEqual(['node-1', 'node-2']);
    expect(then.taken).toMatchObject({ node: first.spec.nodeName });
    // Now the second pod stands on the other node.
    expect((await ask.explain({ pod: 'default/first' })).winners).toEqual([first.spec.nodeName]);
    const overview = ask.overview();
    expect(overview.extenders).toEqual([]);
    expect(overview.nodes.flatMap(({ shares }) => shares.map(({ owner }) => owner)).sort()).toEqual([
      'Pod/first',
      'Pod/second',
    ]);
  });

  test('tell for whom room was made, while they leave and when the pod has its node', async () => {
    await bench.create('/apis/scheduling.cluster.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 9 });
    for (const name of ['low-1', 'low-2']) {
      const stubborn = needing(name, '3');
      stubborn.spec.containers[0].command = ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'];
      await bench.create(PODS, stubborn);
      await bench.until(`${PODS}/${name}`, (pod) => pod.status.phase === 'Running');
    }
    await bench.create(PODS, needing('urgent', '2', { priorityClassName: 'high' }));
    await bench.until(`${PODS}/urgent`, (pod) => pod.status.nominatedNodeName !== undefined);
    // It is tried again while its victim is still leaving.
    await bench.patch(`${PODS}/urgent`, { metadata: { labels: { changed: 'yes' } } });
    await bench.advance(10_000);
    const ask = await bench.cluster.scheduling.questions();
    const waiting = await ask.explain({ pod: 'default/urgent' });
    const { nominatedNodeName: node } = (await bench.get(`${PODS}/urgent`)).status;
    expect(waiting).toMatchObject({ taken: { room: { node } }, preemption: { barredBy: 'leaving' } });
    const told = { preemption: { node, candidates: [{ victims: [{}] }, { victims: [{}] }] } };
    expect(await ask.explain({ pod: 'default/urgent', then: 'room' })).toMatchObject(told);
    await bench.advance(60_000);
    expect(await ask.explain({ pod: 'default/urgent' })).toMatchObject({ taken: { node, room: { node } } });
    expect(await ask.explain({ pod: 'default/urgent', then: 'room' })).toMatchObject(told);
  });

  test('count how many replicas fit, and rehearse a drain', async () => {
    await bench.create('/apis/apps/v1/namespaces/default/deployments', deployment('web', 2));
    await bench.until(PODS, ({ items }) => items.length === 2 && items.every((pod: Loose) => pod.spec.nodeName));
    const ask = await bench.cluster.scheduling.questions();
    expect(await ask.fit({ pod: needing('one', '1900m') as never })).toMatchObject({
      count: 4,
      byNode: { 'node-1': 2, 'node-2': 2 },
      bottleneck: '0/2 nodes are available: 2 Insufficient cpu.',
    });
    const { items } = await bench.get(PODS);
    const on = items.filter((pod: Loose) => pod.spec.nodeName === 'node-1');
    const outcomes = await ask.drain('node-1');
    expect(outcomes).toEqual(
      on.map((pod: Loose) => ({ pod: `default/${pod.metadata.name}`, what: 'moves', to: 'node-2' })),
    );
  });

  test('say what is wrong with a question', async () => {
    const ask = await bench.cluster.scheduling.questions();
    await expect(ask.explain({ pod: 'default/none' })).rejects.toThrow('there is no pod default/none');
    await expect(ask.explain({ pod: needing('p', '1') as never, draft: { profile: 'other' } })).rejects.toThrow(
      'no profile of this scheduler is called "other"',
    );
  });
});

test('whoever follows hears of changes until it is ended', async () => {
  let heard = 0;
  const end = bench.cluster.scheduling.follow(() => (heard += 1));
  await bench.create(PODS, needing('one', '1'));
  await bench.until(`${PODS}/one`, (pod) => pod.spec.nodeName !== undefined);
  expect(heard).toBeGreaterThan(0);
  end();
  const before = heard;
  await bench.delete(`${PODS}/one`);
  await bench.gone(`${PODS}/one`);
  expect(heard).toBe(before);
});
