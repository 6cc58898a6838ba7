/** Watch: one line of JSON for each change, from now, from any kept revision, or from the current state. */
import type { Names } from '../../names/index.ts';
import { status, StatusError, type Resource, type Status } from '../../schema/index.ts';
import { delay, IDLE, inBackground } from '../../std/index.ts';
import {
  CompactedError,
  type Entry,
  type RangeResult,
  type StorageEvent,
  type Topic,
  type Watch,
} from '../../storage/index.ts';
import { mediaTypeOf, type Accepted } from '../codec/negotiate.ts';
import { acceptedBy } from '../codec/respond.ts';
import type { View, Views } from '../codec/views.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { outletFor, type Outlet } from '../codec/outlets.ts';
import { countWatch, type WatchCount } from '../metrics/watches.ts';
import { collectionRange } from '../registry/keys.ts';
import type { ListOptions } from '../registry/query.ts';
import { rangeOf, revisionOf } from '../registry/read.ts';
import { fieldValue, selectedValue, type Selection } from '../registry/selection.ts';

export type WatchType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Starts a watch; the response streams until the client disconnects, the timeout passes, or history is compacted. */
export async function watch(
  context: ResourceContext,
  resource: Resource,
  options: ListOptions,
  selection: Selection,
): Promise<Response> {
  const from = revisionOf(options.resourceVersion, 'unexpected');
  const accepted = acceptedBy(context, resource);
  if (accepted.encoding === 'yaml') throw status.notAcceptable(streamTypes(resource, context.server.names));
  const state = from === 0 ? await currentState(context, resource) : undefined;
  const type = accepted.encoding === 'json' ? 'application/json' : `${accepted.mediaType};stream=watch`;
  const headers = { 'content-type': type, 'transfer-encoding': 'chunked', 'cache-control': 'no-cache, private' };
  return new WatchSession({ context, resource, options, selection, accepted, from, state }).response({ headers });
}

/** The media types of events. */
const streamTypes = ({ custom }: Resource, names: Names): readonly string[] =>
  (custom ? (['json'] as const) : (['json', 'protobuf'] as const)).map(
    (encoding) => `${mediaTypeOf(encoding, names)};stream=watch`,
  );

/** The current objects, ready for `views.of`. */
async function currentState({ server, info }: ResourceContext, resource: Resource): Promise<RangeResult> {
  const state = server.storage.range(collectionRange(resource.hub, info.namespace));
  await server.views.ready(state.entries, resource);
  return state;
}

interface Session {
  readonly context: ResourceContext;
  readonly resource: Resource;
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly accepted: Accepted;
  /** Changes after this revision are sent; 0: the current objects, then all later changes. */
  readonly from: number;
  readonly state: RangeResult | undefined;
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;

class WatchSession {
  readonly #outlet: Outlet;
  readonly #context: ResourceContext;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #bookmarks: boolean;
  readonly #ended = new AbortController();
  readonly #count: WatchCount;
  #watch: Watch | undefined;
  #drained: (() => void) | undefined;
  #revision: number;
  /** The events sent in this delivery, for the trace. */
  #sent: { readonly revision: number; readonly type: WatchType }[] = [];

