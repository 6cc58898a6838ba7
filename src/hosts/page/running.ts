import type {
  AccessQuestions,
  Breakpoint,
  ClusterOptions,
  IdTokenWish,
  SchedulingQuestions,
  StorageCondition,
  Topic,
  TraceEvent,
  WebhookCall,
} from '../../cluster/index.ts';
import type {
  AccessQuestion,
  BreakpointState,
  ClockMove,
  ClockState,
  KeptRevision,
  StorageReport,
} from '../worker/control.ts';
import type { ControllerMove, ControllersState } from '../worker/controllers.ts';
import type { SchedulingQuestion } from '../worker/scheduling.ts';
import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';
import { baseOf } from './intercept.ts';
import { listen } from './listen.ts';

export interface ClockControl {
  state(): Promise<ClockState>;
  pause(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  scale(factor: number): Promise<ClockState>;
  /** Moves time ahead by `ms` of the cluster's time; resolves when everything that fell due has run. */
  step(ms: number): Promise<ClockState>;
  /** Ends the step under way where it is. */
  stopStep(): Promise<ClockState>;
}

export interface StorageControl {
  report(): Promise<StorageReport>;
  /** Forgets history up to `revision` (the current one where nothing is said). */
  compact(revision?: number): Promise<StorageReport>;
  /** Every kept revision of one object, oldest first. `key` is the storage key. */
  history(key: string): Promise<readonly KeptRevision[]>;
  /** Calls back with whether it can be written, now and whenever that changes; returns what ends it. */
  follow(listener: (condition: StorageCondition) => void): () => void;
  /** After the database was lost: writes what memory still has into a new one. The cluster has to be opened again then. */
  restore(): Promise<void>;
  /** The whole database, as lines of JSON; what is secret only where it is asked for. */
  export(secrets?: boolean): Promise<Blob>;
}

/** The cluster's questions about access, asked over the wire. */
export type AccessControl = {
  readonly [Ask in keyof AccessQuestions]: (
    ...given: Parameters<AccessQuestions[Ask]>
  ) => Promise<ReturnType<AccessQuestions[Ask]>>;
};

/** The scheduler's questions, asked over the wire; one that can't be answered throws an error that says why. */
export type SchedulingControl = {
  readonly [Ask in Exclude<keyof SchedulingQuestions, 'overview'>]: (
    ...given: Parameters<SchedulingQuestions[Ask]>
  ) => Promise<ReturnType<SchedulingQuestions[Ask]>>;
} & {
  /** Calls back with how full the cluster is and who waits, now and whenever that changes; returns what ends it. */
  follow(listener: (overview: ReturnType<SchedulingQuestions['overview']>) => void): () => void;
};

/** The controllers at work. */
export interface ControllersControl {
  /** Calls back with how they stand, now and whenever one has worked; returns what ends it. */
  follow(listener: (state: ControllersState) => void): () => void;
  /** Pauses one, lets it go on, or lets it reconcile one key. */
  move(controller: string, what: ControllerMove['do']): Promise<void>;
}

/** The OpenID Connect issuer that lives in the cluster. */
export interface IssuerControl {
  /** Signs an ID token. */
  issue(wish: IdTokenWish): Promise<string>;
  /** Takes new keys. */
  rotate(): Promise<void>;
}

/** Where requests are held for somebody to look at. */
export interface BreakpointControl {
  /** Calls back with what is set and what waits, now and whenever it changes; returns what ends it. */
  follow(listener: (state: BreakpointState) => void): () => void;
  /** Replaces all breakpoints. */
  set(breakpoints: readonly Breakpoint[]): Promise<void>;
  /** Lets a request go on, with the object given where there is one. */
  release(request: string, object?: unknown): Promise<void>;
}

/** A cluster that is open in this tab. */
export interface RunningCluster {
  readonly name: string;
  readonly options: ClusterOptions;
  /** Where the page's own `fetch` reaches it. */
  readonly base: string;
  /** The direct way, with the meaning of `fetch`; without an Authorization header it is the built-in administrator's. */
  readonly transport: (path: string, init?: RequestInit) => Promise<Response>;
  /** Listens to the trace; returns what ends it. `listener` gets everything since its last call. */
  trace(listener: (events: readonly TraceEvent[]) => void, topics?: readonly Topic[]): () => void;
  readonly clock: ClockControl;
  readonly storage: StorageControl;
  readonly access: AccessControl;
  readonly scheduling: SchedulingControl;
  readonly controllers: ControllersControl;
  readonly breakpoints: BreakpointControl;
  /** The last calls of webhooks that people wrote, the oldest first. */
  webhookCalls(): Promise<readonly WebhookCall[]>;
  readonly issuer: IssuerControl;
  /** Resolves with the reason when the cluster is no longer open here. */
  readonly left: Promise<string>;
  stop(): Promise<void>;
}

export function runningCluster(options: ClusterOptions, connection: Connection): RunningCluster {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await connection.send(await callFrom('host', path, init));
    return (await response.json()) as T;
  };
  const move = (step: ClockMove): Promise<ClockState> => ask('/clock', step);
  const inquire = <T>(question: AccessQuestion['ask'], ...given: readonly unknown[]): Promise<T> =>
    ask('/access', { ask: question, with: given });
  return {
    name: options.name,
    options,
    base: baseOf(options.name),
    transport: async (path, init) => connection.send(await callFrom('page', path, init)),
    trace: (listener, topics = []) => listen(connection, `/trace?topics=${topics.join(',')}`, listener),
    breakpoints: breakpointsOver(connection, ask),
    clock: {
      state: () => ask('/clock'),
      pause: () => move({ do: 'pause' }),
      resume: () => move({ do: 'resume' }),
      scale: (value) => move({ do: 'scale', value }),
      step: (value) => move({ do: 'step', value }),
      stopStep: () => move({ do: 'stop' }),
    },
    storage: storageOver(connection, ask),
    webhookCalls: () => ask('/webhooks/calls'),
    access: {
      whoCan: (asked) => inquire('whoCan', asked),
      whatCan: (user) => inquire('whatCan', user),
      matrix: (...given) => inquire('matrix', ...given),
      changesFor: (asked) => inquire('changesFor', asked),
    },
    scheduling: schedulingOver(connection),
    controllers: controllersOver(connection, ask),
    issuer: issuerOver(ask),
    left: connection.left,
    stop: connection.leave,
  };
}

