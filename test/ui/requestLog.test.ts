import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BriefEvent, RequestEvent, TogetherEvent, Untimed } from '../../src/trace/index.ts';
import { collapsed } from '../../src/ui/panels/requests/repeats.ts';
import {
  clearLog,
  logEvents,
  LogKeeper,
  readLog,
  useRequests,
  type LoggedRequest,
} from '../../src/ui/stores/requests.ts';

type Stage = Untimed<RequestEvent>;

const received = (
  request: string,
  url: string,
  more: { method?: string; origin?: string; agent?: string } = {},
): Stage => ({
  topic: 'request',
  request,
  stage: 'received',
  method: more.method ?? 'GET',
  url,
  headers: [['user-agent', more.agent ?? 'Mozilla/5.0']],
  origin: more.origin ?? 'fetch',
});

const timed = (events: readonly Stage[]): BriefEvent[] => events.map((event, at) => ({ ...event, at }) as BriefEvent);
const logOf = (...events: Stage[]): readonly LoggedRequest[] => new LogKeeper().take(timed(events)).requests;

describe('the request log', () => {
  it('gathers the stages of each request, however they are interleaved', () => {
    const [a, b] = logOf(
      received('a', '/api/v1/pods'),
      received('b', '/api/v1/pods?watch=1'),
      { topic: 'request', request: 'b', stage: 'authentication', user: 'bob', attempts: [] },
      {
        topic: 'request',
        request: 'a',
        stage: 'authorization',
        allowed: true,
        attributes: { verb: 'list', user: { name: 'alice' } },
        verdicts: [],
      },
      { topic: 'request', request: 'a', stage: 'answered', status: 200, ms: 3, headers: [] },
    );
    expect(a).toMatchObject({ verb: 'list', user: 'alice', status: 200, ms: 3 });
    expect(b).toMatchObject({ verb: 'watch', user: 'bob', status: undefined });
    expect(a?.stages.map(({ stage }) => stage)).toEqual(['received', 'authorization', 'answered']);
  });

  it.each([
    ['from a page’s fetch is a person’s', { origin: 'fetch' }, 'person'],
    ['from the page itself is a person’s', { origin: 'page', agent: 'vitrine' }, 'person'],
    ['over HTTP is a person’s', { origin: 'http' }, 'person'],
    ['that the page reads to show is the page’s', { origin: 'page', agent: 'vitrine-observer' }, 'page'],
    ['from a component is a component’s', { origin: 'system:cluster-scheduler' }, 'component'],
  ] as const)('one %s', (_what, more, sender) => {
    expect(logOf(received('a', '/', more))[0]?.sender).toBe(sender);
  });

  it('knows the revision that a request wrote', () => {
    const [request] = logOf(received('a', '/', { method: 'POST' }), {
      topic: 'request',
      request: 'a',
      stage: 'stored',
      key: '/k',
      revision: 7,
      verb: 'create',
    });
    expect(request?.revision).toBe(7);
  });

  it('changes nothing of what it has handed out: a later stage makes the request anew', () => {
    const keeper = new LogKeeper();
    const [before] = keeper.take(timed([received('a', '/')])).requests;
    const answered = { topic: 'request', request: 'a', stage: 'answered', status: 200, ms: 1, headers: [] } as const;
    const [after] = keeper.take(timed([answered])).requests;
    expect([before?.status, before?.stages.length, after?.status, after?.stages.length]).toEqual([
      undefined,
      1,
      200,
      2,
    ]);
  });

  it('drops the oldest beyond its measure, and counts them', () => {
    const many = Array.from({ length: 2100 }, (_, n) => received(String(n), '/'));
    const { requests, dropped } = new LogKeeper().take(timed(many));
    expect({ first: requests[0]?.id, kept: requests.length, dropped }).toEqual({
      first: '100',
      kept: 2000,
      dropped: 100,
    });
  });

  it('keeps what a person did, however much the machine does after it', () => {
    const noise = Array.from({ length: 4500 }, (_, at) => received(`c${at}`, '/x', { origin: 'system:node:node-1' }));
    const log = new LogKeeper().take(timed([received('mine', '/api'), ...noise]));
    expect(log.requests[0]?.id).toBe('mine');
    expect([log.requests.length, log.dropped, log.requests[1]?.id]).toEqual([2001, 2500, 'c2500']);
  });

  it('counts what it is told of in sums, by sort', () => {
    const keeper = new LogKeeper();
    const sum = (what: TogetherEvent['what'], count: number): BriefEvent => ({
      ...{ topic: 'together', what, at: 0, count, revision: 9 },
    });
    keeper.take([sum('renewals', 40), sum('events', 12), sum('reports', 3), sum('pods', 64), sum('renewals', 2)]);
    const together = { renewals: 47, reports: 3, events: 12, pods: 64, bindings: 0, statuses: 0 };
    expect(keeper.take([sum('renewals', 5)])).toEqual({ requests: [], dropped: 0, together });
  });

  it('passes over stages of requests that it no longer has', () => {
    expect(logOf({ topic: 'request', request: 'gone', stage: 'answered', status: 200, ms: 1, headers: [] })).toEqual(
      [],
    );
  });
});

