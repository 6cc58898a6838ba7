import { describe, expect, it } from 'vitest';
import type { RequestEvent, TraceEvent, Untimed } from '../../src/trace/index.ts';
import { takeEvents, type LoggedRequest } from '../../src/ui/stores/requests.ts';

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

const timed = (events: readonly Stage[]): TraceEvent[] => events.map((event, at) => ({ ...event, at }) as TraceEvent);
const logOf = (...events: Stage[]): readonly LoggedRequest[] =>
  takeEvents({ requests: [], dropped: 0 }, timed(events)).requests;

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

  it('drops the oldest beyond its measure, and counts them', () => {
    const many = Array.from({ length: 2100 }, (_, n) => received(String(n), '/'));
    const { requests, dropped } = takeEvents({ requests: [], dropped: 0 }, timed(many));
    expect({ first: requests[0]?.id, kept: requests.length, dropped }).toEqual({
      first: '100',
      kept: 2000,
      dropped: 100,
    });
  });

  it('passes over stages of requests that it no longer has', () => {
    expect(logOf({ topic: 'request', request: 'gone', stage: 'answered', status: 200, ms: 1, headers: [] })).toEqual(
      [],
    );
  });
});