  constructor({ context, resource, options, selection, accepted, from, state }: Session) {
    this.#context = context;
    this.#resource = resource;
    this.#selection = selection;
    this.#bookmarks = options.allowWatchBookmarks;
    this.#revision = from;
    this.#count = countWatch(context.server.metrics, context, resource);
    this.#outlet = outletFor(context, resource, accepted, {
      drained: () => this.#drained?.(),
      gone: () => this.#end('the client went away'),
    });
    this.#open(state, options);
  }

  response(init: ResponseInit): Response {
    return this.#outlet.response(init);
  }

  #open(state: RangeResult | undefined, options: ListOptions): void {
    const timeoutMs = timeoutOf(this.#context, options);
    const { request, server } = this.#context;
    const { signal } = this.#ended;
    // One signal may belong to many consecutive watches, so the listener must be removed.
    request.signal.addEventListener('abort', () => this.#end('the client went away'), { once: true, signal });
    if (state) this.#sendCurrent(state);
    this.#trace('opened', 0);
    if (this.#ended.signal.aborted) return;
    try {
      this.#watch = server.storage.watch(
        { ...rangeOf(this.#context, this.#resource, options), from: this.#revision, ...this.#topic(options) },
        (events, revision) => this.#deliver(events, revision),
        (error) => this.#lost(error),
      );
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      this.#lost(error);
      return;
    }
    inBackground(this.#timeUp(timeoutMs), (error) => this.#lost(error));
    const retired = this.#resource.custom?.retired;
    retired?.addEventListener('abort', () => this.#end('its definition changed'), { signal });
    if (this.#bookmarks) inBackground(this.#sendBookmarks(timeoutMs), (error) => this.#lost(error));
  }

  /** If the selector requires one value of a field, only events with that value before or after are considered. */
  #topic({ fieldSelector }: ListOptions): { readonly topic?: Topic } {
    const selected = this.#resource.custom ? undefined : selectedValue(this.#resource, fieldSelector);
    if (!selected) return {};
    const { server } = this.#context;
    return { topic: { of: topicOf(server.views, this.#resource.hub, selected.field), value: selected.value } };
  }

  /** Sends synthetic ADDED events for the current objects. */
  #sendCurrent({ entries, revision }: RangeResult): void {
    const { server } = this.#context;
    for (const entry of entries) {
      const hub = server.views.of(entry, this.#resource.hub);
      if (!this.#selection || this.#selection(hub.object))
        this.#send('ADDED', server.views.of(entry, this.#resource), hub, entry);
    }
    this.#revision = revision;
  }

  #deliver(events: readonly StorageEvent[], revision: number): void | Promise<void> {
    const unready = this.#context.server.views.ready(this.#shownOf(events), this.#resource);
    if (!unready) return this.#handOver(events, revision);
    return unready.then(
      () => this.#handOver(events, revision),
      (error: unknown) => this.#lost(error),
    );
  }

  /** The object states that are needed to compute the changes. */
  #shownOf(events: readonly StorageEvent[]): Entry[] {
    if (!this.#resource.custom?.remote) return NONE;
    const entries = events.flatMap(({ entry, previous }) =>
      this.#selection ? [previous, entry] : [entry ?? previous],
    );
    return entries.filter((entry) => entry !== undefined);
  }

  #handOver(events: readonly StorageEvent[], revision: number): void | Promise<void> {
    for (const event of events) this.#change(event);
    this.#revision = revision;
    this.#trace('delivered', events.length);
    this.#sent = [];
    if (!this.#outlet.isFull) return;
    return new Promise((resolve) => (this.#drained = resolve));
  }

  /** Sends one change: a selector may turn it into an ADDED or DELETED event. */
  #change(event: StorageEvent): void {
    const { views } = this.#context.server;
    const { hub } = this.#resource;
    const selects = (entry: Entry | undefined): boolean =>
      entry !== undefined && (!this.#selection || this.#selection(views.of(entry, hub).object));
    const was = selects(event.previous);
    if (event.entry && selects(event.entry)) {
      const type = was ? 'MODIFIED' : 'ADDED';
      this.#send(type, views.of(event.entry, this.#resource), views.of(event.entry, hub), event.entry);
      this.#sent.push({ revision: event.revision, type });
    } else if (was) {
      this.#send('DELETED', views.ofDeleted(event, this.#resource), views.ofDeleted(event, hub), event.previous);
      this.#sent.push({ revision: event.revision, type: 'DELETED' });
    }
  }

  #send(type: WatchType, view: View, hub: View, stored: Entry | undefined): void {
    if (this.#ended.signal.aborted) return;
    const size = this.#outlet.event(type, view, hub, stored);
    if (size === undefined) return this.#end('its objects have no such form');
    this.#count.sent(size);
  }

  async #timeUp(timeoutMs: number): Promise<void> {
    await delay(this.#context.server.clock, timeoutMs, this.#ended.signal, IDLE);
    this.#end('its time was up');
  }

  /** Sends a bookmark every minute and shortly before the end, so that a client can resume from a recent revision. */
  async #sendBookmarks(timeoutMs: number): Promise<void> {
    const { clock } = this.#context.server;
    const end = clock.now() + timeoutMs;
    for (;;) {
      const left = end - clock.now();
      // Waking the thread costs more than sending a bookmark, so all watches send theirs at the same time.
      const next = BOOKMARK_EVERY_MS - (clock.now() % BOOKMARK_EVERY_MS);
      const wait = left > BOOKMARK_BEFORE_END_MS ? Math.min(next, left - BOOKMARK_BEFORE_END_MS) : 0;
      if (wait === 0) return;
      await delay(clock, wait, this.#ended.signal, IDLE);
      if (this.#ended.signal.aborted) return;
      this.#revision = Math.max(this.#revision, this.#watch?.revision ?? 0);
      if (!this.#outlet.bookmark(this.#revision)) return this.#end('its objects have no such form');
      this.#trace('bookmark', 0);
    }
  }

  /** Sends an error and ends the watch if history was compacted or a webhook failed to convert. */
  #lost(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    if (error instanceof CompactedError) this.#outlet.error(tooOld(error));
    else if (error instanceof StatusError) this.#outlet.error(broken(error));
    this.#end(error instanceof Error ? error.message : 'the server stopped');
  }

  #end(why: string): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#count.closed();
    this.#watch?.close();
    this.#drained?.();
    this.#trace('closed', 0, why);
    this.#outlet.close();
  }

  #trace(what: 'opened' | 'delivered' | 'bookmark' | 'closed', count: number, detail?: unknown): void {
    const { server, user, userAgent } = this.#context;
    const { tracer } = server;
    if (!tracer.wants('watch')) return;
    tracer.emit({
      topic: 'watch',
      request: this.#context.id,
      what,
      revision: this.#revision,
      backlog: this.#watch?.backlog ?? 0,
      user: user.name,
      userAgent,
      ...(what === 'delivered' && { sent: this.#sent }),
      detail: detail ?? count,
    });
  }
}

/** Reads a field of a stored object. There is one function for each field, because watches are indexed by it. */
function topicOf(views: Views, hub: Resource, field: string): Topic['of'] {
  const readers = topics.get(views) ?? new Map<string, Topic['of']>();
  topics.set(views, readers);
  const name = `${hub.apiVersion} ${hub.gvk.kind} ${field}`;
  const known = readers.get(name);
  if (known) return known;
  const of = (entry: Entry): string => fieldValue(hub, views.of(entry, hub).object, field);
  readers.set(name, of);
  return of;
}

const topics = new WeakMap<Views, Map<string, Topic['of']>>();

/** A failure within a stream is reported as an internal error. */
const broken = ({ status }: StatusError): Status => ({ ...status, reason: status.reason ?? 'InternalError' });

const NONE: Entry[] = [];

function tooOld(error: CompactedError): Status {
  const message = `too old resource version: ${error.requested} (${error.compacted})`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Expired', code: 410 };
}

/** The requested timeout, or a random one above `--min-request-timeout`. */
function timeoutOf({ server }: ResourceContext, { timeoutSeconds }: ListOptions): number {
  if (timeoutSeconds) return timeoutSeconds * 1000;
  const least = Number(server.flag('min-request-timeout'));
  return least * 1000 * (1 + server.random.next());
}
