import { beforeEach, describe, expect, test } from 'vitest';
import { Client, EventRecorder } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, type ControlledClock } from '../../src/std/index.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Sent {
  readonly method: string;
  readonly name: string;
  readonly body: { readonly message?: string; readonly count?: number; readonly [key: string]: unknown };
}

let clock: ControlledClock;
let sent: Sent[];
/** Status codes of the next answers. */
let answers: number[];
let recorder: EventRecorder;

beforeEach(() => {
  clock = manualClock(Date.parse('2026-01-01T12:00:00Z'));
  sent = [];
  answers = [];
  const transport = (path: string, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as { metadata?: { name: string } };
    const name = body.metadata?.name ?? path.split('?')[0]?.split('/').at(-1) ?? '';
    sent.push({ method: init?.method ?? 'GET', name, body });
    const code = answers.shift() ?? 200;
    const failure = { kind: 'Status', code, reason: code === 404 ? 'NotFound' : 'Forbidden' };
    return Promise.resolve(Response.json(code < 400 ? {} : failure, { status: code }));
  };
  const client = new Client({ transport, names: namesOf('k8s.io'), userAgent: 'test' });
  recorder = new EventRecorder({ client, clock, source: { component: 'job-controller' } });
});

const pod = (name: string, uid = 'u') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'ns', name, uid, resourceVersion: '7' },
});

/** Records one event for each message, a second apart. */
async function record(messages: readonly string[], about = pod('p'), reason = 'Failed'): Promise<void> {
  for (const message of messages) {
    recorder.record(about, 'Warning', reason, message);
    await recorder.flush();
    await clock.step(SECOND);
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);
const times = (count: number, message = 'same'): string[] => Array.from({ length: count }, () => message);

describe('an event', () => {
  test('names the object, the component and the time', async () => {
    await record(['no room']);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      metadata: { name: expect.stringMatching(/^p\.[0-9a-f]{16}$/) as string, namespace: 'ns' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u', resourceVersion: '7' },
      source: { component: 'job-controller' },
      type: 'Warning',
      reason: 'Failed',
      message: 'no room',
      firstTimestamp: '2026-01-01T12:00:00Z',
      lastTimestamp: '2026-01-01T12:00:00Z',
      count: 1,
    });
  });

  test('about an object without a namespace is in the default namespace', async () => {
    recorder.record({ kind: 'Node', metadata: { name: 'n' } }, 'Normal', 'Ready', 'is ready');
    await recorder.flush();
    expect(sent[0]?.body).toMatchObject({
      metadata: { namespace: 'default' },
      involvedObject: { kind: 'Node', name: 'n' },
    });
  });

  test('can name a part of the object', async () => {
    recorder.record(pod('p'), 'Normal', 'Pulled', 'pulled', 'spec.containers{c}');
    await recorder.flush();
    expect(sent[0]?.body).toMatchObject({ involvedObject: { fieldPath: 'spec.containers{c}' } });
  });
});

describe('the same event again', () => {
  test('increases the count of the existing event', async () => {
    await record(times(3));
    expect(sent.map(({ method, body }) => [method, body.count])).toEqual([
      ['POST', 1],
      ['PATCH', 2],
      ['PATCH', 3],
    ]);
    expect(sent[2]).toMatchObject({
      name: sent[0]?.name,
      body: { lastTimestamp: '2026-01-01T12:00:02Z', message: 'same' },
    });
  });

  test('is created again with its count after it was deleted', async () => {
    answers = [200, 404];
    await record(times(2));
    expect(sent.map(({ method, body }) => [method, body.count])).toEqual([
      ['POST', 1],
      ['PATCH', 2],
      ['POST', 2],
    ]);
    expect(sent[2]?.body).toMatchObject({
      firstTimestamp: '2026-01-01T12:00:00Z',
      lastTimestamp: '2026-01-01T12:00:01Z',
    });
  });

  test('is not created where the patch was refused', async () => {
    answers = [200, 403];
    await record(times(2));
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
  });

  test.each([
    ['another object', pod('q'), 'Failed', 'same'],
    ['another object of the same name', pod('p', 'v'), 'Failed', 'same'],
    ['another reason', pod('p'), 'Pulled', 'same'],
    ['another message', pod('p'), 'Failed', 'other'],
  ])('is another event with %s', async (_, about, reason, message) => {
    await record(['same']);
    await record([message], about, reason);
    expect(sent.map(({ method, body }) => [method, body.count])).toEqual([
      ['POST', 1],
      ['POST', 1],
    ]);
  });
});

describe('many different messages for one reason', () => {
  const combined = /^\(combined from similar events\): message/;

  test('share one event from the tenth on', async () => {
    await record(numbered(12));
    expect(sent.slice(0, 9).every(({ method, body }) => method === 'POST' && !combined.test(body.message ?? ''))).toBe(
      true,
    );
    expect(sent.slice(9).map(({ method, body }) => [method, body.count, body.message])).toEqual([
      ['POST', 1, '(combined from similar events): message 9'],
      ['PATCH', 2, '(combined from similar events): message 10'],
      ['PATCH', 3, '(combined from similar events): message 11'],
    ]);
  });

  test('start again after ten quiet minutes', async () => {
    await record(numbered(10));
    await clock.step(10 * MINUTE);
    await record(['message 10']);
    expect(sent.at(-1)?.body).toMatchObject({ message: 'message 10', count: 1 });
  });

  test('continue within ten minutes', async () => {
    await record(numbered(10));
    await clock.step(10 * MINUTE - SECOND);
    await record(['message 10']);
    expect(sent.at(-1)?.body).toMatchObject({ message: '(combined from similar events): message 10', count: 2 });
  });

  test('are counted for each object and reason', async () => {
    await record(numbered(9));
    await record(numbered(9), pod('q'));
    await record(numbered(5), pod('p'), 'Pulled');
    expect(sent.some(({ body }) => combined.test(body.message ?? ''))).toBe(false);
  });
});

describe('an object with too many events', () => {
  test('may have 25 events at once, then one every five minutes', async () => {
    for (const message of times(40)) recorder.record(pod('p'), 'Normal', 'Same', message);
    await recorder.flush();
    expect(sent).toHaveLength(25);
    await clock.step(5 * MINUTE - SECOND);
    await record(['same'], pod('p'), 'Other');
    expect(sent).toHaveLength(25);
    await record(['same'], pod('p'), 'Other');
    expect(sent).toHaveLength(26);
    await record(['same'], pod('p'), 'Other');
    expect(sent).toHaveLength(26);
  });

  test('continues counting dropped events', async () => {
    for (const message of times(27)) recorder.record(pod('p'), 'Normal', 'Same', message);
    await recorder.flush();
    await clock.step(5 * MINUTE);
    recorder.record(pod('p'), 'Normal', 'Same', 'same');
    await recorder.flush();
    expect(sent.at(-1)?.body.count).toBe(28);
  });

  test('does not affect other objects', async () => {
    for (const message of times(30)) recorder.record(pod('p'), 'Normal', 'Same', message);
    await record(['hello'], pod('q'));
    expect(sent).toHaveLength(26);
  });
});

test('the events of a deleted object are dropped, others are kept', async () => {
  await record(['one'], pod('p', 'gone'));
  await record(['one'], pod('p', 'stays'));
  recorder.forget(pod('p', 'gone'));
  await record(['one'], pod('p', 'gone'));
  await record(['one'], pod('p', 'stays'));
  expect(sent.map(({ method, body }) => [method, body.count])).toEqual([
    ['POST', 1],
    ['POST', 1],
    ['POST', 1],
    ['PATCH', 2],
  ]);
});
