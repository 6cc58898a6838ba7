/** A scheduler whose code comes with the first pod that waits, and one that only answers questions. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nodes, pods } from '../../src/client/index.ts';
import { recallScheduling, scheduling, startScheduler } from '../../src/scheduler/index.ts';
import * as whole from '../../src/scheduler/whole.ts';
import type { Loose } from '../client/smallServer.ts';
import { SchedulerLab, waiting } from './lab.ts';
import { pod } from './objects.ts';

let lab: SchedulerLab;
beforeEach(() => {
  lab = new SchedulerLab();
});
afterEach(async () => {
  await lab.stop();
  vi.restoreAllMocks();
});

const put = (...all: Loose[]): void => all.forEach((each) => void lab.server.put(pods, waiting(each)));
const asking = (name: string, cpu: string, spec: Loose = {}): Loose => pod(name, { requests: { cpu }, spec });

describe('a scheduler that is not loaded yet', () => {
  let network: () => Promise<void>;
  let loads: number;
  beforeEach(() => {
    network = () => Promise.resolve();
    loads = 0;
    vi.spyOn(scheduling, 'loaded', 'get').mockReturnValue(false);
    vi.spyOn(scheduling, 'get').mockReturnValue(whole);
    vi.spyOn(scheduling, 'load').mockImplementation(async () => {
      loads += 1;
      await network();
      return whole;
    });
    lab.addNode('n');
  });
  const start = (paused?: boolean): Promise<void> =>
    lab.begin((given) => startScheduler({ ...given, ...(paused !== undefined && { paused }) }));

  test('is loaded with the first pod that has no node, once', async () => {
    put(asking('there', '1', { nodeName: 'n' }));
    await start();
    expect([loads, lab.running?.view()]).toEqual([0, undefined]);
    put(asking('p', '1'), asking('q', '1'));
    expect(await lab.bindings()).toEqual(['p: n', 'q: n']);
    expect([loads, lab.running?.view()]).toEqual([1, { waiting: 0, next: [], delayed: [], paused: false }]);
    put(asking('r', '1'));
    expect(await lab.bindings()).toEqual(['r: n']);
    expect(loads).toBe(1);
  });

  test('is fetched again until it comes, and each failure is told', async () => {
    network = () => Promise.reject(new Error('no network'));
    put(asking('p', '1'));
    await start();
    await lab.pass(1);
    network = () => Promise.resolve();
    expect(await lab.bindings()).toEqual([]);
    expect(lab.trace).toMatchObject(
      Array.from({ length: 2 }, () => ({
        ...{ topic: 'scheduling', pod: '', uid: '', what: 'failed', why: 'Error: no network' },
      })),
    );
    await lab.pass(2);
    expect(await lab.bindings()).toEqual(['p: n']);
    expect(loads).toBe(3);
  });

  test.each<[string, paused: boolean | undefined, steps: readonly boolean[], isPaused: boolean]>([
    ['begins paused', true, [], true],
    ['begins paused and is told to go on', true, [false], false],
    ['is paused', undefined, [true], true],
    ['is paused and goes on', false, [true, false], false],
  ])('that %s', async (_, paused, steps, isPaused) => {
    await start(paused);
    for (const step of steps) lab.running?.setPaused(step);
    lab.running?.step();
    expect(lab.running?.view()).toEqual(isPaused ? { waiting: 0, next: [], delayed: [], paused: true } : undefined);
    put(asking('p', '1'), asking('q', '1'));
    expect(await lab.bindings()).toEqual(isPaused ? [] : ['p: n', 'q: n']);
    expect(lab.running?.view()?.paused).toBe(isPaused);
    if (!isPaused) return;
    lab.running?.step();
    expect(await lab.bindings()).toEqual(['p: n']);
    lab.running?.setPaused(false);
    expect(await lab.bindings()).toEqual(['q: n']);
  });

  test('is loaded by the first question', async () => {
    await start();
    const ask = await lab.running?.questions();
    expect((await ask?.fit({ pod: waiting(asking('p', '1')) }))?.count).toBe(4);
    expect(loads).toBe(1);
  });

  test('is loaded by whoever follows it, who hears of it and of changes until the end', async () => {
    await start();
    let heard = 0;
    const end = lab.running?.follow(() => (heard += 1));
    await lab.settle();
    const begun = heard;
    lab.addNode('m');
    await lab.settle();
    const changed = heard;
    end?.();
    lab.server.remove(nodes, 'm');
    await lab.settle();
    expect([loads, begun > 0, changed > begun, heard === changed]).toEqual([1, true, true, true]);
  });

  test('tells nothing to whoever no longer follows when it comes', async () => {
    await start();
    let heard = 0;
    lab.running?.follow(() => (heard += 1))();
    await lab.settle();
    lab.addNode('m');
    await lab.settle();
    expect([loads, heard]).toEqual([1, 0]);
  });

  test('is not loaded any more after its end', async () => {
    await start();
    await lab.stop();
    put(asking('p', '1'));
    expect([await lab.writes(), loads]).toEqual([[], 0]);
  });

  test('does not begin when it comes after its end', async () => {
    network = () => lab.stop();
    await start();
    const answer = lab.running?.questions();
    await expect(answer).rejects.toThrow('aborted');
    put(asking('p', '1'));
    expect([await lab.writes(), loads]).toEqual([[], 1]);
  });
});

test('a scheduler that is loaded begins at once', async () => {
  await scheduling.load();
  await lab.begin(startScheduler);
  expect(lab.running?.view()).toEqual({ waiting: 0, next: [], delayed: [], paused: false });
});

describe('the scheduling of the past', () => {
  const refused = {
    conditions: [
      { type: 'Ready', status: 'False' },
      {
        ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' },
        lastTransitionTime: '2026-01-01T11:00:00Z',
      },
    ],
  };
  const policy = JSON.stringify({
    kind: 'Policy',
    apiVersion: 'v1',
    extenders: [{ urlPrefix: 'https://x', filterVerb: 'f' }],
  });

  test('places nothing, and knows who waited, since when and why', async () => {
    lab.addNode('n');
    put({ ...asking('refused', '1'), status: refused });
    put({ ...asking('untimed', '1'), status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } });
    put({ ...asking('new', '1'), status: { conditions: [{ type: 'PodScheduled', status: 'True' }] } });
    put(asking('newest', '1'));
    const recalled = await recallScheduling(lab.dependencies());
    const { lanes } = recalled.questions.overview();
    expect(lanes.active.first.map(({ pod: key }) => key)).toEqual(['ns/new', 'ns/newest']);
    expect(lanes.unschedulable.first).toEqual([
      {
        pod: 'ns/refused',
        uid: 'uid-refused',
        priority: 0,
        attempts: 0,
        since: Date.parse('2026-01-01T11:00:00Z'),
        reason: 'no room',
      },
      { pod: 'ns/untimed', uid: 'uid-untimed', priority: 0, attempts: 0, since: 0 },
    ]);
    expect((await recalled.questions.explain({ pod: 'ns/refused' })).winners).toEqual(['n']);
    await recalled.stop();
    expect(await lab.writes()).toEqual([]);
  });

  test('asks no extenders, which would answer for the present', async () => {
    lab.addNode('n');
    put(asking('p', '1'));
    const recalled = await recallScheduling(lab.dependencies(['--policy-config-file=p'], { p: policy }));
    const { extenders, asksExtenders } = recalled.questions.overview();
    expect([extenders, asksExtenders]).toEqual([['https://x'], false]);
    expect((await recalled.questions.explain({ pod: 'ns/p' })).winners).toEqual(['n']);
    await recalled.stop();
  });
});
