/** Watches that a person opened to look at: each event as it arrives, the revision reached, and how it went on. */
import { create } from '../store.ts';
import { Client, readWatch, type Query } from '../../client/index.ts';
import { StatusError, type ApiObject, type Status } from '../../schema/index.ts';
import type { TraceEvent, WatchEvent } from '../../trace/index.ts';
import { clusterNow } from './clock.ts';
import { join } from './followers.ts';
import { transportAs, useIdentity } from './identity.ts';
import { pathTo, type Resource } from './resources.ts';
import { theCluster } from './session.ts';
import { untilBeat } from './beat.ts';

export interface WatchSpec {
  readonly resource: Resource;
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Empty: the state as it is now first, then changes. */
  readonly from: string;
  readonly bookmarks: boolean;
  /** Seconds after which the server ends it; empty leaves that to the server. */
  readonly timeout: string;
}

/** A line of a watch: an event, or what the page did about it. */
export type WatchLine = { readonly id: number; readonly at: number; readonly revision: string } & (
  | {
      readonly what: 'event';
      readonly type: string;
      readonly object: ApiObject;
      readonly before: ApiObject | undefined;
    }
  | { readonly what: 'note'; readonly text: string; readonly failed: boolean }
);

export interface WatchSession {
  readonly id: string;
  readonly spec: WatchSpec;
  readonly user: string;
  readonly phase: 'opening' | 'open' | 'ended';
  /** Nothing is read while it is held: what the server has for it waits there. */
  readonly held: boolean;
  readonly lines: readonly WatchLine[];
  readonly count: number;
  /** The latest revision that it has heard of. */
  readonly revision: string;
  /** How many events wait for it, as far as the trace says: at the server and, while it is held, on the way. */
  readonly backlog: number;
  /** The server no longer keeps the revision from which it would go on. */
  readonly gone: boolean;
}

const KEPT = 400;

export const useWatches = create<{ readonly watches: readonly WatchSession[] }>()(() => ({ watches: [] }));

/** What belongs to a session but is not shown. */
interface Engine {
  stop: AbortController;
  release: (() => void) | undefined;
  readonly seen: Map<string, ApiObject>;
  gathered: WatchLine[];
  /** Revisions that the server has sent and that were not read yet, as far as the trace says. */
  told: number[];
  timer: ReturnType<typeof setTimeout> | undefined;
  count: number;
}

const engines = new Map<string, Engine>();
/** Ends what is heard of watches, while any is open. */
let endTrace: (() => void) | undefined;
let lastId = 0;
let lastLine = 0;

const change = (id: string, part: Partial<WatchSession> | ((session: WatchSession) => Partial<WatchSession>)): void =>
  useWatches.setState(({ watches }) => ({
    watches: watches.map((each) =>
      each.id === id ? { ...each, ...(typeof part === 'function' ? part(each) : part) } : each,
    ),
  }));

const sessionOf = (id: string): WatchSession | undefined =>
  useWatches.getState().watches.find((each) => each.id === id);

function say(id: string, engine: Engine, line: Omit<Extract<WatchLine, { what: 'note' }>, 'id' | 'at' | 'what'>): void {
  push(id, engine, { id: ++lastLine, at: clusterNow(), what: 'note', ...line });
}

/** The highest revision so far: what is there at the start of a watch comes in the order of names. */
const latest = (lines: readonly WatchLine[], before: string): string =>
  lines.reduce((most, line) => (Number(line.revision) > Number(most) ? line.revision : most), before);

/** Lines are shown a few times a second, however fast they come. */
function push(id: string, engine: Engine, line: WatchLine): void {
  engine.gathered.push(line);
  engine.timer ??= setTimeout(() => {
    const { gathered, count } = engine;
    engine.gathered = [];
    engine.timer = undefined;
    change(id, ({ lines, revision }) => ({
      lines: [...lines, ...gathered].slice(-KEPT),
      count,
      revision: latest(gathered, revision),
    }));
  }, untilBeat());
}

/** In the server's words; a 410 with what has to be done. */
function messageOf({ code, reason = '', message = '' }: Status): string {
  const said = `${code} ${reason}: ${message}`;
  return code === 410 ? `${said}. That revision is no longer kept: list again, and watch from there.` : said;
}

/** The user agent by which the trace tells whose request a watch is. */
const agentOf = (id: string): string => `vitrine-watch-${id}`;

function clientFor(id: string): Client {
  const { cluster, names } = theCluster();
  return new Client({
    transport: transportAs(cluster.transport, useIdentity.getState().current),
    names,
    userAgent: agentOf(id),
  });
}

/** The parameters of a watch from a revision. */
export function queryOf(spec: WatchSpec, revision: string): Query {
  return {
    watch: true,
    resourceVersion: revision || undefined,
    allowWatchBookmarks: spec.bookmarks || undefined,
    labelSelector: spec.labelSelector,
    fieldSelector: spec.fieldSelector,
    timeoutSeconds: spec.timeout,
  };
}

/** Waits while the session is held: nothing more is read, and the server's queue for it grows. */
async function whileHeld(id: string, engine: Engine): Promise<void> {
  if (sessionOf(id)?.held) await new Promise<void>((resolve) => (engine.release = resolve));
}

async function read(client: Client, id: string, engine: Engine, spec: WatchSpec, revision: string): Promise<void> {
  const { signal } = engine.stop;
  const response = await client.raw(pathTo(spec.resource, spec.namespace), { query: queryOf(spec, revision), signal });
  change(id, { phase: 'open', gone: false });
  for await (const events of readWatch(response)) {
    for (const { type, object } of events) {
      const key = object.metadata.uid ?? '';
      const before = engine.seen.get(key);
      if (type === 'DELETED') engine.seen.delete(key);
      else if (type !== 'BOOKMARK') engine.seen.set(key, object);
      engine.count++;
      push(id, engine, {
        id: ++lastLine,
        at: clusterNow(),
        revision: object.metadata.resourceVersion ?? '',
        what: 'event',
        type,
        object,
        before,
      });
    }
    await whileHeld(id, engine);
  }
}

