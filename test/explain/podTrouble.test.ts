import { describe, expect, it } from 'vitest';
import { troubleOf } from '../../src/explain/index.ts';
import type { objects } from '../../src/schema/index.ts';

type Pod = objects.Pod;
type Status = NonNullable<Pod['status']>;
type Container = NonNullable<Status['containerStatuses']>[number];

const container = (more: object): Container =>
  ({ name: 'app', ready: false, restartCount: 0, image: 'i', imageID: '', ...more }) as Container;
const pod = (status: object, spec: object = { nodeName: 'node-1' }): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: null },
    spec: { containers: [], ...spec },
    status,
  }) as Pod;
const waiting = (reason: string, message = ''): Container => container({ state: { waiting: { reason, message } } });
const ready = (status: string): object => ({ type: 'Ready', status });
const unscheduled = {
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' }],
};
const crashing = (terminated: object): object => ({
  phase: 'Running',
  containerStatuses: [
    container({ restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } }),
  ],
});

describe('why a pod is not ready', () => {
  it.each<[string, Pod, string, RegExp]>([
    ['no node fits', pod(unscheduled, {}), 'Pending', /^No node fits: 0\/3 nodes are available\.$/],
    ['nobody has looked', pod({}, { schedulerName: 'mine' }), 'Pending', /scheduler \(mine\) has not looked/],
    [
      'it crashes',
      pod(crashing({ exitCode: 1 })),
      'CrashLoopBackOff',
      /app was restarted 4 times: it ends with exit code 1/,
    ],
    [
      'it runs out of memory',
      pod(crashing({ exitCode: 137, reason: 'OOMKilled' })),
      'CrashLoopBackOff',
      /more memory than its limit/,
    ],
    [
      'no image',
      pod({ phase: 'Pending', containerStatuses: [waiting('ImagePullBackOff', 'Back-off pulling image "x"')] }),
      'ImagePullBackOff',
      /app can’t start: Back-off pulling image "x"\.$/,
    ],
    [
      'no config',
      pod({ phase: 'Pending', containerStatuses: [waiting('CreateContainerConfigError', 'secret "s" not found')] }),
      'CreateContainerConfigError',
      /secret "s" not found/,
    ],
    [
      'an init container crashes',
      pod({
        phase: 'Pending',
        initContainerStatuses: [waiting('CrashLoopBackOff')],
        containerStatuses: [waiting('PodInitializing')],
      }),
      'CrashLoopBackOff',
      /app/,
    ],
    [
      'it is being created',
      pod({ phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] }),
      'ContainerCreating',
      /prepares/,
    ],
    [
      'its probe fails',
      pod({
        phase: 'Running',
        conditions: [ready('False')],
        containerStatuses: [container({ state: { running: {} } })],
      }),
      'NotReady',
      /readiness probe/,
    ],
    [
      'its gate is closed',
      pod(
        { phase: 'Running', conditions: [ready('False')], containerStatuses: [container({ ready: true })] },
        { nodeName: 'n', readinessGates: [{ conditionType: 'example.com/up' }] },
      ),
      'NotReady',
      /example\.com\/up/,
    ],
    [
      'it was evicted',
      pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory' }),
      'Evicted',
      /^The node was low on memory\.$/,
    ],
    ['its node says nothing', pod({}, { nodeName: 'node-7' }), 'Pending', /agent of node-7/],
    [
      'a container ended',
      pod({
        phase: 'Running',
        containerStatuses: [container({ state: { terminated: { exitCode: 3, reason: 'Error' } } })],
      }),
      'Error',
      /exit code 3/,
    ],
  ])('%s', (_what, given, word, sentence) => {
    const trouble = troubleOf(given);
    expect(trouble?.word).toBe(word);
    expect(trouble?.sentence).toMatch(sentence);
  });

  it.each<[string, Pod]>([
    [
      'it is ready',
      pod({ phase: 'Running', conditions: [ready('True')], containerStatuses: [container({ ready: true })] }),
    ],
    ['it is done', pod({ phase: 'Succeeded' })],
  ])('%s: nothing is said', (_what, given) => {
    expect(troubleOf(given)).toBeUndefined();
  });

  it('leads to the scheduler, or to what a container said before it crashed', () => {
    expect(troubleOf(pod(unscheduled, {}))?.more).toEqual({ is: 'scheduling' });
    expect(troubleOf(pod(crashing({ exitCode: 1 })))?.more).toEqual({ is: 'log', container: 'app', previous: true });
  });
});