describe('repeats in the request log', () => {
  const logged = (text: string, at: number): LoggedRequest => {
    const [verb = '', url = '', status, revision] = text.split(' ');
    return {
      ...{ id: `r${at}`, at, method: 'GET', url, verb, user: 'alice', ms: 1, line: '', stages: [] },
      sender: 'person',
      status: status === 'open' ? undefined : Number(status),
      revision: revision === undefined ? undefined : Number(revision),
    };
  };
  const rows = (...texts: string[]): string[] =>
    collapsed(texts.map(logged)).map(({ request, times }) => `${request.id} ×${times}`);
  const others = Array.from({ length: 13 }, (_, at) => `get /other${at} 200`);

  it.each([
    ['nothing', [], []],
    ['the latest stands for the same ones', ['get /a 200', 'get /a 200', 'get /a 200'], ['r2 ×3']],
    ['another answer is another row', ['get /a 403', 'get /a 200'], ['r1 ×1', 'r0 ×1']],
    ['refusals that alternate', ['list /a 403', 'list /b 403', 'list /a 403', 'list /b 403'], ['r3 ×2', 'r2 ×2']],
    ['what a person wrote is never one', ['update /a 200 7', 'update /a 200 8'], ['r1 ×1', 'r0 ×1']],
    ['open ones stay apart', ['watch /a open', 'watch /a open'], ['r1 ×1', 'r0 ×1']],
  ])('%s', (_what, texts, expected) => {
    expect(rows(...texts)).toEqual(expected);
  });

  it('those far apart are no repeats', () => {
    expect(rows('get /a 200', ...others, 'get /a 200').filter((row) => /^r(0|14) /.test(row))).toEqual([
      'r14 ×1',
      'r0 ×1',
    ]);
  });
});

describe('how often the request log is shown', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(10_000);
  });
  afterEach(() => {
    clearLog();
    useRequests.setState({ paused: false });
    vi.useRealTimers();
  });

  const shown = (): readonly string[] => useRequests.getState().requests.map(({ id }) => id);
  const log = (id: string): void => logEvents(timed([received(id, '/api/v1/pods')]));

  it('at once after a pause, and then a few times a second', () => {
    log('a');
    vi.advanceTimersByTime(1);
    expect(shown()).toEqual(['a']);
    for (const id of ['b', 'c']) log(id);
    expect(shown()).toEqual(['a']);
    vi.advanceTimersByTime(200);
    expect(shown()).toEqual(['a', 'b', 'c']);
  });

  it('what is not shown yet is there for who reads the log', () => {
    for (const id of ['a', 'b']) log(id);
    expect(readLog().map(({ id }) => id)).toEqual(['a', 'b']);
    vi.advanceTimersByTime(1000);
    expect(shown()).toEqual(['a', 'b']);
  });

  it('an emptied log stays empty, and a paused one takes nothing', () => {
    for (const id of ['a', 'b']) log(id);
    clearLog();
    vi.advanceTimersByTime(1000);
    expect(shown()).toEqual([]);
    useRequests.setState({ paused: true });
    log('c');
    vi.advanceTimersByTime(1000);
    expect(shown()).toEqual([]);
  });
});
