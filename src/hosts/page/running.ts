import { inBackground, Part } from '../../std/index.ts';
import type { ClusterOptions, Delivery, RemoteQuestions, StorageCondition, WholeRequest } from '../../cluster/index.ts';
import type { ClockState } from '../worker/clockState.ts';
import type { BreakpointState } from '../worker/control.ts';
import type { AccessQuestion, ClockMove } from '../worker/otherRoutes.ts';
import type { ControllersState } from '../worker/controllers.ts';
import { askHost } from './ask.ts';
import { callFrom } from './call.ts';
import type { Connection } from './connection.ts';
import { baseOf } from './intercept.ts';
import { bridgeKey } from './known.ts';
import { listen } from './listen.ts';
import { questionsOver, type Overview } from './scheduling.ts';
import type {
  ClockControl,
  StorageControl,
  AccessControl,
  ControllersControl,
  IssuerControl,
  BreakpointControl,
  PastControl,
  RequestsControl,
  RunningCluster,
} from './cluster.ts';

export function runningCluster(options: ClusterOptions, connection: Connection): RunningCluster {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    return (await (await askHost(connection, path, init)).json()) as T;
  };
  const live: Omit<RunningCluster, 'past'> = {
    name: options.name,
    options,
    base: baseOf(options.name),
    transport: async (path, init) => connection.send(await callFrom('page', path, init)),
    trace: (listener, topics = []) => listen(connection, `/trace?topics=${topics.join(',')}`, eachOf(listener)),
    requests: requestsOver(connection, ask),
    breakpoints: breakpointsOver(connection, ask),
    clock: clockOver(ask),
    storage: storageOver(connection, ask),
    webhookCalls: () => ask('/webhooks/calls'),
    access: accessOver(ask),
    scheduling: schedulingOver(connection),
    controllers: controllersOver(connection, ask),
    issuer: issuerOver(ask),
    bridge: bridgeLater(options, connection, ask),
    left: connection.left,
    stop: connection.leave,
  };
  return { ...live, past: pastLater(connection, live) };
}

/** Code for past states is loaded on first use. */
function pastLater(connection: Connection, live: Omit<RunningCluster, 'past'>): PastControl {
  const past = async (): Promise<Required<PastControl>> =>
    (await import('./past.ts')).pastOver(connection, live, accessOver);
  return {
    open: async (revision) => (await past()).open(revision),
    next: async (revision) => (await past()).next(revision),
    fork: async (...given) => (await past()).fork(...given),
  };
}

/** Loaded on first use, or at once if the person had allowed clients before a reload. */
function bridgeLater(options: ClusterOptions, connection: Connection, ask: Ask): RunningCluster['bridge'] {
  const part = new Part(async () => (await import('./bridge.ts')).bridgeOver(options.name, connection, ask));
  // A copy of a tab has what that tab kept for itself, but was not reloaded.
  const isReloaded = performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'reload');
  if (isReloaded && sessionStorage.getItem(bridgeKey(options.name)) && options.storage === 'indexeddb')
    inBackground(
      part.load().then((bridge) => bridge.open()),
      () => undefined,
    );
  return () => part.load();
}

type Ask = <T>(path: string, body?: object) => Promise<T>;

const storageOver = (connection: Connection, ask: Ask): StorageControl => ({
  report: () => ask('/storage'),
  compact: (revision) => ask('/storage/compact', { ...(revision !== undefined && { revision }) }),
  history: (key) => ask(`/storage/history?key=${encodeURIComponent(key)}`),
  follow: (listener) => listen<StorageCondition>(connection, '/storage/condition', lastOf(listener)),
  restore: async () => void (await ask('/storage/restore', {})),
  export: async (secrets = false) => (await askHost(connection, `/storage/export${secrets ? '?secrets' : ''}`)).blob(),
});

const controllersOver = (connection: Connection, ask: Ask): ControllersControl => ({
  follow: (listener) => listen<ControllersState>(connection, '/controllers', lastOf(listener)),
  move: async (controller, what) => void (await ask('/controllers', { do: what, controller })),
});
function clockOver(ask: Ask): ClockControl {
  const listeners = new Set<(state: ClockState) => void>();
  const move = async (step: ClockMove): Promise<ClockState> => {
    const state = await ask<ClockState>('/clock', step);
    for (const listener of listeners) listener(state);
    return state;
  };
  return {
    state: () => ask('/clock'),
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pause: () => move({ do: 'pause' }),
    resume: () => move({ do: 'resume' }),
    scale: (value) => move({ do: 'scale', value }),
    step: (value) => move({ do: 'step', value }),
    stopStep: () => move({ do: 'stop' }),
  };
}

/** Questions about access, sent with `ask`. */
function accessOver(ask: Ask): AccessControl {
  const inquire = <T>(question: AccessQuestion['ask'], ...given: readonly unknown[]): Promise<T> =>
    ask('/access', { ask: question, with: given });
  return {
    whoCan: (asked) => inquire('whoCan', asked),
    whatCan: (user) => inquire('whatCan', user),
    matrix: (...given) => inquire('matrix', ...given),
    changesFor: (asked) => inquire('changesFor', asked),
    shiftsBy: (proposal) => inquire('shiftsBy', proposal),
  };
}

const issuerOver = (ask: Ask): IssuerControl => ({
  issue: async (wish) => (await ask<{ token: string }>('/issuer', { wish })).token,
  rotate: async () => void (await ask('/issuer/rotate', {})),
});

/** Hands on what lines of gathered values hold. */
const eachOf =
  <T>(listener: (values: readonly T[]) => void) =>
  (lines: readonly (readonly T[])[]): void =>
    lines.forEach(listener);

/** Hands on the last of several states that came together. */
const lastOf =
  <T>(listener: (state: T) => void) =>
  (states: readonly T[]): void =>
    states.slice(-1).forEach(listener);

function requestsOver(connection: Connection, ask: Ask): RequestsControl {
  const log = crypto.randomUUID();
  return {
    follow: (listener) => listen(connection, `/requests?log=${log}`, eachOf(listener)),
    pause: async (paused) => void (await ask('/requests', { log, paused })),
    whole: (request, listener) =>
      listen<WholeRequest | null>(connection, `/requests/whole?log=${log}&request=${request}`, lastOf(listener)),
    notified: (revision, listener) =>
      listen<readonly Delivery[]>(connection, `/requests/notified?log=${log}&revision=${revision}`, lastOf(listener)),
  };
}

const breakpointsOver = (connection: Connection, ask: Ask): BreakpointControl => ({
  follow: (listener) => listen<BreakpointState>(connection, '/breakpoints', lastOf(listener)),
  set: async (breakpoints) => void (await ask('/breakpoints', breakpoints)),
  release: async (request, object) => void (await ask('/breakpoints/release', { request, object })),
});

const schedulingOver = (connection: Connection): RemoteQuestions => ({
  ...questionsOver(connection),
  follow: (listener) => listen<Overview>(connection, '/scheduling/overview', lastOf(listener)),
});
