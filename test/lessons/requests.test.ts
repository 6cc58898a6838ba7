import { describe, expect, test } from 'vitest';
import { RequestCounter, RequestReader } from '../../src/lessons/engine/index.ts';
import type { RequestCheck } from '../../src/lessons/index.ts';
import type { TraceEvent } from '../../src/trace/index.ts';

interface Sent {
  readonly url?: string;
  readonly method?: string;
  readonly origin?: string;
  readonly agent?: string;
  readonly user?: string;
  readonly verb?: string;
  readonly status?: number;
}

let last = 0;

/** The events of one request, as the server tells them. */
function told(sent: Sent = {}): TraceEvent[] {
  const {
    url = '/api/v1/pods',
    method = 'GET',
    origin = 'page',
    agent = 'vitrine',
    verb = 'list',
    status = 200,
  } = sent;
  const base = { topic: 'request', request: `r${++last}`, at: 0 } as const;
  const headers: [string, string][] = [['user-agent', agent]];
  if (sent.user) headers.push(['impersonate-user', sent.user]);
  return [
    { ...base, stage: 'received', method, url, headers, origin },
    ...(sent.user ? [{ ...base, stage: 'impersonation' as const, from: 'admin', user: sent.user, groups: [] }] : []),
    { ...base, stage: 'authorization', allowed: true, attributes: { verb }, verdicts: [] },
    { ...base, stage: 'answered', status, ms: 1, headers: [] },
  ];
}

function countOf(check: Partial<RequestCheck>, events: readonly TraceEvent[], countsPlayer = false): boolean {
  const reader = new RequestReader();
  reader.countsPlayer = countsPlayer;
  const counter = new RequestCounter({ look: 'requests', says: '', ...check }, () => undefined);
  reader.add(counter);
  reader.take(events);
  return counter.verdict.holds;
}

describe('reads that may be stale', () => {
  const path = '/api/v1/namespaces/default/configmaps/price';
  /** A write that made a revision. */
  const write = (revision: number, method = 'PATCH', url = `${path}?fieldManager=x`): TraceEvent[] => {
    const [received, allowed, answered] = told({ method, url, verb: method.toLowerCase() });
    if (!received || !allowed || answered?.topic !== 'request') throw new Error('a request has three events');
    const stored = { stage: 'stored', key: '/registry/configmaps/default/price', revision, verb: 'patch' } as const;
    return [received, allowed, { topic: 'request', request: answered.request, at: 0, ...stored }, answered];
  };
  /** A read at another server that showed a revision. */
  const read = (revision: string, ms = 1, of = path): TraceEvent[] => {
    const [received, allowed, answered] = told({ url: `/servers/second${of}?resourceVersion=0`, verb: 'get' });
    if (!received || !allowed || answered?.topic !== 'request' || answered.stage !== 'answered')
      throw new Error('a request has three events');
    const text = revision === '' ? 'no JSON' : JSON.stringify({ metadata: { resourceVersion: revision } });
    const body = { of: 'answer', contentType: 'application/json', bytes: 1, text } as const;
    return [received, allowed, { topic: 'body', request: answered.request, at: 0, ...body }, { ...answered, ms }];
  };
  const [writing, reading] = [write(7), read('5')];
  const listed = path.slice(0, path.lastIndexOf('/'));

  test.each<[string, Partial<RequestCheck>, TraceEvent[], boolean]>([
    ['an older state than was written', { stale: true }, [...write(7), ...read('5')], true],
    ['the state that was written', { stale: true }, [...write(7), ...read('7')], false],
    [
      'a list from before one of its objects was written',
      { stale: true },
      [...write(7), ...read('5', 1, listed)],
      true,
    ],
    ['a list from before a create', { stale: true }, [...write(7, 'POST', listed), ...read('5', 1, listed)], true],
    ['another list', { stale: true }, [...write(7), ...read('5', 1, '/api/v1/namespaces/other/configmaps')], false],
    ['a newer one', { stale: false }, [...write(7), ...read('9')], true],
    ['an older one, where a fresh one is asked for', { stale: false }, [...write(7), ...read('5')], false],
    ['nothing was written', { stale: true }, read('5'), false],
    [
      'the write was not answered yet',
      { stale: true },
      [...writing.slice(0, 3), ...reading, ...writing.slice(3)],
      false,
    ],
    ['a body that is no object', { stale: true }, [...write(7), ...read('')], false],
    ['an answer that took long', { took: 1000 }, read('5', 1000), true],
    ['an answer that came soon', { took: 1000 }, read('5', 999), false],
  ])('%s', (_, check, events, counted) => {
    expect(countOf({ method: 'GET', ...check }, events)).toBe(counted);
  });
});

