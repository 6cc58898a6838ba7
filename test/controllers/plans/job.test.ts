import { describe, expect, test } from 'vitest';
import type { CronJob, Job, Pod } from '../../../src/client/index.ts';
import { dueOf, planCleanup } from '../../../src/controllers/job/cronPlan.ts';
import {
  countPods,
  deadlineIn,
  isNews,
  isOver,
  planJob,
  statusAfter,
  type JobPlan,
} from '../../../src/controllers/job/plan.ts';
import { expiryOf } from '../../../src/controllers/job/ttl.ts';
import { at, job, minute, namesOf, pod } from './objects.ts';

const pods = (...phases: string[]): Pod[] => phases.map((phase, i) => pod(`p${i}`, { phase }));
const [running, done, failed] = ['Running', 'Succeeded', 'Failed'];
const six = pods(failed, failed, failed, failed, failed, failed);

function shown(plan: JobPlan): unknown {
  return plan.do === 'fail' ? plan.reason : [plan.create, plan.remove.length, plan.isComplete];
}

describe('the plan of a job', () => {
  test.each<[string, spec: object, Pod[], unknown]>([
    ['starts as many as may run', { parallelism: 2, completions: 5 }, [], [2, 0, false]],
    ['starts no more than are left to do', { parallelism: 4, completions: 3 }, pods(done, done), [1, 0, false]],
    ['counts what runs', { parallelism: 3, completions: 5 }, pods(running, running), [1, 0, false]],
    ['starts none beside enough', { parallelism: 1, completions: 5 }, pods(running), [0, 0, false]],
    ['replaces one that failed', {}, pods(failed), [1, 0, false]],
    ['deletes what is too many', { parallelism: 1, completions: 5 }, pods(running, running, running), [0, 2, false]],
    ['is complete with enough successes', { completions: 2 }, pods(done, done), [0, 0, true]],
    ['is complete with more than enough', { completions: 2 }, pods(done, done, done), [0, 0, true]],
    ['is complete though a pod runs', { parallelism: 2, completions: 1 }, pods(done, running), [0, 0, true]],
    ['is complete at once where nothing is asked for', { completions: 0 }, [], [0, 0, true]],
    ['without a number starts as many as may run', { completions: undefined, parallelism: 3 }, [], [3, 0, false]],
    [
      'without a number starts no more after a success',
      { completions: undefined, parallelism: 3 },
      pods(done, running),
      [0, 0, false],
    ],
    [
      'without a number is complete when the last has ended',
      { completions: undefined, parallelism: 3 },
      pods(done, failed),
      [0, 0, true],
    ],
    [
      'without a number is not complete by failures',
      { completions: undefined, parallelism: 1 },
      pods(failed),
      [1, 0, false],
    ],
  ])('%s', (_, spec, given, expected) => {
    const one = job(spec, { failed: given.filter((p) => p.status.phase === failed).length });
    expect(shown(planJob(one, given, at(0)))).toEqual(expected);
  });

  test.each<[string, spec: object, status: object, Pod[], unknown]>([
    ['fails with more failures than retries', { backoffLimit: 1 }, {}, pods(failed, failed), 'BackoffLimitExceeded'],
    ['goes on with as many', { backoffLimit: 1 }, {}, pods(failed), [1, 0, false]],
    ['fails at the first where there are none', { backoffLimit: 0 }, {}, pods(failed), 'BackoffLimitExceeded'],
    [
      'fails when more pods fail at once than there are retries',
      { backoffLimit: 2, parallelism: 3, completions: 3 },
      {},
      pods(failed, failed, failed),
      'BackoffLimitExceeded',
    ],
    ['counts failures before a success', { backoffLimit: 1 }, {}, pods(failed, failed, done), 'BackoffLimitExceeded'],
    [
      'goes on where all failures were counted',
      { backoffLimit: 1 },
      { failed: 2 },
      pods(failed, failed),
      [1, 0, false],
    ],
    ['goes on where as many run as should', { backoffLimit: 0 }, {}, pods(failed, running), [0, 0, false]],
    ['has six retries where none are given', { backoffLimit: undefined }, {}, six, [1, 0, false]],
    ['fails with the seventh', { backoffLimit: undefined }, {}, [...six, ...pods(failed)], 'BackoffLimitExceeded'],
    ['fails at its deadline', { activeDeadlineSeconds: 60 }, { startTime: minute(0) }, [], 'DeadlineExceeded'],
    ['goes on before it', { activeDeadlineSeconds: 61 }, { startTime: minute(0) }, [], [1, 0, false]],
    ['fails at once without any time', { activeDeadlineSeconds: 0 }, {}, [], 'DeadlineExceeded'],
  ])('%s', (_, spec, status, given, expected) => {
    expect(shown(planJob(job(spec, status), given, at(1)))).toEqual(expected);
  });

  test.each<[string, restartPolicy: string, limit: number, restarts: number, phase: string, unknown]>([
    ['counts restarts in place', 'OnFailure', 2, 2, 'Running', 'BackoffLimitExceeded'],
    ['goes on below the limit', 'OnFailure', 2, 1, 'Running', [0, 0, false]],
    ['counts them in pending pods', 'OnFailure', 2, 2, 'Pending', 'BackoffLimitExceeded'],
    ['counts them only where pods restart', 'Never', 2, 2, 'Running', [0, 0, false]],
    ['bears none with a limit of zero', 'OnFailure', 0, 1, 'Running', 'BackoffLimitExceeded'],
    ['needs one with a limit of zero', 'OnFailure', 0, 0, 'Running', [0, 0, false]],
  ])('%s', (_, restartPolicy, backoffLimit, restarts, phase, expected) => {
    const one = job({ backoffLimit, template: { spec: { restartPolicy } } });
    expect(shown(planJob(one, [pod('p', { phase, restarts })], at(0)))).toEqual(expected);
  });

  test('creates nothing for a job that is being deleted', () => {
    const one = job();
    one.metadata.deletionTimestamp = minute(0);
    expect(shown(planJob(one, [], at(0)))).toEqual([0, 0, false]);
  });
});

