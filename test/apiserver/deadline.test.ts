import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestInfo } from '../../src/apiserver/stages/requestInfo.ts';
import { Deadlines, isLongRunning, timeLimit, type Deadline } from '../../src/apiserver/stages/deadline.ts';
import type { Cluster } from '../../src/cluster/index.ts';
import { StatusError } from '../../src/schema/index.ts';
import { manualClock, settle } from '../../src/std/index.ts';
import { asRoot, Call, calls, holdAll, level, GROUP, metric, schema, smallCluster, until } from './flowCluster.ts';

const infoOf = (method: string, path: string): ReturnType<typeof requestInfo> => {
  const url = new URL(path, 'http://x');
  return requestInfo(method, url.pathname, url.searchParams);
};

describe('long-running requests', () => {
  test.each([
    ['GET', '/api/v1/pods?watch=true', true],
    ['GET', '/api/v1/watch/pods', true],
    ['GET', '/api/v1/namespaces/a/pods/b/log', true],
    ['GET', '/api/v1/namespaces/a/pods/b/log?follow=true', true],
    ['POST', '/api/v1/namespaces/a/pods/b/exec', true],
    ['POST', '/api/v1/namespaces/a/pods/b/attach', true],
    ['GET', '/api/v1/namespaces/a/pods/b/portforward', true],
    ['GET', '/api/v1/nodes/n/proxy/metrics', true],
    ['GET', '/api/v1/proxy/nodes/n', true],
    ['GET', '/debug/pprof/heap', true],
    ['GET', '/api/v1/pods', false],
    ['GET', '/api/v1/namespaces/a/pods/log', false],
    ['POST', '/api/v1/namespaces/a/pods/b/eviction', false],
    ['GET', '/metrics', false],
    ['GET', '/watch', false],
  ])('%s %s: %s', (method, path, expected) => expect(isLongRunning(infoOf(method, path))).toBe(expected));
});

describe('the time limit of a request', () => {
  const minute = 'request did not complete within 1m0s';
  const asked = (text: string): string => `request did not complete within requested timeout ${text}`;
  test.each([
    ['GET', '/api/v1/pods', 60_000, 60_000, minute],
    ['GET', '/api/v1/pods?timeout=5s', 60_000, 60_000, minute],
    ['POST', '/api/v1/namespaces/a/pods', 60_000, 34_000, asked('34s')],
    ['POST', '/api/v1/namespaces/a/pods?timeout=5s', 60_000, 5_000, asked('5s')],
    ['DELETE', '/api/v1/namespaces/a/pods?timeout=1500ms', 60_000, 1500, asked('1.5s')],
    ['PATCH', '/api/v1/namespaces/a/pods/b?timeout=2m', 60_000, 60_000, minute],
    ['PUT', '/api/v1/namespaces/a/pods/b?timeout=soon', 60_000, 34_000, asked('34s')],
    ['POST', '/api/v1/namespaces/a/pods', 10_000, 10_000, 'request did not complete within 10s'],
    ['POST', '/somewhere', 60_000, 60_000, minute],
  ])('%s %s', (method, path, requestTimeout, ms, message) => {
    const { searchParams } = new URL(path, 'http://x');
    expect(timeLimit(infoOf(method, path), searchParams, requestTimeout)).toEqual({ ms, message });
  });

  test('a watch has no limit', () => {
    expect(timeLimit(infoOf('GET', '/api/v1/pods?watch=1'), new URLSearchParams(), 60_000)).toBeUndefined();
  });
});

