import { beforeEach, describe, expect, test } from 'vitest';
import { Client, SeriesRecorder, type Report } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, settle, type ControlledClock } from '../../src/std/index.ts';

const MINUTE = 60_000;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

let clock: ControlledClock;
let sent: Sent[];
let answer: number;
let recorder: SeriesRecorder;

beforeEach(() => {
  clock = manualClock();
  sent = [];
  answer = 201;
  const transport = (path: string, init?: RequestInit): Promise<Response> => {
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    sent.push({ method: init?.method ?? 'GET', path: path.split('?')[0] ?? '', body });
    return Promise.resolve(Response.json(answer < 400 ? {} : { kind: 'Status', code: answer }, { status: answer }));
  };
  const client = new Client({ transport, names: namesOf('k8s.io'), userAgent: 'test' });
  recorder = new SeriesRecorder({ client, clock, controller: 'default-scheduler', instance: 'default-scheduler-host' });
});

const pod = (name: string, resourceVersion = '1') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'ns', name, uid: `uid-${name}`, resourceVersion },
});
const failed: Report = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note: 'no room' };

async function record(times: number, about = pod('p'), report = failed): Promise<void> {
  for (let i = 0; i < times; i++) recorder.record(about, report);
  await settle();
}

describe('events of the events API', () => {
  test('carry action, reporter, note, and both objects', async () => {
    await record(1, pod('p'), { ...failed, related: pod('q') });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/apis/events.k8s.io/v1/namespaces/ns/events' });
    expect(sent[0]?.body).toMatchObject({
      reportingController: 'default-scheduler',
      reportingInstance: 'default-scheduler-host',
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: 'no room',
      regarding: { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'uid-p', resourceVersion: '1' },
      related: { kind: 'Pod', name: 'q' },
      eventTime: expect.stringMatching(/\.\d{6}Z$/) as string,
    });
  });

  test('a note is truncated at 1024 characters', async () => {
    await record(1, pod('p'), { ...failed, note: 'x'.repeat(2000) });
    expect(sent[0]?.body['note']).toHaveLength(1024);
  });

  test('equal reports about one revision are one event; another revision is a new event', async () => {
    await record(3);
    await record(1, pod('p', '2'));
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test.each([
    { reports: 2, series: undefined },
    { reports: 3, series: 2 },
    { reports: 8, series: 7 },
  ])('$reports reports end in a series of $series', async ({ reports, series }) => {
    await record(reports);
    await clock.step(7 * MINUTE);
    const patches = sent.filter(({ method }) => method === 'PATCH');
    expect(patches.map(({ body }) => (body['series'] as { count: number }).count)).toEqual(
      series === undefined ? [] : [series],
    );
  });

  test('a finished event is dropped: the next report creates a new one', async () => {
    await record(1);
    await clock.step(13 * MINUTE);
    await record(1);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test('an ongoing series is written every half hour', async () => {
    for (let minute = 0; minute < 62; minute++) {
      await record(1);
      await clock.step(MINUTE);
    }
    const counts = sent
      .filter(({ method }) => method === 'PATCH')
      .map(({ body }) => (body['series'] as { count: number }).count);
    expect(counts).toHaveLength(2);
    expect(counts[1]).toBeGreaterThan(counts[0] ?? Infinity);
  });

  test('a refused event is not counted', async () => {
    answer = 403;
    await record(1);
    await record(1);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });
});
