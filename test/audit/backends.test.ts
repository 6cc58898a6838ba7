/** Batches, their throttle, what is cut, what is lost, files that rotate: by a clock that the test moves. */
import { describe, expect, it, vi } from 'vitest';
import { buffered, eventText, legacyText, LogFiles, truncating, webhookBackend } from '../../src/audit/index.ts';
import type { AuditEvent, Backend } from '../../src/audit/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock } from '../../src/std/index.ts';

const names = namesOf('cluster.io');
const START = Date.UTC(2026, 0, 1);

function event(auditID: string, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level: 'Metadata',
    auditID,
    stage: 'ResponseComplete',
    requestURI: '/api/v1/pods',
    verb: 'list',
    user: { name: 'alice', groups: ['dev'] },
    sourceIPs: ['127.0.0.1'],
    userAgent: 'test',
    received: START,
    at: START + 5,
    annotations: {},
    ...more,
  };
}

/** A backend that remembers what it got: the ids of each batch. */
function remembering(): Backend & { readonly batches: string[][] } {
  const batches: string[][] = [];
  return {
    name: 'remembering',
    batches,
    process: (events) => void batches.push(events.map(({ auditID }) => auditID)),
    stop: () => Promise.resolve(),
  };
}

const losing = (): { lost: string[]; onLost: (backend: string, count: number) => void } => {
  const lost: string[] = [];
  return { lost, onLost: (backend, count) => lost.push(`${backend} ${count}`) };
};

describe('a buffer', () => {
  const options = (clock = manualClock(START)) => ({
    clock,
    bufferSize: 5,
    maxBatchSize: 3,
    maxWaitMs: 1000,
    ...losing(),
  });

  it('sends a full batch at once, and the rest after the wait', async () => {
    const to = remembering();
    const given = options();
    const backend = buffered(to, given);
    await backend.process(['a', 'b', 'c', 'd'].map((id) => event(id)));
    expect(to.batches).toEqual([['a', 'b', 'c']]);
    await given.clock.step(999);
    expect(to.batches).toHaveLength(1);
    await given.clock.step(1);
    expect(to.batches).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('sends no more batches than the throttle permits, and loses events beyond the buffer', async () => {
    const to = remembering();
    const given = options();
    const backend = buffered(to, { ...given, throttle: { qps: 1, burst: 1 } });
    await backend.process(['a', 'b', 'c'].map((id) => event(id)));
    await backend.process(['d', 'e', 'f', 'g', 'h', 'i'].map((id) => event(id)));
    expect(to.batches).toEqual([['a', 'b', 'c']]);
    expect(given.lost).toEqual(['buffered 1']);
    await given.clock.step(1000);
    expect(to.batches).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ]);
    await backend.stop();
    expect(to.batches[2]).toEqual(['g', 'h']);
  });

  it('reports a batch that its backend could not record', async () => {
    const given = options();
    const broken: Backend = {
      name: 'broken',
      process: () => Promise.reject(new Error('no')),
      stop: () => Promise.resolve(),
    };
    const backend = buffered(broken, given);
    await backend.process(['a', 'b', 'c'].map((id) => event(id)));
    await backend.stop();
    expect(given.lost).toEqual(['broken 3']);
  });
});

describe('truncation', () => {
  const textOf = (one: AuditEvent): string => eventText(one, names);
  const bare = textOf(event('x')).length;
  const mark = names.fill('audit.{domain}/truncated');

  it('removes the objects of a large event, and drops one that is still too large', async () => {
    const kept: AuditEvent[] = [];
    const to: Backend = { name: 'to', process: (events) => void kept.push(...events), stop: () => Promise.resolve() };
    const { lost, onLost } = losing();
    const cutting = truncating(to, { maxEventBytes: bare + 100, maxBatchBytes: 10_000, textOf, mark, onLost });
    await cutting.process([
      event('small'),
      event('large', { requestObject: JSON.stringify('x'.repeat(200)) }),
      event('huge', { userAgent: 'x'.repeat(200) }),
    ]);
    expect(kept.map(({ auditID, annotations, requestObject }) => [auditID, annotations, requestObject])).toEqual([
      ['small', {}, undefined],
      ['large', { [mark]: 'true' }, undefined],
    ]);
    expect(lost).toEqual(['truncate 1']);
  });

  it('splits a batch that is too large', async () => {
    const to = remembering();
    const { onLost } = losing();
    const cutting = truncating(to, { maxEventBytes: 10_000, maxBatchBytes: bare * 2 + 10, textOf, mark, onLost });
    await cutting.process(['a', 'b', 'c'].map((id) => event(id)));
    expect(to.batches).toEqual([['a', 'b'], ['c']]);
  });
});