describe('deadlines', () => {
  const limit = (ms: number): { ms: number; message: string } => ({ ms, message: `${ms}` });

  test('work within the deadline succeeds; late work ends with a Status', async () => {
    const clock = manualClock();
    const deadlines = new Deadlines(clock);
    expect(await deadlines.within(limit(10), () => Promise.resolve('done'))).toBe('done');
    await expect(deadlines.within(limit(10), () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    let abandoned = 0;
    const slow = deadlines.within(limit(10), (deadline) => {
      deadline?.onExpired(() => (abandoned += 1));
      return new Promise(() => undefined);
    });
    const failed = slow.catch((error: unknown) => error);
    await clock.step(9);
    expect(abandoned).toBe(0);
    await clock.step(1);
    expect(abandoned).toBe(1);
    const error = await failed;
    expect(error instanceof StatusError && error.status).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: 10',
    });
  });

  test('each expires at its own time, regardless of other limits', async () => {
    const clock = manualClock();
    const deadlines = new Deadlines(clock);
    const ended: string[] = [];
    const start = (name: string, ms: number): void =>
      void deadlines
        .within(limit(ms), () => new Promise(() => undefined))
        .catch(() => ended.push(`${name} ${clock.now() - began}`));
    const began = clock.now();
    start('a', 100);
    await clock.step(30);
    start('b', 100);
    start('c', 20);
    await clock.step(200);
    expect(ended).toEqual(['c 50', 'a 100', 'b 130']);
  });

  test('work during a jump of the clock is not late', async () => {
    const clock = manualClock();
    const chances: (() => void)[] = [];
    const deadlines = new Deadlines(clock, (expire) => chances.push(expire));
    let finish: (value: string) => void = () => undefined;
    const work = deadlines.within(limit(10), () => new Promise<string>((resolve) => (finish = resolve)));
    await clock.step(3_600_000);
    finish('done');
    await settle();
    for (const expire of chances) expire();
    expect(await work).toBe('done');
  });

  test('the deadline is paused while a person inspects the request', async () => {
    const clock = manualClock();
    const deadlines = new Deadlines(clock);
    let ended = false;
    let deadline: Deadline | undefined;
    deadlines
      .within(limit(100), (given) => ((deadline = given), new Promise(() => undefined)))
      .catch(() => (ended = true));
    await clock.step(60);
    const resume = deadline?.hold();
    await clock.step(10_000);
    expect(ended).toBe(false);
    resume?.();
    resume?.();
    await clock.step(39);
    expect(ended).toBe(false);
    await clock.step(1);
    await settle();
    expect(ended).toBe(true);
  });
});

describe('in a cluster', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await smallCluster('--request-timeout=40s');
    await asRoot(
      cluster,
      'POST',
      `${GROUP}/prioritylevelconfigurations`,
      level('one', 1, { queues: 1, handSize: 1, queueLengthLimit: 10 }),
    );
    await asRoot(cluster, 'POST', `${GROUP}/flowschemas`, schema('one', 'one', 50, 'alice'));
    holdAll(cluster);
  });
  afterAll(() => cluster.stop());

  test('a request that waits for a seat until its deadline leaves the queue with a 504', async () => {
    const [runs, waits] = calls(cluster, 2, 'alice');
    await until(() => cluster.breakpoints.held.length === 1);
    await cluster.clock.step(39_999);
    await settle();
    expect(waits?.response).toBeUndefined();
    await cluster.clock.step(1);
    const response = await waits?.answered;
    expect(response?.status).toBe(504);
    expect(await response?.json()).toEqual({
      ...{
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason: 'Timeout',
        code: 504,
        details: {},
      },
      message: 'Timeout: request did not complete within 40s',
    });
    const waiting = 'apiserver_flowcontrol_current_inqueue_requests{priority_level="one",flow_schema="one"}';
    expect(await metric(cluster, waiting)).toBe(0);
    cluster.breakpoints.set([]);
    expect((await runs?.answered)?.status).toBe(200);
  });

  test('requests that wait more than a quarter of the time limit are refused when others arrive', async () => {
    holdAll(cluster);
    const [runs, waits] = calls(cluster, 2, 'alice');
    await until(() => cluster.breakpoints.held.length === 1);
    await cluster.clock.step(10_001);
    const next = new Call(cluster, 'alice');
    expect((await waits?.answered)?.status).toBe(429);
    expect(
      await metric(
        cluster,
        'apiserver_flowcontrol_rejected_requests_total{priority_level="one",flow_schema="one",reason="time-out"}',
      ),
    ).toBe(1);
    cluster.breakpoints.set([]);
    expect([(await runs?.answered)?.status, (await next.answered).status]).toEqual([200, 200]);
  });

  test('a body of more than three mebibytes is refused', async () => {
    const body = JSON.stringify({ metadata: { name: 'large' }, data: { a: 'x'.repeat(3 * 1024 * 1024) } });
    const { answered } = new Call(cluster, 'root', '/api/v1/namespaces/default/configmaps', { method: 'POST', body });
    const response = await answered;
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ reason: 'RequestEntityTooLarge', message: 'limit is 3145728' });
  });
});