describe('what people asked', () => {
  test.each<[string, Partial<RequestCheck>, Sent, boolean]>([
    ['a person’s request', {}, {}, true],
    ['a client’s from outside', {}, { origin: 'http' }, true],
    ['a component’s', {}, { origin: 'system:cluster-scheduler' }, false],
    ['what the page reads by itself', {}, { agent: 'vitrine-observer' }, false],
    ['what the page reads as somebody', {}, { agent: 'vitrine-observer', user: 'anna' }, true],
    ['the lesson’s own', {}, { agent: 'vitrine-lesson' }, false],
    ['another user’s', { user: 'anna' }, { user: 'ben' }, false],
    ['the user’s', { user: 'anna' }, { user: 'anna' }, true],
    ['another status', { status: 403 }, { status: 200 }, false],
    ['another method', { method: 'POST' }, { method: 'GET' }, false],
    ['another verb', { verb: 'watch' }, { verb: 'list' }, false],
    ['a part of the path', { path: '/pods?limit=1' }, { url: '/api/v1/pods?limit=1' }, true],
    ['a path with escapes', { path: 'labelSelector=app=web' }, { url: '/api/v1/pods?labelSelector=app%3Dweb' }, true],
    ['another path', { path: '/secrets' }, {}, false],
    ['a path with a gap', { path: '/pods/web-*/eviction' }, { url: '/api/v1/pods/web-1/eviction' }, true],
    ['a path in another order', { path: '/eviction*/pods/web-' }, { url: '/api/v1/pods/web-1/eviction' }, false],
    ['a parameter', { query: [{ path: 'limit', is: '10' }] }, { url: '/api/v1/pods?a=b&limit=10' }, true],
    ['another value of it', { query: [{ path: 'limit', is: '10' }] }, { url: '/api/v1/pods?limit=5' }, false],
    ['no such parameter', { query: [{ path: 'continue', exists: false }] }, { url: '/api/v1/pods?limit=5' }, true],
    ['a dry run', {}, { url: '/api/v1/pods?dryRun=All', method: 'POST' }, false],
  ])('%s', (_, check, sent, counted) => {
    expect(countOf(check, told(sent))).toBe(counted);
  });

  test('is counted until there is enough', () => {
    expect(countOf({ atLeast: 2 }, told())).toBe(false);
    expect(countOf({ atLeast: 2 }, [...told(), ...told()])).toBe(true);
  });

  test('is counted anew', () => {
    const counter = new RequestCounter({ look: 'requests', says: '' }, () => undefined);
    const reader = new RequestReader();
    reader.add(counter);
    reader.take(told());
    counter.restart();
    expect(counter.verdict.holds).toBe(false);
    reader.take(told());
    expect(counter.verdict.holds).toBe(true);
  });

  test('holds what the lesson shows, once it was asked to', () => {
    expect(countOf({}, told({ agent: 'vitrine-lesson' }), true)).toBe(true);
  });

  test.each([
    ['before it was answered', true],
    ['after it was answered', false],
  ])('tells why a watch was ended %s', (_, endsFirst) => {
    const events = told({ verb: 'watch' });
    const closed: TraceEvent = {
      ...{ topic: 'watch', request: events[0]?.topic === 'request' ? events[0].request : '', at: 0, what: 'closed' },
      ...{ revision: 1, backlog: 0, user: 'admin', userAgent: 'x', detail: 'revision 1 has been compacted' },
    } as TraceEvent;
    const order = endsFirst ? [...events.slice(0, -1), closed, ...events.slice(-1)] : [...events, closed];
    expect(countOf({ ended: 'compacted' }, order)).toBe(true);
    expect(countOf({ ended: 'time' }, order)).toBe(false);
    expect(countOf({ verb: 'watch' }, order)).toBe(true);
    expect(countOf({ verb: 'watch', atLeast: 2 }, order)).toBe(false);
  });
});