describe('the status of a job', () => {
  const after = (one: Job, given: Pod[], plan: JobPlan, active: number) =>
    statusAfter(one, plan, countPods(given), active, at(5));
  const goesOn: JobPlan = { do: 'run', create: 0, remove: [], isComplete: false };

  test('counts pods and keeps its start', () => {
    const given = pods(running, done, failed, failed);
    expect(after(job(), given, goesOn, 1)).toEqual({ startTime: minute(5), active: 1, succeeded: 1, failed: 2 });
    expect(after(job({}, { startTime: minute(1) }), [], goesOn, 0)).toMatchObject({ startTime: minute(1) });
  });

  test('names the end', () => {
    const complete = after(job(), pods(done), { ...goesOn, isComplete: true }, 0);
    expect(complete).toMatchObject({
      completionTime: minute(5),
      conditions: [{ type: 'Complete', status: 'True', lastProbeTime: minute(5), lastTransitionTime: minute(5) }],
    });
    expect(complete.conditions?.[0]).not.toHaveProperty('reason');
    const fail: JobPlan = { do: 'fail', reason: 'DeadlineExceeded', message: 'late' };
    expect(after(job(), pods(running, failed), fail, 0)).toMatchObject({
      active: 0,
      failed: 2,
      conditions: [{ type: 'Failed', reason: 'DeadlineExceeded', message: 'late' }],
    });
  });

  test.each<[string, object, boolean]>([
    ['another number of active pods', { active: 1 }, true],
    ['a success', { succeeded: 1 }, true],
    ['a failure', { failed: 1 }, true],
    ['a condition', { conditions: [{ type: 'Complete', status: 'True' }] }, true],
    ['its start alone', { startTime: minute(1) }, false],
    ['zeros', { active: 0, succeeded: 0, failed: 0 }, false],
  ])('is news with %s', (_, status, expected) => {
    expect(isNews(status, {})).toBe(expected);
  });

  test.each<[object[], boolean]>([
    [[], false],
    [[{ type: 'Complete', status: 'True' }], true],
    [[{ type: 'Failed', status: 'True' }], true],
    [[{ type: 'Failed', status: 'False' }], false],
    [[{ type: 'Suspended', status: 'True' }], false],
  ])('%j: over is %s', (conditions, expected) => {
    expect(isOver(job({}, { conditions }))).toBe(expected);
  });

  test('its deadline counts from its start', () => {
    expect(deadlineIn(job({ activeDeadlineSeconds: 90 }, { startTime: minute(0) }), at(1))).toBe(30_000);
    expect(deadlineIn(job({ activeDeadlineSeconds: 90 }), at(1))).toBe(90_000);
    expect(deadlineIn(job({}, { startTime: minute(0) }), at(1))).toBe(Infinity);
  });
});

