/** The log of requests that the host keeps for a page. */
import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../src/hosts/worker/requestLog.ts';
import type { BodyEvent, BriefEvent, RequestEvent, TraceEvent, Untimed } from '../../src/trace/index.ts';

type Stage = Untimed<RequestEvent>;

const timed = (event: Stage): RequestEvent => ({ ...event, at: 1 }) as RequestEvent;
const request = 'r';
const received = (id = request, origin = 'page'): RequestEvent =>
  timed({
    ...{ topic: 'request', request: id, stage: 'received', method: 'POST', url: '/api/v1/pods', origin },
    headers: [
      ['accept', 'application/json'],
      ['User-Agent', 'kubectl'],
      ['x-terminal-line', '3'],
    ],
  });
const authorization = (allowed = true): RequestEvent =>
  timed({ topic: 'request', request, stage: 'authorization', allowed, attributes: { verb: 'create' }, verdicts: [1] });
const object = (after: string, name: string): RequestEvent =>
  timed({ topic: 'request', request, stage: 'object', after, object: { kind: 'Pod', metadata: { name }, spec: {} } });
const idle = (phase: 'mutating' | 'validating'): RequestEvent =>
  timed({ topic: 'request', request, stage: 'idle', phase, plugins: ['A', 'B'] });
const changed = timed({
  ...{ topic: 'request', request, stage: 'admission', plugin: 'C', phase: 'mutating', outcome: 'changed' },
  patch: [1],
});
const refused = timed({
  ...{ topic: 'request', request, stage: 'admission', plugin: 'Quota', phase: 'validating', outcome: 'refused' },
  detail: 'no',
});
const answered = (id = request): RequestEvent =>
  timed({ topic: 'request', request: id, stage: 'answered', status: 201, ms: 1, headers: [['audit-id', 'x']] });
const answer: BodyEvent = {
  ...{ topic: 'body', request, of: 'answer', contentType: 'application/json', bytes: 2, at: 1, text: '{}' },
};

const given = (log: RequestLog, ...events: TraceEvent[]): BriefEvent[] =>
  events.flatMap((event) => log.take(event) ?? []);

describe('what a page gets of requests as they happen', () => {
  it('are the stages without what only the request’s own view shows', () => {
    const all = given(
      new RequestLog(),
      ...[received(), authorization(), object('decoding', 'web'), idle('mutating'), changed],
      ...[object('validation', 'web'), idle('validating'), answer, answered()],
    );
    const about = { topic: 'request', request, at: 1 };
    expect(all).toEqual([
      {
        ...about,
        ...{ stage: 'received', method: 'POST', url: '/api/v1/pods', origin: 'page' },
        headers: [
          ['User-Agent', 'kubectl'],
          ['x-terminal-line', '3'],
        ],
      },
      { ...about, stage: 'authorization', allowed: true, attributes: { verb: 'create' } },
      { ...about, stage: 'object', after: 'decoding', object: { kind: 'Pod', metadata: { name: 'web' } } },
      { ...about, stage: 'idle', phase: 'mutating' },
      { ...about, stage: 'answered', status: 201, ms: 1 },
    ]);
  });

  it('include the name that the server makes up, refusals, and the answer that says why', () => {
    const all = given(
      new RequestLog(),
      ...[received(), object('decoding', ''), idle('mutating'), object('validation', 'web-x'), refused, answer],
    );
    expect(all.slice(2)).toMatchObject([
      { stage: 'object', object: { metadata: { name: 'web-x' } } },
      { stage: 'admission', plugin: 'Quota', outcome: 'refused', detail: 'no' },
      { topic: 'body', text: '{}' },
    ]);
  });

  it('are sums of renewals, and nothing of watches', () => {
    const renewals: TraceEvent = { topic: 'together', what: 'renewals', at: 1, count: 2, revision: 3 };
    const watch: TraceEvent = {
      ...{ topic: 'watch', request, what: 'opened', revision: 1, backlog: 0, user: 'a', userAgent: '', at: 1 },
    };
    expect(given(new RequestLog(), renewals, watch)).toEqual([renewals]);
  });
});

describe('what the host keeps for a page', () => {
  it('is each request whole', () => {
    const log = new RequestLog();
    const events = [received(), authorization(), object('decoding', 'web'), idle('mutating'), changed, answered()];
    given(log, ...events, answer);
    expect(log.whole(request)).toEqual({ stages: events, bodies: [answer] });
  });

  it('are so many of people’s requests, and as many others', () => {
    const log = new RequestLog();
    given(log, received('mine'));
    for (let n = 0; n < 3000; n += 1) given(log, received(`c${n}`, 'kubelet'), answered(`c${n}`));
    expect(['mine', 'c0', 'c899', 'c900', 'c2999'].map((id) => log.whole(id)?.stages.length)).toEqual([
      ...[1, undefined, undefined, 2, 2],
    ]);
  });

  it('does not change while it is paused', () => {
    const log = new RequestLog();
    given(log, received('before'));
    log.paused = true;
    expect(given(log, received('during'), answered('before'))).toHaveLength(2);
    log.paused = false;
    expect([log.whole('before')?.stages.length, log.whole('during')]).toEqual([1, undefined]);
  });

  it('is who was notified of each revision', () => {
    const log = new RequestLog();
    const watch = (user: string, ...sent: { revision: number; type: string }[]): TraceEvent => ({
      ...{ topic: 'watch', request: user, what: 'delivered', revision: 9, backlog: 0, user, userAgent: '', at: 0 },
      sent,
    });
    given(
      log,
      watch('a', { revision: 8, type: 'ADDED' }, { revision: 9, type: 'MODIFIED' }),
      watch('b', { revision: 9, type: 'ADDED' }),
      watch('c'),
    );
    expect([7, 8, 9].map((revision) => log.notifiedOf(revision).map(({ user, type }) => `${user} ${type}`))).toEqual([
      [],
      ['a ADDED'],
      ['a MODIFIED', 'b ADDED'],
    ]);
  });
});
