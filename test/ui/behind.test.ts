import { expect, test } from 'vitest';
import { behindIn, describeBehind } from '../../src/ui/panels/controllers/behind.ts';
import type { ControllersState, ControllerView, LoopView } from '../../src/ui/controllers.ts';

const loop = (waiting: number, more: Partial<LoopView> = {}): LoopView => ({
  ...{ name: 'l', workers: 1, waiting, next: [], running: ['a/b'], delayed: [], failing: [], paused: false },
  ...more,
});
const controller = (name: string, ...loops: LoopView[]): ControllerView => ({
  name,
  user: 'u',
  notStarted: false,
  reads: [],
  loops,
});
const state = (...controllers: ControllerView[]): ControllersState => ({ controllers, informers: [], revision: 1 });

test.each<[string, ControllersState | undefined, number]>([
  ['nobody looks', undefined, 0],
  ['no controller has anything to do', state(controller('job', loop(0))), 0],
  ['a key is being worked on', state(controller('job', loop(0, { running: ['a/b'] }))), 0],
  ['keys come in later', state(controller('job', loop(0, { delayed: [{ key: 'a', due: 1 }] }))), 0],
  ['keys wait in several queues', state(controller('job', loop(2), loop(3)), controller('scheduler', loop(40))), 45],
])('behind, where %s', (_when, given, total) => expect(behindIn(given).total).toBe(total));

test('tells who is behind, the most first, and who is paused', () => {
  const behind = behindIn(
    state(controller('job', loop(2)), controller('idle', loop(0)), controller('scheduler', loop(40, { paused: true }))),
  );
  expect(describeBehind(behind)).toBe(
    'Work is still queued, so this list may change: scheduler 40 (paused), job 2. Press to see the controllers.',
  );
});
