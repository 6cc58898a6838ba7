/** The phase and the status that a node's agent writes for a pod, by tables: no cluster runs here. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Pod } from '../../../src/client/index.ts';
import { containerStatusOf, endReason, newRecord, type ContainerRecord } from '../../../src/node/pod/record.ts';
import { asPatch, phaseOf, podStatus, type PodState } from '../../../src/node/pod/status.ts';
import { candidateOf, useOf } from '../../../src/node/pod/use.ts';

const podOf = (text: string): Pod => ({ metadata: {}, status: {}, spec: {}, ...(parse(text) as object) }) as Pod;

type States = Record<string, Partial<ContainerRecord>>;
const record = (name: string, more: Partial<ContainerRecord> = {}): ContainerRecord => ({
  ...newRecord({ name, image: `image-of-${name}` }, 'ContainerCreating'),
  ...more,
});
const running = { state: { is: 'running', id: 'id-1', since: 1000, process: undefined } } as const;
const ended = (exitCode: number): Pick<ContainerRecord, 'state'> => ({
  state: { is: 'ended', id: 'id-2', since: 1000, at: 3000, exitCode, reason: endReason(exitCode, undefined) },
});
const again = { last: ended(1).state as ContainerRecord['last'] };
const stateOf = (main: States, init: States = {}, more: Partial<PodState> = {}, spec = '{}'): PodState => ({
  pod: podOf(`{spec: ${spec}}`),
  init: Object.entries(init).map(([name, fields]) => record(name, fields)),
  main: Object.entries(main).map(([name, fields]) => record(name, fields)),
  ephemeral: [],
  startTime: 0,
  hostIP: '192.168.0.1',
  podIP: '10.0.0.1',
  failed: undefined,
  ...more,
});

describe('the phase of a pod', () => {
  const evicted = { failed: { reason: 'Evicted', message: 'm' } };
  test.each<[string, string, States, States, Partial<PodState>, string]>([
    ['waits for the first time', 'Always', { a: {}, b: running }, {}, {}, 'Pending'],
    ['waits again', 'Always', { a: again, b: running }, {}, {}, 'Running'],
    ['waits again, and nothing runs', 'Always', { a: again }, {}, {}, 'Running'],
    ['runs', 'Always', { a: running }, {}, {}, 'Running'],
    ['one runs and one has ended', 'Never', { a: running, b: ended(1) }, {}, {}, 'Running'],
    ['has succeeded, and starts again', 'Always', { a: ended(0) }, {}, {}, 'Running'],
    ['has succeeded', 'Never', { a: ended(0), b: ended(0) }, {}, {}, 'Succeeded'],
    ['has succeeded', 'OnFailure', { a: ended(0) }, {}, {}, 'Succeeded'],
    ['has failed in part', 'Never', { a: ended(0), b: ended(1) }, {}, {}, 'Failed'],
    ['has failed, and starts again', 'OnFailure', { a: ended(1) }, {}, {}, 'Running'],
    ['is initialized still', 'Always', { a: {} }, { i: running }, {}, 'Pending'],
    ['has one init container left', 'Always', { a: {} }, { i: ended(0), j: {} }, {}, 'Pending'],
    ['is initialized again', 'Always', { a: again }, { i: running }, {}, 'Pending'],
    ['is initialized again beside what runs', 'Always', { a: running }, { i: {} }, {}, 'Pending'],
    ['is initialized', 'Always', { a: running }, { i: ended(0) }, {}, 'Running'],
    ['fails to initialize for good', 'Never', { a: {} }, { i: ended(1) }, {}, 'Failed'],
    ['fails to initialize, and tries again', 'OnFailure', { a: {} }, { i: ended(1) }, {}, 'Pending'],
    ['was ended by the agent', 'Always', { a: running }, {}, evicted, 'Failed'],
  ])('that %s (%s)', (_what, restartPolicy, main, init, more, phase) => {
    expect(phaseOf(stateOf(main, init, more, `{restartPolicy: ${restartPolicy}}`))).toBe(phase);
  });

  test('restarts its containers where nothing else is said', () => {
    expect(phaseOf(stateOf({ a: ended(0) }))).toBe('Running');
  });
});

test('a container whose agent has not started it again yet uses nothing', () => {
  const pod = podOf('{metadata: {namespace: n, name: p, uid: u}}');
  const records = [record('a', running), record('b'), record('c', ended(1))];
  expect(useOf(pod, records)).toBeUndefined();
  const none = ['a', 'b', 'c'].map((name): [string, number] => [name, 0]);
  expect(candidateOf(pod, records)).toEqual({ pod, memory: new Map(), disk: new Map(none) });
});

describe('the status of a pod', () => {
  const AT = '1970-01-01T00:01:00Z';
  const now = 60_000;
  const short = (state: PodState): string[] =>
    (podStatus(state, now).conditions ?? []).map(({ type, status, reason, message }) =>
      [type, status, reason, message].filter(Boolean).join(' '),
    );
  const ready = { ...running, ready: true };

  test.each<[string, PodState, string[]]>([
    [
      'all ready',
      stateOf({ a: ready }, { i: ended(0) }),
      ['Initialized True', 'Ready True', 'ContainersReady True', 'PodScheduled True'],
    ],
    [
      'two not ready, two not initialized',
      stateOf({ a: {}, b: ready, c: {} }, { i: ended(0), j: ended(1), k: {} }),
      [
        'Initialized False ContainersNotInitialized containers with incomplete status: [j k]',
        'Ready False ContainersNotReady containers with unready status: [a c]',
        'ContainersReady False ContainersNotReady containers with unready status: [a c]',
        'PodScheduled True',
      ],
    ],
    [
      'completed',
      stateOf({ a: ended(0) }, { i: ended(0) }, {}, '{restartPolicy: Never}'),
      [
        'Initialized True PodCompleted',
        'Ready False PodCompleted',
        'ContainersReady False PodCompleted',
        'PodScheduled True',
      ],
    ],
    [
      'a gate that nobody has opened',
      stateOf({ a: ready }, {}, {}, '{readinessGates: [{conditionType: x/one}, {conditionType: x/two}]}'),
      [
        'Initialized True',
        'Ready False ReadinessGatesNotReady corresponding condition of pod readiness gate "x/one" does not exist or is not true., corresponding condition of pod readiness gate "x/two" does not exist or is not true.',
        'ContainersReady True',
        'PodScheduled True',
      ],
    ],
  ])('%s', (_what, state, conditions) => {
    expect(short(state)).toEqual(conditions);
  });

  test('a gate holds by its own condition', () => {
    const gated = (status: string): PodState =>
      stateOf(
        { a: ready },
        {},
        {
          pod: podOf(
            `{spec: {readinessGates: [{conditionType: g}]}, status: {conditions: [{type: f, status: 'False'}, {type: g, status: '${status}'}]}}`,
          ),
        },
      );
    expect([short(gated('True'))[1], short(gated('False'))[1]?.slice(0, 11)]).toEqual(['Ready True', 'Ready False']);
  });

  test('a condition keeps its time for as long as it does not change', () => {
    const old = '1970-01-01T00:00:01Z';
    const known = `{type: Ready, status: 'True', lastTransitionTime: '${old}'}, {type: ContainersReady, status: 'False', lastTransitionTime: '${old}'}, {type: Initialized, status: 'True'}`;
    const state = stateOf({ a: ready }, {}, { pod: podOf(`{status: {conditions: [${known}]}}`) });
    expect(podStatus(state, now).conditions).toEqual([
      { type: 'Initialized', status: 'True', lastProbeTime: null, lastTransitionTime: AT },
      { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: old },
      { type: 'ContainersReady', status: 'True', lastProbeTime: null, lastTransitionTime: AT },
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: AT },
    ]);
  });

  test('shows addresses, times and containers', () => {
    const { conditions: _, ...status } = podStatus(
      stateOf(
        { a: { ...ready, imageID: 'sha', started: true, restarts: 1, ...again } },
        { i: ended(0) },
        { ephemeral: [record('e', running)] },
      ),
      now,
    );
    const image = (name: string): object => ({
      name,
      image: `image-of-${name}`,
      imageID: '',
      ready: false,
      restartCount: 0,
      lastState: {},
    });
    const terminated = { startedAt: '1970-01-01T00:00:01Z', finishedAt: '1970-01-01T00:00:03Z', containerID: 'id-2' };
    expect(status).toEqual({
      phase: 'Running',
      hostIP: '192.168.0.1',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      startTime: '1970-01-01T00:00:00Z',
      initContainerStatuses: [
        {
          ...image('i'),
          state: { terminated: { ...terminated, exitCode: 0, reason: 'Completed' } },
          containerID: 'id-2',
          started: false,
        },
      ],
      containerStatuses: [
        {
          ...image('a'),
          imageID: 'sha',
          state: { running: { startedAt: '1970-01-01T00:00:01Z' } },
          lastState: { terminated: { ...terminated, exitCode: 1, reason: 'Error' } },
          ready: true,
          restartCount: 1,
          containerID: 'id-1',
          started: true,
        },
      ],
      ephemeralContainerStatuses: [
        { ...image('e'), state: { running: { startedAt: '1970-01-01T00:00:01Z' } }, containerID: 'id-1' },
      ],
      qosClass: 'BestEffort',
    });
  });

  test('leaves out what there is not', () => {
    const { conditions: _, ...status } = podStatus(stateOf({}, {}, { podIP: undefined }), now);
    expect(Object.keys(status)).toEqual(['phase', 'hostIP', 'startTime', 'containerStatuses', 'qosClass']);
  });

  test('names why the agent ended the pod, and nothing else where it never began', () => {
    const failed = { reason: 'DeadlineExceeded', message: 'too late' };
    expect(podStatus(stateOf({ a: running }, {}, { failed }), now)).toMatchObject({
      phase: 'Failed',
      ...failed,
      hostIP: '192.168.0.1',
    });
    const bare = podStatus(stateOf({ a: running }, {}, { failed: { ...failed, isBare: true } }), now);
    expect(bare).toEqual({ phase: 'Failed', ...failed, startTime: '1970-01-01T00:00:00Z' });
    expect(asPatch(bare)).toEqual({
      ...bare,
      ...{ conditions: null, containerStatuses: null, ephemeralContainerStatuses: null, hostIP: null },
      ...{ initContainerStatuses: null, podIP: null, podIPs: null, qosClass: null },
    });
  });

  test('a patch takes away reasons that no longer hold', () => {
    const condition = {
      type: 'Ready',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: '1970-01-01T00:00:00Z',
    } as const;
    expect(asPatch({ phase: 'Running', conditions: [condition, { ...condition, reason: 'r' }] })).toEqual({
      phase: 'Running',
      conditions: [
        { ...condition, reason: null, message: null },
        { ...condition, reason: 'r', message: null },
      ],
    });
  });

  test.each<[Partial<ContainerRecord>, object]>([
    [{}, { state: { waiting: { reason: 'ContainerCreating' } }, lastState: {} }],
    [{ state: { is: 'waiting', reason: 'r', message: 'm' } }, { state: { waiting: { reason: 'r', message: 'm' } } }],
    [again, { containerID: 'id-2', lastState: { terminated: { exitCode: 1 } } }],
    [
      { state: { is: 'ended', id: '', since: 0, at: 0, exitCode: 2, reason: 'r', message: 'm' } },
      { state: { terminated: { message: 'm' } } },
    ],
  ])('a container %j is shown as %j', (fields, shown) => {
    expect(containerStatusOf(record('a', fields))).toMatchObject(shown);
  });

  test('a container without an id shows none', () => {
    const status = containerStatusOf(
      record('a', { state: { is: 'ended', id: '', since: 0, at: 0, exitCode: 2, reason: 'r' } }),
    );
    expect('containerID' in status || 'containerID' in (status.state?.terminated ?? {})).toBe(false);
    expect('message' in (status.state?.terminated ?? {})).toBe(false);
  });

  test.each([
    [0, undefined, 'Completed'],
    [1, undefined, 'Error'],
    [137, 'OOMKilled', 'OOMKilled'],
  ])('exit code %d with the reason %s is shown as %s', (code, reason, shown) => {
    expect(endReason(code, reason)).toBe(shown);
  });
});
