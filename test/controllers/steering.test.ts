import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TraceEvent } from '../../src/trace/index.ts';
import { Bench, deployment, type Loose } from './bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.start();
});
afterEach(() => bench.stop());

const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const loopsOf = (name: string) =>
  bench.cluster.controllers.view().controllers.find((each) => each.name === name)?.loops ?? [];
const itemsOf = async (path: string): Promise<Loose[]> => bench.items(path);

test('a paused controller queues keys and processes one for each step; when resumed it processes all', async () => {
  bench.cluster.controllers.setPaused('deployment', true);
  for (const name of ['a', 'b', 'c']) await bench.create(DEPLOYMENTS, deployment(name, 0));
  await bench.advance(500);
  expect(await itemsOf(SETS)).toHaveLength(0);
  expect(loopsOf('deployment')).toMatchObject([
    { name: 'deployment', paused: true, waiting: 3, next: ['default/a', 'default/b', 'default/c'], running: [] },
  ]);
  bench.cluster.controllers.step('deployment');
  await bench.until(SETS, ({ items }) => items.length === 1);
  await bench.advance(500);
  expect((await itemsOf(SETS)).map((set) => set.metadata.labels.app)).toEqual(['a']);
  bench.cluster.controllers.setPaused('deployment', false);
  await bench.until(SETS, ({ items }) => items.length === 3);
  await bench.advance(500);
  expect(loopsOf('deployment')).toMatchObject([{ paused: false, waiting: 0, running: [] }]);
});

test('lists the caches, their revisions, and the writing user', async () => {
  const { controllers, informers } = bench.cluster.controllers.view();
  const pods = informers.find(({ path }) => path === '/api/v1/pods');
  expect(pods).toMatchObject({ synced: true, objects: 0 });
  expect(Number(pods?.revision)).toBeGreaterThan(0);
  expect(controllers.find(({ name }) => name === 'deployment')).toMatchObject({
    user: 'system:cluster-controller-manager',
    notStarted: false,
  });
});

test('calls back after a run until it is stopped', async () => {
  let heard = 0;
  const end = bench.cluster.controllers.follow(() => (heard += 1));
  await bench.create(DEPLOYMENTS, deployment('a', 0));
  await bench.until(SETS, ({ items }) => items.length === 1);
  expect(heard).toBeGreaterThan(0);
  end();
  const before = heard;
  await bench.create(DEPLOYMENTS, deployment('b', 0));
  await bench.until(SETS, ({ items }) => items.length === 2);
  expect(heard).toBe(before);
});

test('calls back when an idle controller is paused or resumed', () => {
  let heard = 0;
  const end = bench.cluster.controllers.follow(() => (heard += 1));
  bench.cluster.controllers.setPaused('deployment', true);
  expect(heard).toBe(1);
  bench.cluster.controllers.setPaused('deployment', false);
  expect(heard).toBe(2);
  end();
  bench.cluster.controllers.setPaused('deployment', true);
  expect(heard).toBe(2);
});

test('lists the caches of a controller, and their revisions at the start of a run', async () => {
  const deployments = '/apis/apps/v1/deployments';
  const view = bench.cluster.controllers.view();
  const reads = view.controllers.find(({ name }) => name === 'deployment')?.reads ?? [];
  expect(reads).toContain(deployments);
  expect(reads).toContain('/apis/apps/v1/replicasets');
  expect(reads).not.toContain('/apis/batch/v1/jobs');
  expect(view.informers.map(({ path }) => path)).toEqual(expect.arrayContaining([...reads]));
  const ended: TraceEvent[] = [];
  const end = bench.cluster.trace.listen(
    (event) => {
      if (event.topic === 'reconcile' && event.controller === 'deployment' && event.what === 'done') ended.push(event);
    },
    ['reconcile'],
  );
  const made = await bench.create(DEPLOYMENTS, deployment('a', 0));
  await bench.until(SETS, ({ items }) => items.length === 1);
  await bench.advance(500);
  end();
  const first = ended[0]?.topic === 'reconcile' ? ended[0].read : undefined;
  expect(first?.[deployments]).toBe(made.metadata.resourceVersion);
});
