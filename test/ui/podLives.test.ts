import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ApiObject } from '../../src/schema/index.ts';
import { isSchedule, parseSchedule } from '../../src/schema/index.ts';
import { lanesOfPod } from '../../src/ui/panels/lifecycle/podLife/containerLanes.ts';
import { bandsOf, countsOf, lifeOf, limitsOf, livesOf, share } from '../../src/ui/panels/lifecycle/rollout/lives.ts';
import { readingsOf, rescalesOf, windowOf } from '../../src/ui/panels/lifecycle/rollout/readings.ts';
import { coming } from '../../src/ui/panels/lifecycle/rollout/runs.ts';
import { ticksBetween } from '../../src/ui/panels/lifecycle/stretch.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** A state of a pod; times are seconds. */
function state(name: string, owner: string, ready?: [isReady: boolean, since: number], leaving?: number): ApiObject {
  const conditions = ready
    ? [{ type: 'Ready', status: ready[0] ? 'True' : 'False', lastTransitionTime: at(ready[1]) }]
    : [];
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: at(100),
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }],
      ...(leaving === undefined ? {} : { deletionTimestamp: at(leaving + 30), deletionGracePeriodSeconds: 30 }),
    },
    status: { conditions },
  };
}

describe('the life of a pod', () => {
  const states = [
    state('p', 'a'),
    state('p', 'a', [true, 110]),
    state('p', 'a', [false, 120]),
    state('p', 'a', [true, 130]),
    state('p', 'a', [true, 130], 140),
  ];

  test('tells when it was ready, and when its deletion began', () => {
    const life = lifeOf({ states, gone: false });
    expect(life).toMatchObject({ from: 100_000, to: undefined, leaving: 140_000, owner: 'a' });
    expect(life?.ready).toEqual([
      { from: 110_000, to: 120_000 },
      { from: 130_000, to: undefined },
    ]);
  });

  test('ends where its last container ended', () => {
    const last = parse(
      `{metadata: {name: p, uid: p}, status: {containerStatuses: [{state: {terminated: {finishedAt: "${at(145)}"}}}]}}`,
    ) as ApiObject;
    expect(lifeOf({ states: [...states, last], gone: true })?.to).toBe(145_000);
  });

  test('gives the bands of a roll-out', () => {
    const records = new Map([
      ['p', { states: [state('p', 'a', [true, 110]), state('p', 'a', [false, 130])], gone: false }],
      ['q', { states: [state('q', 'b', [true, 120])], gone: false }],
    ]);
    const steps = bandsOf(livesOf(records), 200_000);
    expect(steps.map(({ from, counts }) => [from / 1000, Object.fromEntries(counts)])).toEqual([
      [110, { a: 1 }],
      [120, { a: 1, b: 1 }],
      [130, { a: 0, b: 1 }],
    ]);
  });
});

test('all pods are counted, ready or not', () => {
  const gone = parse(`{metadata: {name: q, uid: q, creationTimestamp: "${at(110)}", deletionTimestamp: "${at(120)}"}}`);
  const records = new Map([
    ['p', { states: [state('p', 'a')], gone: false }],
    ['q', { states: [gone as ApiObject], gone: true }],
  ]);
  expect(countsOf(livesOf(records), 200_000)).toEqual([
    { from: 100_000, count: 1 },
    { from: 110_000, count: 2 },
    { from: 120_000, count: 1 },
  ]);
});

test.each<[value: unknown, of: number, round: 'up' | 'down', count: number]>([
  ['25%', 10, 'up', 3],
  ['25%', 10, 'down', 2],
  [1, 10, 'up', 1],
  [undefined, 10, 'up', 0],
])('%s of %d, rounded %s, is %d', (value, of, round, count) => {
  expect(share(value, of, round)).toBe(count);
});

test.each<[spec: string, most: number, least: number]>([
  ['{replicas: 10, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}}', 13, 8],
  ['{replicas: 1, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}', 1, 0],
  ['{replicas: 4, strategy: {type: Recreate}}', 4, 0],
])('a Deployment with %s has %d pods at most and %d at least', (spec, most, least) => {
  expect(limitsOf(parse(`{metadata: {}, spec: ${spec}}`) as ApiObject)).toEqual({ most, least });
});