describe('a finished job with a time to live', () => {
  const ended = { conditions: [{ type: 'Failed', status: 'True', lastTransitionTime: minute(1) }] };
  test.each<[string, object, object, number | undefined]>([
    ['goes when that has passed', { ttlSecondsAfterFinished: 60 }, ended, at(2)],
    ['stays without one', {}, ended, undefined],
    ['stays while it runs', { ttlSecondsAfterFinished: 60 }, {}, undefined],
  ])('%s', (_, spec, status, expected) => {
    expect(expiryOf(job(spec, status))).toBe(expected);
  });
});

function cronJob(spec: object = {}, last?: number): CronJob {
  const status = last === undefined ? {} : { lastScheduleTime: minute(last) };
  const metadata = { name: 'tick', namespace: 'ns', creationTimestamp: minute(0) };
  return { metadata, spec: { schedule: '*/10 * * * *', ...spec }, status } as never;
}

describe('the next run of a cron job', () => {
  test.each<[string, CronJob, now: number, expected: object]>([
    ['is not due yet', cronJob(), 5, { is: 'later', next: at(10) }],
    ['is due at its minute', cronJob(), 10, { is: 'now', time: at(10), next: at(20) }],
    ['is due once', cronJob({}, 10), 15, { is: 'later', next: at(20) }],
    ['is the last of several missed ones', cronJob({}, 0), 35, { is: 'now', time: at(30), next: at(40) }],
    ['is dropped after its deadline', cronJob({ startingDeadlineSeconds: 120 }, 0), 35, { is: 'later', next: at(40) }],
    [
      'is made up for within its deadline',
      cronJob({ startingDeadlineSeconds: 400 }, 0),
      35,
      { is: 'now', time: at(30), next: at(40) },
    ],
    [
      'is due after a hundred missed ones',
      cronJob({ schedule: '* * * * *' }, 0),
      100,
      { is: 'now', time: at(100), next: at(101) },
    ],
    ['is not guessed after more', cronJob({ schedule: '* * * * *' }, 0), 101, { is: 'invalid' }],
    ['is not guessed where it never comes', cronJob({ schedule: '0 0 30 2 *' }, 0), 5, { is: 'invalid' }],
    [
      'is not asked for before the last one',
      cronJob({ schedule: '0 0 30 2 *' }, 10),
      5,
      { is: 'later', next: Infinity },
    ],
    ['is not guessed without a schedule', cronJob({ schedule: 'now and then' }), 5, { is: 'invalid' }],
  ])('%s', (_, given, now, expected) => {
    expect(dueOf(given, at(now))).toMatchObject(expected);
  });
});

describe('the history of a cron job', () => {
  const finished = (name: string, type: string, started?: number): Job => {
    const one = job(
      {},
      { conditions: [{ type, status: 'True' }], ...(started === undefined ? {} : { startTime: minute(started) }) },
    );
    return { ...one, metadata: { ...one.metadata, name } };
  };
  const jobs = [
    finished('c2', 'Complete', 2),
    finished('c1', 'Complete', 1),
    finished('c0', 'Complete'),
    finished('f1', 'Failed', 1),
    finished('f2', 'Failed', 2),
  ];

  test.each<[string, object, string[]]>([
    ['keeps the latest', { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }, ['c1', 'c2', 'f1']],
    ['keeps none', { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }, ['c1', 'c2', 'c0', 'f1', 'f2']],
    ['keeps enough', { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 2 }, []],
    ['keeps all without limits', {}, []],
  ])('%s', (_, spec, expected) => {
    expect(namesOf(planCleanup(cronJob(spec), jobs))).toEqual(expected);
  });
});
