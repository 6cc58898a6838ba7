/** The request log: every request that the cluster saw, with the stages of its way in short. */
import { useEffect, useMemo, useState } from 'preact/compat';
import { getOwn } from '../../std/index.ts';
import { create } from '../store.ts';
import {
  senderOf,
  type BriefEvent,
  type BriefStage,
  type Sender,
  type TogetherEvent,
  type WholeRequest,
} from '../../trace/index.ts';
import { attempt } from './actions.ts';
import { nameOfIdentity, useIdentity } from './identity.ts';
import { asText, at } from './jsonValues.ts';
import { theCluster, useCluster } from './session.ts';

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
  readonly stages: readonly BriefStage[];
}

/** A request with all that the trace told of it: each stage of its way, what came with it and what it was answered. */
export type OpenedRequest = Omit<LoggedRequest, 'stages'> & WholeRequest;

type Received = Extract<BriefStage, { stage: 'received' }>;

interface Log {
  /** Oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** How many were dropped from the log's old end. */
  readonly dropped: number;
  /** How many writes of each sort were done together, which the trace counts and does not list as requests. */
  readonly together: Readonly<Record<TogetherEvent['what'], number>>;
  readonly paused: boolean;
}

/** The header by which requests of the terminal say for which command line they are. */
export const TERMINAL_LINE = 'x-terminal-line';

/** Of people’s requests, and as many of all others: what the machine does drives off nothing that a person did. */
const KEPT = 2000;

const NOTHING: Log['together'] = {
  ...{ renewals: 0, reports: 0, events: 0, pods: 0, bindings: 0, statuses: 0 },
};

export const useRequests = create<Log>()(() => ({
  ...{ requests: [], dropped: 0, together: NOTHING, paused: false },
}));

const header = (event: Received, name: string): string =>
  event.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';

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

/** A request while a batch of events is taken in; afterwards nothing of it changes any more. */
interface Draft extends Writable<LoggedRequest> {
  stages: BriefStage[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function begin(event: Received): Draft {
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
  };
}

const verbIn = (attributes: unknown): string | undefined => asText(at(attributes, 'verb')) || undefined;

const userIn = (attributes: unknown): string | undefined => asText(at(attributes, 'user', 'name')) || undefined;

/** One more stage of a request. */
function advance(request: Draft, event: BriefStage): void {
  request.stages.push(event);
  switch (event.stage) {
    case 'authentication':
    case 'impersonation':
      request.user = event.user ?? request.user;
      break;
    case 'authorization':
      request.verb = verbIn(event.attributes) ?? request.verb;
      request.user = userIn(event.attributes) ?? request.user;
      break;
    case 'stored':
      request.revision = event.revision;
      break;
    case 'answered':
      request.status = event.status;
      request.ms = event.ms;
      break;
    default:
  }
}

/** Keeps the log. What a batch of events costs hangs on their number and on what is kept, never on both together. */
export class LogKeeper {
  /** Oldest first. */
  readonly #kept = new Map<string, LoggedRequest>();
  #people = 0;
  #dropped = 0;
  readonly #together = { ...NOTHING };

  /** The log after `events`. Stages of requests that are no longer kept are dropped. */
  take(events: readonly BriefEvent[]): Omit<Log, 'paused'> {
    const drafts = new Map<string, Draft>();
    for (const event of events) {
      if (event.topic === 'together') this.#together[event.what] += event.count;
      if (event.topic !== 'request') continue;
      const draft = drafts.get(event.request) ?? this.#draft(event.request, drafts);
      if (draft) advance(draft, event);
      else if (event.stage === 'received') this.#begin(begin(event), drafts);
    }
    this.#keepLimits();
    return { requests: [...this.#kept.values()], dropped: this.#dropped, together: { ...this.#together } };
  }

  #draft(id: string, drafts: Map<string, Draft>): Draft | undefined {
    const known = this.#kept.get(id);
    if (!known) return undefined;
    const draft = { ...known, stages: [...known.stages] };
    this.#kept.set(id, draft);
    drafts.set(id, draft);
    return draft;
  }

  #begin(draft: Draft, drafts: Map<string, Draft>): void {
    this.#kept.set(draft.id, draft);
    drafts.set(draft.id, draft);
    this.#people += Number(draft.sender === 'person');
  }

  /** Drops the oldest of people's requests, and of all others, beyond what is kept of each. */
  #keepLimits(): void {
    const surplus = { people: this.#people - KEPT, others: this.#kept.size - this.#people - KEPT };
    for (const { id, sender } of this.#kept.values()) {
      if (surplus.people <= 0 && surplus.others <= 0) return;
      const whose = sender === 'person' ? 'people' : 'others';
      if (surplus[whose] <= 0) continue;
      surplus[whose] -= 1;
      this.#kept.delete(id);
      this.#dropped += 1;
      if (whose === 'people') this.#people -= 1;
    }
  }
}

let keeper = new LogKeeper();
let gathered: BriefEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let shownAt = 0;

/** The log is shown at most this often, in milliseconds: nobody reads faster. */
const SHOW_EVERY = 200;

function take(): Omit<Log, 'paused'> {
  const log = keeper.take(gathered);
  gathered = [];
  return log;
}

function show(): void {
  timer = undefined;
  shownAt = performance.now();
  useRequests.setState(take());
}

/** Feeds the log; the host hands over what it gathered. What comes after a pause is shown at once. */
export function logEvents(events: readonly BriefEvent[]): void {
  if (useRequests.getState().paused) return;
  gathered = gathered.concat(events);
  timer ??= setTimeout(show, shownAt + SHOW_EVERY - performance.now());
}

/** All that the log has heard of, also what is not shown yet. */
export const readLog = (): readonly LoggedRequest[] => take().requests;

export function clearLog(): void {
  keeper = new LogKeeper();
  gathered = [];
  show();
}

/** Stops recording, or goes on. */
export function pauseLog(paused: boolean): void {
  useRequests.setState({ paused });
  void attempt(undefined, 'The log could not be told.', async () => theCluster().cluster.requests?.pause(paused));
}

/** All that was told of a request, read where the cluster runs; undefined until then, null where it is no longer kept. */
export function useWhole(request: LoggedRequest | undefined): OpenedRequest | null | undefined {
  const { requests } = useCluster().cluster;
  const id = request?.id;
  const [read, setRead] = useState<{ readonly id: string; readonly whole: WholeRequest | null }>();
  useEffect(
    () => (id === undefined ? undefined : requests?.whole(id, (whole) => setRead({ id, whole }))),
    [requests, id],
  );
  return useMemo(
    () => (request && read?.id === request.id ? read.whole && { ...request, ...read.whole } : undefined),
    [request, read],
  );
}

/** The request of this id, once the log has it. */
export function useRequest(id: string): LoggedRequest | undefined {
  return useRequests((log) => log.requests.findLast((request) => request.id === id));
}

/** Who the page acts as now, in the server's words. */
export function useUserName(): string {
  return useIdentity((state) => nameOfIdentity(state.current));
}