describe('a webhook', () => {
  it('gets a list of events, with retries, and the failure is reported after the last attempt', async () => {
    const clock = manualClock(START);
    const bodies: unknown[] = [];
    const answers = [500, 200];
    const backend = webhookBackend({
      clock,
      fetch: async (request) => {
        bodies.push(await request.json());
        return new Response(null, { status: answers.shift() ?? 500 });
      },
      endpoint: { url: 'https://audit.example/', headers: {} },
      initialBackoffMs: 10_000,
      apiVersion: 'audit.cluster.io/v1',
      textOf: (one) => eventText(one, names),
    });
    const moved = (call: number): Promise<void> =>
      vi.waitFor(async () => {
        await clock.step(10_000);
        expect(bodies).toHaveLength(call);
      });
    const sent = backend.process([event('a')]);
    await moved(2);
    await sent;
    expect(bodies[1]).toMatchObject({
      kind: 'EventList',
      apiVersion: 'audit.cluster.io/v1',
      items: [{ auditID: 'a' }],
    });
    expect(bodies[1]).not.toHaveProperty('items.0.kind');
    const outcome = expect(backend.process([event('b')])).rejects.toThrow('500');
    await moved(7);
    await outcome;
  });
});

describe('files', () => {
  it('rotate by size; old ones are removed by number and age', async () => {
    const clock = manualClock(START);
    const files = new LogFiles(clock);
    const rotation = { maxBytes: 10, maxBackups: 2, maxAgeMs: 5000 };
    for (const text of ['aaaaaa\n', 'bbbbbb\n', 'cccccc\n', 'dddddd\n']) {
      files.append('audit.log', text, rotation);
      await clock.step(1000);
    }
    expect(files.names.map((name) => files.read(name))).toEqual(['bbbbbb\n', 'cccccc\n', 'dddddd\n']);
    expect(files.read('audit.log')).toBe('dddddd\n');
    await clock.step(10_000);
    files.append('audit.log', 'eeeeee\n', rotation);
    expect(files.names).toHaveLength(2);
  });
});

describe('a serialized event', () => {
  it('has the fields of its version, in order', () => {
    const full = event('a', {
      user: { name: 'alice', uid: '1', groups: ['dev'], extra: { scopes: ['x'] } },
      impersonatedUser: { name: 'bob', groups: [], extra: {} },
      objectRef: { resource: 'pods', namespace: 'default', name: 'p', apiVersion: 'v1' },
      responseStatus: { code: 200 },
      requestObject: '{"kind":"Pod"}',
      annotations: { why: 'because' },
    });
    expect(JSON.parse(eventText(full, names))).toEqual({
      kind: 'Event',
      apiVersion: 'audit.cluster.io/v1',
      level: 'Metadata',
      auditID: 'a',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/pods',
      verb: 'list',
      user: { username: 'alice', uid: '1', groups: ['dev'], extra: { scopes: ['x'] } },
      impersonatedUser: { username: 'bob' },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'test',
      objectRef: { resource: 'pods', namespace: 'default', name: 'p', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 200 },
      requestObject: { kind: 'Pod' },
      requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
      stageTimestamp: '2026-01-01T00:00:00.005000Z',
      annotations: { why: 'because' },
    });
    expect(JSON.parse(eventText(full, names, 'v1beta1'))).toMatchObject({ timestamp: '2026-01-01T00:00:00Z' });
  });

  it('has a line of text in the old format', () => {
    expect(legacyText(event('a', { responseStatus: { code: 200 } }))).toBe(
      '2026-01-01T00:00:00.005Z AUDIT: id="a" stage="ResponseComplete" ip="127.0.0.1" method="list" user="alice" ' +
        'groups="\\"dev\\"" as="<self>" asgroups="<lookup>" namespace="<none>" uri="/api/v1/pods" response="200"',
    );
  });
});