describe('the lanes of a pod', () => {
  const pod = (status: string): ApiObject =>
    parse(
      `{metadata: {name: p, creationTimestamp: "${at(0)}"}, spec: {nodeName: n, containers: [{name: c, livenessProbe: {}}]}, status: ${status}}`,
    ) as ApiObject;
  const crashing = [
    pod(`{containerStatuses: [{name: c, ready: true, state: {running: {startedAt: "${at(5)}"}}}]}`),
    pod(
      `{containerStatuses: [{name: c, ready: false, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {startedAt: "${at(5)}", finishedAt: "${at(9)}", exitCode: 1, reason: Error}}}]}`,
    ),
    pod(
      `{containerStatuses: [{name: c, ready: true, state: {running: {startedAt: "${at(19)}"}}, lastState: {terminated: {startedAt: "${at(5)}", finishedAt: "${at(9)}", exitCode: 1, reason: Error}}}]}`,
    ),
  ];

  test('tell of each run, of the back-off between them, and of failed probes', () => {
    const unhealthy = parse(
      `{metadata: {}, type: Warning, reason: Unhealthy, message: "Liveness probe failed: x", lastTimestamp: "${at(7)}", involvedObject: {fieldPath: "spec.containers{c}"}}`,
    ) as ApiObject;
    const lanes = new Map(lanesOfPod(crashing, [unhealthy], undefined).map((lane) => [lane.name, lane]));
    expect(lanes.get('c')?.phases.map(({ from, to, text }) => [from / 1000, to && to / 1000, text])).toEqual([
      [0, 5, 'waits to start'],
      [5, 9, 'runs until exit code 1 (Error)'],
      [9, 19, 'waits to restart (CrashLoopBackOff)'],
      [19, undefined, 'runs'],
    ]);
    expect(lanes.get('c: liveness probe')?.happenings).toMatchObject([{ at: 7000, look: 'failed' }]);
    expect(lanes.get('Events')?.happenings).toHaveLength(1);
  });

  test('tell of runs of which nothing is kept', () => {
    const [, , last] = crashing;
    const counted = pod(
      `{containerStatuses: [{name: c, restartCount: 3, ready: true, state: {running: {startedAt: "${at(19)}"}}, lastState: {terminated: {startedAt: "${at(5)}", finishedAt: "${at(9)}", exitCode: 1, reason: Error}}}]}`,
    );
    const first = (states: ApiObject[]) =>
      lanesOfPod(states, [], undefined).find(({ name }) => name === 'c')?.phases[0]?.text;
    expect(first([counted])).toBe('earlier runs, without a record');
    expect(first(last ? [last] : [])).toBe('waits to start');
  });

  test('tell when each container was ready, whatever the others were', () => {
    const told = (written: number, status: string): ApiObject =>
      parse(
        `{metadata: {name: p, creationTimestamp: "${at(0)}", managedFields: [{time: "${at(written)}"}]}, spec: {containers: [{name: c}, {name: d}]}, status: {conditions: [{type: ContainersReady, status: "False", lastTransitionTime: "${at(1)}"}], containerStatuses: [${status}]}}`,
      ) as ApiObject;
    const running = `{running: {startedAt: "${at(5)}"}}`;
    const lane = (states: ApiObject[]) =>
      lanesOfPod(states, [], undefined)
        .find(({ name }) => name === 'c: ready')
        ?.phases.map(({ from, to }) => [from / 1000, to && to / 1000]);
    const states = [
      told(5, `{name: c, ready: false, state: ${running}}`),
      told(8, `{name: c, ready: true, state: ${running}}`),
      told(12, `{name: c, ready: false, state: ${running}}`),
      told(15, `{name: c, ready: true, state: ${running}}`),
      told(20, `{name: c, ready: false, state: {terminated: {startedAt: "${at(5)}", finishedAt: "${at(19)}"}}}`),
    ];
    expect(lane(states)).toEqual([
      [8, 12],
      [15, 19],
    ]);
    expect(lane(states.slice(0, 2))).toEqual([[8, undefined]]);
    // Of the first state that is kept: since the container started.
    expect(lane(states.slice(1, 2))).toEqual([[5, undefined]]);
  });

  test('tell what it waits for now', () => {
    const lane = lanesOfPod(crashing.slice(0, 2), [], undefined).find(({ name }) => name === 'c');
    expect(lane?.phases.at(-1)).toMatchObject({ from: 9000, to: undefined, text: 'waits (CrashLoopBackOff)' });
  });
});

test('ticks are few and round', () => {
  expect(ticksBetween({ from: 1_000, to: 61_000 })).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000]);
  expect(ticksBetween({ from: 0, to: 365 * 86_400_000 }).length).toBeLessThan(8);
});

test('an autoscaler’s new sizes come from its events', () => {
  const event = (reason: string, seconds: number, message: string): ApiObject =>
    parse(`{metadata: {}, reason: ${reason}, lastTimestamp: "${at(seconds)}", message: "${message}"}`) as ApiObject;
  const events = [
    event('SuccessfulRescale', 9, 'New size: 6'),
    event('FailedGetScale', 5, 'x'),
    event('SuccessfulRescale', 3, 'New size: 4'),
  ];
  expect(rescalesOf(events)).toEqual([
    { at: 3000, text: 'New size: 4' },
    { at: 9000, text: 'New size: 6' },
  ]);
});

test('coming runs follow the schedule', () => {
  const schedule = parseSchedule('*/20 * * * *');
  if (!isSchedule(schedule)) throw new Error(schedule.error);
  expect(coming(schedule, 0, 3)).toEqual([1_200_000, 2_400_000, 3_600_000]);
});

test('an autoscaler’s readings stand against their targets', () => {
  const autoscaler = parse(`{metadata: {},
    spec: {metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}, {type: Pods, pods: {metric: {name: hits}, target: {averageValue: "2"}}}], behavior: {scaleDown: {stabilizationWindowSeconds: 60}}},
    status: {currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 80}}}, {type: Pods, pods: {metric: {name: hits}, current: {averageValue: 500m}}}]}}`) as ApiObject;
  expect(readingsOf(autoscaler)).toEqual([
    { name: 'cpu', current: '80 %', target: '50 %', ratio: 1.6 },
    { name: 'hits', current: '500m', target: '2', ratio: 0.25 },
  ]);
  expect([windowOf(autoscaler, 'scaleUp'), windowOf(autoscaler, 'scaleDown')]).toEqual([0, 60]);
});