type Ask = <T>(path: string, body?: object) => Promise<T>;

const storageOver = (connection: Connection, ask: Ask): StorageControl => ({
  report: () => ask('/storage'),
  compact: (revision) => ask('/storage/compact', { ...(revision !== undefined && { revision }) }),
  history: (key) => ask(`/storage/history?key=${encodeURIComponent(key)}`),
  follow: (listener) =>
    listen<StorageCondition>(connection, '/storage/condition', (states) => states.slice(-1).forEach(listener)),
  restore: async () => void (await ask('/storage/restore', {})),
  export: async (secrets = false) =>
    (await connection.send(await callFrom('host', `/storage/export${secrets ? '?secrets' : ''}`))).blob(),
});

const controllersOver = (connection: Connection, ask: Ask): ControllersControl => ({
  follow: (listener) =>
    listen<ControllersState>(connection, '/controllers', (states) => states.slice(-1).forEach(listener)),
  move: async (controller, what) => void (await ask('/controllers', { do: what, controller })),
});

const issuerOver = (ask: Ask): IssuerControl => ({
  issue: async (wish) => (await ask<{ token: string }>('/issuer', { wish })).token,
  rotate: async () => void (await ask('/issuer/rotate', {})),
});

const breakpointsOver = (connection: Connection, ask: Ask): BreakpointControl => ({
  follow: (listener) =>
    listen<BreakpointState>(connection, '/breakpoints', (states) => states.slice(-1).forEach(listener)),
  set: async (breakpoints) => void (await ask('/breakpoints', breakpoints)),
  release: async (request, object) => void (await ask('/breakpoints/release', { request, object })),
});

function schedulingOver(connection: Connection): SchedulingControl {
  const inquire = async <T>(question: SchedulingQuestion['ask'], ...given: readonly unknown[]): Promise<T> => {
    const body = JSON.stringify({ ask: question, with: given });
    const response = await connection.send(await callFrom('host', '/scheduling', { method: 'POST', body }));
    const answer = (await response.json()) as T & { readonly message?: string };
    if (!response.ok) throw new Error(answer.message);
    return answer;
  };
  return {
    explain: (asked) => inquire('explain', asked),
    verdicts: (...given) => inquire('verdicts', ...given),
    tipping: (...given) => inquire('tipping', ...given),
    remedies: (asked) => inquire('remedies', asked),
    fit: (...given) => inquire('fit', ...given),
    drain: (...given) => inquire('drain', ...given),
    follow: (listener) =>
      listen<ReturnType<SchedulingQuestions['overview']>>(connection, '/scheduling/overview', (states) =>
        states.slice(-1).forEach(listener),
      ),
  };
}
