/** A scheduler that people pause, or that begins paused: pods wait as in a cluster that has none. */
import { afterEach, expect, test } from 'vitest';
import { followControllers, steerController, type ControllersState } from '../../src/hosts/worker/controllers.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const PODS = '/api/v1/namespaces/default/pods';
const pod = (name: string): object => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'nginx' }] } });
const isPlaced = ({ spec }: Loose): boolean => spec.nodeName !== undefined;

let bench: Bench;
afterEach(() => bench.stop());

const steer = (what: 'pause' | 'resume' | 'step'): void =>
  steerController(bench.cluster, { do: what, controller: 'scheduler' });

test('a scheduler that begins paused places nothing until it goes on', async () => {
  bench = await Bench.start({ nodes: 1, schedulerPaused: true });
  for (const name of ['a', 'b', 'c']) await bench.create(PODS, pod(name));
  await bench.advance(30_000, 1000);
  expect((await bench.items(PODS)).filter(isPlaced)).toEqual([]);
  expect(bench.cluster.scheduling.view()).toEqual({
    ...{ waiting: 3, paused: true, delayed: [] },
    next: ['default/a', 'default/b', 'default/c'],
  });
  steer('step');
  await bench.until(PODS, ({ items }) => items.some(isPlaced));
  await bench.advance(5000, 1000);
  expect((await bench.items(PODS)).filter(isPlaced).map(({ metadata }) => metadata.name)).toEqual(['a']);
  steer('resume');
  await bench.until(PODS, ({ items }) => items.every(isPlaced));
  expect(bench.cluster.scheduling.view()).toEqual({ waiting: 0, paused: false, next: [], delayed: [] });
});

test('a running scheduler is paused and stands in the list of controllers', async () => {
  bench = await Bench.start({ nodes: 1 });
  const states: ControllersState[] = [];
  const end = followControllers(bench.cluster, (state) => states.push(state));
  steer('pause');
  await bench.create(PODS, pod('a'));
  await bench.advance(5000, 1000);
  expect((await bench.items(PODS)).filter(isPlaced)).toEqual([]);
  const latest = new Promise<ControllersState>((resolve) => void followControllers(bench.cluster, resolve)());
  expect((await latest).controllers[0]).toMatchObject({
    name: 'scheduler',
    user: 'system:cluster-scheduler',
    notStarted: false,
    loops: [{ waiting: 1, next: ['default/a'], paused: true }],
  });
  expect(states.length).toBeGreaterThan(0);
  end();
  steer('resume');
  await bench.until(PODS, ({ items }) => items.every(isPlaced));
});

test('a pod that is deleted while it waits is no longer counted', async () => {
  bench = await Bench.start({ nodes: 1 });
  steer('pause');
  await bench.create(PODS, pod('a'));
  const heard = { change: (_state: ControllersState): void => undefined };
  const end = followControllers(bench.cluster, (state) => heard.change(state));
  const untilWaiting = (count: number): Promise<void> =>
    new Promise((resolve) => {
      heard.change = ({ controllers }) => {
        if (controllers[0]?.loops[0]?.waiting === count) resolve();
      };
    });
  const waits = untilWaiting(1);
  steer('pause');
  await waits;
  const isGone = untilWaiting(0);
  await bench.delete(`${PODS}/a`);
  await isGone;
  end();
});

test('a pod in back-off is not counted as waiting: it is tried again when its back-off ends', async () => {
  bench = await Bench.start({ nodes: 1 });
  const selective = { nodeSelector: { disk: 'fast' }, containers: [{ name: 'c', image: 'nginx' }] };
  await bench.create(PODS, { metadata: { name: 'a' }, spec: selective });
  await bench.until(`${PODS}/a`, ({ status }) => status.conditions?.[0]?.reason === 'Unschedulable');
  // Something else about nodes has changed: the pod will be tried again, but not at once.
  await bench.create('/api/v1/nodes', { metadata: { name: 'other' } });
  const latest = (): Promise<ControllersState> =>
    new Promise((resolve) => void followControllers(bench.cluster, resolve)());
  await expect
    .poll(async () => (await latest()).controllers[0]?.loops[0]?.delayed)
    .toMatchObject([{ key: 'default/a' }]);
  expect((await latest()).controllers[0]?.loops[0]).toMatchObject({ waiting: 0, next: [] });
});
