/** The request log: every request that the cluster saw, gathered from the trace, with each stage of its way. */
import { getOwn } from '../../std/index.ts';
import { create } from 'zustand';
import type { BodyEvent, RequestEvent, TraceEvent } from '../../trace/index.ts';
import { nameOfIdentity, useIdentity } from './identity.ts';
import { asText, at } from './jsonValues.ts';

/** Who sent a request, as far as one can tell them apart. */
export type Sender = 'person' | 'page' | 'component';

export interface LoggedRequest {
  readonly id: string;
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly verb: string;
  readonly sender: Sender;
  readonly user: string;
  readonly status: number | undefined;
  readonly ms: number | undefined;
  readonly revision: number | undefined;
  /** The number of the terminal's command line that it was sent for; empty for all others. */
  readonly line: string;
  readonly stages: readonly RequestEvent[];
  /** What came with it and what it was answered, where the trace tells of it. */
  readonly bodies: readonly BodyEvent[];
}

interface Log {
  /** Oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** How many were dropped from the log's old end. */
  readonly dropped: number;
  readonly paused: boolean;
}

/** The header by which requests of the terminal say for which command line they are. */
export const TERMINAL_LINE = 'x-terminal-line';

/** Of people’s requests, and as many of all others: what the machine does drives off nothing that a person did. */
const KEPT = 2000;

export const useRequests = create<Log>()(() => ({ requests: [], dropped: 0, paused: false }));

const header = (event: Extract<RequestEvent, { stage: 'received' }>, name: string): string =>
  event.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';

/** Ways in from outside of the cluster; whatever else is said is the name of a component. */
const fromPeople = new Set(['page', 'fetch', 'http', 'bridge']);

/** Who sent a request that comes in by this way. */
export function senderOf(event: Extract<RequestEvent, { stage: 'received' }>): Sender {
  const agent = header(event, 'user-agent');
  if (agent.startsWith('vitrine-observer')) return 'page';
  return fromPeople.has(event.origin) ? 'person' : 'component';
}

const plainVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** What a request is called until its authorization has named its verb. */
function verbOf(method: string, url: string): string {
  return /[?&]watch=(1|true)/.test(url) ? 'watch' : (getOwn(plainVerbs, method) ?? method.toLowerCase());
}

function begin(event: Extract<RequestEvent, { stage: 'received' }>): LoggedRequest {
  return {
    id: event.request,
    at: event.at,
    method: event.method,
    url: event.url,
    verb: verbOf(event.method, event.url),
    sender: senderOf(event),
    user: '',
    status: undefined,
    ms: undefined,
    revision: undefined,
    line: header(event, TERMINAL_LINE),
    stages: [event],
    bodies: [],
  };
}

const verbIn = (attributes: unknown): string | undefined => asText(at(attributes, 'verb')) || undefined;

const userIn = (attributes: unknown): string | undefined => asText(at(attributes, 'user', 'name')) || undefined;

/** A request with one more stage. */
function advance(request: LoggedRequest, event: RequestEvent): LoggedRequest {
  const next = { ...request, stages: [...request.stages, event] };
  switch (event.stage) {
    case 'authentication':
    case 'impersonation':
      return event.user === undefined ? next : { ...next, user: event.user };
    case 'authorization':
      return { ...next, verb: verbIn(event.attributes) ?? next.verb, user: userIn(event.attributes) ?? next.user };
    case 'stored':
      return { ...next, revision: event.revision };
    case 'answered':
      return { ...next, status: event.status, ms: event.ms };
    default:
      return next;
  }
}

/** The log after `events`. Stages of requests that are no longer kept are dropped. */
export function takeEvents(
  log: Pick<Log, 'requests' | 'dropped'>,
  events: readonly TraceEvent[],
): Pick<Log, 'requests' | 'dropped'> {
  const requests = [...log.requests];
  const places = new Map<string, number>();
  requests.forEach((request, place) => places.set(request.id, place));
  for (const event of events) {
    if (event.topic !== 'request' && event.topic !== 'body') continue;
    const place = places.get(event.request);
    const known = place === undefined ? undefined : requests[place];
    if (place !== undefined && known)
      requests[place] = event.topic === 'body' ? { ...known, bodies: [...known.bodies, event] } : advance(known, event);
    else if (event.topic === 'request' && event.stage === 'received')
      places.set(event.request, requests.push(begin(event)) - 1);
  }
  const kept = withinLimits(requests);
  return { requests: kept, dropped: log.dropped + requests.length - kept.length };
}

/** Drops the oldest of people's requests, and of all others, beyond what is kept of each. */
function withinLimits(requests: LoggedRequest[]): LoggedRequest[] {
  if (requests.length <= KEPT) return requests;
  const people = requests.reduce((sum, { sender }) => sum + Number(sender === 'person'), 0);
  const surplus = { people: people - KEPT, others: requests.length - people - KEPT };
  return requests.filter(({ sender }) => {
    const whose = sender === 'person' ? 'people' : 'others';
    surplus[whose] -= 1;
    return surplus[whose] < 0;
  });
}

/** Feeds the log; the host hands over what it gathered. */
export function logEvents(events: readonly TraceEvent[]): void {
  const log = useRequests.getState();
  if (!log.paused) useRequests.setState(takeEvents(log, events));
}

export function clearLog(): void {
  useRequests.setState({ requests: [], dropped: 0 });
}

/** The request of this id, once the log has it. */
export function useRequest(id: string): LoggedRequest | undefined {
  return useRequests((log) => log.requests.findLast((request) => request.id === id));
}

/** Who the page acts as now, in the server's words. */
export function useUserName(): string {
  return useIdentity((state) => nameOfIdentity(state.current));
}