async function run(id: string, engine: Engine, spec: WatchSpec, revision: string): Promise<void> {
  change(id, { phase: 'opening' });
  const at = (): string => latest(engine.gathered, sessionOf(id)?.revision ?? revision);
  try {
    await read(clientFor(id), id, engine, spec, revision);
    if (!engine.stop.signal.aborted)
      say(id, engine, { revision: at(), text: 'The server ended the watch.', failed: false });
  } catch (error) {
    if (!engine.stop.signal.aborted) fail(id, engine, at(), error);
  }
  change(id, { phase: 'ended', held: false, backlog: 0 });
}

function fail(id: string, engine: Engine, revision: string, error: unknown): void {
  const status = error instanceof StatusError ? error.status : undefined;
  const text = status ? messageOf(status) : error instanceof Error ? error.message : String(error);
  say(id, engine, { revision, text, failed: true });
  if (status?.code === 410) change(id, { gone: true });
}

/** Opens a watch as the page's identity. */
export function openWatch(spec: WatchSpec, user: string): void {
  join(follower);
  endTrace ??= theCluster().cluster.trace(noteWatchEvents, ['watch']);
  const id = String(++lastId);
  const engine: Engine = {
    stop: new AbortController(),
    release: undefined,
    seen: new Map(),
    gathered: [],
    told: [],
    timer: undefined,
    count: 0,
  };
  engines.set(id, engine);
  const session: WatchSession = {
    id,
    spec,
    user,
    phase: 'opening',
    held: false,
    lines: [],
    count: 0,
    revision: spec.from,
    backlog: 0,
    gone: false,
  };
  useWatches.setState(({ watches }) => ({ watches: [...watches, session] }));
  void run(id, engine, spec, spec.from);
}

/** Breaks the connection, as a network would. */
export function dropWatch(id: string): void {
  const engine = engines.get(id);
  if (!engine) return;
  engine.stop.abort();
  engine.release?.();
  say(id, engine, { revision: sessionOf(id)?.revision ?? '', text: 'Dropped from here.', failed: false });
  change(id, { phase: 'ended', held: false, backlog: 0 });
}

/** Goes on from the latest revision that it has heard of. */
export function resumeWatch(id: string): void {
  const engine = engines.get(id);
  const session = sessionOf(id);
  if (!engine || !session) return;
  engine.stop = new AbortController();
  say(id, engine, {
    revision: session.revision,
    text: `Resumed from revision ${session.revision || '“”'}.`,
    failed: false,
  });
  void run(id, engine, session.spec, session.revision);
}

/** What a client has to do after 410: forget what it knew, list anew, and watch from the list's revision. */
export async function relistWatch(id: string): Promise<void> {
  const engine = engines.get(id);
  const session = sessionOf(id);
  if (!engine || !session) return;
  const { resource, namespace, labelSelector, fieldSelector } = session.spec;
  engine.stop = new AbortController();
  try {
    const list = await clientFor(id)
      .of(resource)
      .list({ ...(namespace ? { namespace } : {}), labelSelector, fieldSelector });
    const revision = list.metadata.resourceVersion ?? '';
    engine.seen.clear();
    for (const item of list.items) engine.seen.set(item.metadata.uid ?? '', item);
    say(id, engine, {
      revision,
      text: `Listed again: ${list.items.length} objects at revision ${revision}. Watching from there.`,
      failed: false,
    });
    void run(id, engine, session.spec, revision);
  } catch (error) {
    fail(id, engine, session.revision, error);
  }
}

/** Stops to read, or goes on. */
export function holdWatch(id: string, held: boolean): void {
  change(id, held ? { held } : { held, backlog: 0 });
  if (!held) engines.get(id)?.release?.();
}

/** Ends a watch and takes it out of sight. */
export function closeWatch(id: string): void {
  engines.get(id)?.stop.abort();
  engines.get(id)?.release?.();
  engines.delete(id);
  useWatches.setState(({ watches }) => ({ watches: watches.filter((each) => each.id !== id) }));
  if (engines.size > 0) return;
  endTrace?.();
  endTrace = undefined;
}

/** Ends all watches; when their cluster is left. */
function closeWatches(): void {
  for (const { id } of useWatches.getState().watches) closeWatch(id);
}

/** What waits at the server grows without a word while nobody reads; what it has sent until then waits on the way. */
function noteBacklog(id: string, event: WatchEvent): void {
  const engine = engines.get(id);
  const session = sessionOf(id);
  if (!engine || !session) return;
  const read = Number(latest(engine.gathered, session.revision));
  const sent = (event.sent ?? []).map(({ revision }) => revision);
  engine.told = [...engine.told, ...sent].filter((revision) => revision > read);
  const backlog = event.backlog + (session.held ? engine.told.length : 0);
  if (session.backlog !== backlog) change(id, { backlog });
}

/** Learns from the trace how much waits for each watch. */
function noteWatchEvents(events: readonly TraceEvent[]): void {
  for (const event of events) {
    const id = event.topic === 'watch' ? /^vitrine-watch-(\d+)$/.exec(event.userAgent)?.[1] : undefined;
    if (event.topic === 'watch' && id !== undefined) noteBacklog(id, event);
  }
}

const follower = { forget: closeWatches };
