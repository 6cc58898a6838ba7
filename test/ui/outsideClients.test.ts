/** The clients outside of the browser, as the request log tells of them. */
import { describe, expect, test } from 'vitest';
import { outsideClients, programOf } from '../../src/ui/panels/requests/clients/clients.ts';
import { LogKeeper } from '../../src/ui/stores/requests.ts';
import type { BriefEvent } from '../../src/trace/index.ts';

const KUBECTL = 'kubectl/v1.20.2 (linux/amd64) kubernetes/faecb19';

/** A request from its reception to its answer, where it has one. */
function request(
  id: string,
  { origin = 'bridge', agent = KUBECTL, user = 'ann', status = 200, url = '/api/v1/pods' } = {},
): BriefEvent[] {
  const base = { topic: 'request', request: id, id: 0, at: 1 } as const;
  const headers = [['user-agent', agent]] as const;
  const events = [
    { ...base, stage: 'received', method: 'GET', url, origin, headers },
    { ...base, stage: 'authentication', user },
    ...(status === 0 ? [] : [{ ...base, stage: 'answered', status, ms: 1, headers: [] }]),
  ];
  return events as BriefEvent[];
}

const clientsOf = (...events: readonly BriefEvent[][]) =>
  outsideClients(new LogKeeper().take(events.flat()).requests).map(({ program, user, requests, refused, open, last }) =>
    [program, user, requests, refused, open, last.id].join(' · '),
  );

describe('the programs that asked', () => {
  test.each<[string, BriefEvent[][], string[]]>([
    ['nobody', [], []],
    ['a request of the page is none', [request('a', { origin: 'page' })], []],
    ['one', [request('a')], ['kubectl v1.20.2 · ann · 1 · 0 · 0 · a']],
    [
      'requests are counted, refusals and those without an answer apart',
      [request('a'), request('b', { status: 403 }), request('c', { status: 0 })],
      ['kubectl v1.20.2 · ann · 3 · 1 · 1 · c'],
    ],
    [
      'one program as two users is two, the one that asked last first',
      [request('a'), request('b', { user: 'ben' }), request('c'), request('d', { agent: 'curl/8.5' })],
      [
        'curl 8.5 · ann · 1 · 0 · 0 · d',
        'kubectl v1.20.2 · ann · 2 · 0 · 0 · c',
        'kubectl v1.20.2 · ben · 1 · 0 · 0 · b',
      ],
    ],
  ])('%s', (_, events, expected) => {
    expect(clientsOf(...events)).toEqual(expected);
  });
});

test.each([
  ['', 'unnamed program'],
  ['curl/8.5.0', 'curl 8.5.0'],
  [KUBECTL, 'kubectl v1.20.2'],
  ['node', 'node'],
])('the program in %j is %s', (agent, program) => {
  expect(programOf(agent)).toBe(program);
});
