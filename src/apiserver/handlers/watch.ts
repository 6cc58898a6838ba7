/** Watch: one line of JSON for each change, from now, from any kept revision, or from the current state. */
import type { Names } from '../../names/index.ts';
import { status, StatusError, type Resource, type Status } from '../../schema/index.ts';
import { goneOf, IDLE, type StopSignal, type Timer } from '../../std/index.ts';
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
import type { View } from '../codec/views.ts';
import type { ResourceContext, ResourceServer } from '../registry/registry.ts';
import { outletFor, type Outlet } from '../codec/outlets.ts';
import { WatchCount } from '../metrics/watches.ts';
import { collectionRange } from '../registry/keys.ts';
import type { ListOptions } from '../registry/query.ts';
import { rangeOf, revisionOf } from '../registry/read.ts';
import { selectedValue, type Selection } from '../registry/selection.ts';
import { topicOf } from '../registry/topics.ts';

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

/** One watch. There are thousands, so it keeps what it needs of its request, not the request, and waits for the clock by callbacks. */
class WatchSession {
  readonly #outlet: Outlet;
  readonly #server: ResourceServer;
  /** The request's id, for the trace, as are the next two. */
  readonly #id: string;
  readonly #user: string;
  readonly #userAgent: string;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #bookmarks: boolean;
  readonly #count: WatchCount;
  /** Says that the client went away. */
  readonly #clientGone: StopSignal;
  #ended = false;
  /** When its time is up, in milliseconds since the epoch. */
  #until = Infinity;
  #timer: Timer | undefined;
  #watch: Watch | undefined;
  #drained: (() => void) | undefined;
  #revision: number;
  /** The events sent in this delivery, for the trace. */
  #sent: { readonly revision: number; readonly type: WatchType }[] | undefined;

  constructor({ context, resource, options, selection, accepted, from, state }: Session) {
    this.#server = context.server;
    this.#id = context.id;
    this.#user = context.user.name;
    this.#userAgent = context.userAgent;
    this.#clientGone = goneOf(context.request);
    this.#resource = resource;
    this.#selection = selection;
    this.#bookmarks = options.allowWatchBookmarks;
    this.#revision = from;
    this.#count = new WatchCount(context.server.metrics, context, resource);
    this.#outlet = outletFor(context, resource, accepted, this);
    this.#open(context, state, options);
  }

  /** The client has taken what waited for it. */
  drained(): void {
    this.#drained?.();
  }

  gone(): void {
    this.#end('the client went away');
  }

  /** Ends the watch when its client or its kind is gone. */
  readonly #stop = (): void => {
    if (this.#clientGone.aborted) this.gone();
    else this.#end('its definition changed');
  };

  response(init: ResponseInit): Response {
    return this.#outlet.response(init);
  }

  #open(context: ResourceContext, state: RangeResult | undefined, options: ListOptions): void {
    const timeoutMs = timeoutOf(context, options);
    const server = this.#server;
    this.#clientGone.addEventListener('abort', this.#stop);
    if (state) this.#sendCurrent(state);
    this.#trace('opened', 0);
    if (this.#ended) return;
    try {
      this.#watch = server.storage.watch(
        { ...rangeOf(context, this.#resource, options), from: this.#revision, ...this.#topic(options) },
        (events, revision) => this.#deliver(events, revision),
        (error) => this.#lost(error),
      );
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      this.#lost(error);
      return;
    }
    this.#resource.custom?.retired?.addEventListener('abort', this.#stop);
    this.#until = server.clock.now() + timeoutMs;
    this.#wait();
  }

  /** If the selector requires one value of a field, only events with that value before or after are considered. */
  #topic({ fieldSelector }: ListOptions): { readonly topic?: Topic } {
    const selected = this.#resource.custom ? undefined : selectedValue(this.#resource, fieldSelector);
    if (!selected) return {};
    const server = this.#server;
    return { topic: { of: topicOf(server.views, this.#resource.hub, selected.field), value: selected.value } };
  }

  /** Sends synthetic ADDED events for the current objects. */
  #sendCurrent({ entries, revision }: RangeResult): void {
    const server = this.#server;
    for (const entry of entries) {
      const hub = server.views.of(entry, this.#resource.hub);
      if (!this.#selection || this.#selection(hub.object))
        this.#send('ADDED', server.views.of(entry, this.#resource), hub, entry);
    }
    this.#revision = revision;
  }

  #deliver(events: readonly StorageEvent[], revision: number): void | Promise<void> {
    const unready = this.#server.views.ready(this.#shownOf(events), this.#resource);
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
    this.#sent = undefined;
    if (!this.#outlet.isFull) return;
    return new Promise((resolve) => (this.#drained = resolve));
  }

  /** Sends one change: a selector may turn it into an ADDED or DELETED event. */
  #change(event: StorageEvent): void {
    const { views } = this.#server;
    const { hub } = this.#resource;
    const selects = (entry: Entry | undefined): boolean =>
      entry !== undefined && (!this.#selection || this.#selection(views.of(entry, hub).object));
    const was = selects(event.previous);
    if (event.entry && selects(event.entry)) {
      const type = was ? 'MODIFIED' : 'ADDED';
      this.#send(type, views.of(event.entry, this.#resource), views.of(event.entry, hub), event.entry);
      this.#note(event.revision, type);
    } else if (was) {
      this.#send('DELETED', views.ofDeleted(event, this.#resource), views.ofDeleted(event, hub), event.previous);
      this.#note(event.revision, 'DELETED');
    }
  }

  #note(revision: number, type: WatchType): void {
    (this.#sent ??= []).push({ revision, type });
  }

  #send(type: WatchType, view: View, hub: View, stored: Entry | undefined): void {
    if (this.#ended) return;
    const size = this.#outlet.event(type, view, hub, stored);
    if (size === undefined) return this.#end('its objects have no such form');
    this.#count.sent(size);
  }

  /**
   * Waits for the next bookmark or the end. A bookmark is sent every minute and shortly before the end, so that a client
   * can resume from a recent revision.
   */
  #wait(): void {
    const { clock } = this.#server;
    const left = this.#until - clock.now();
    // Waking the thread costs more than sending a bookmark, so all watches send theirs at the same time.
    const next = BOOKMARK_EVERY_MS - (clock.now() % BOOKMARK_EVERY_MS);
    const isBookmark = this.#bookmarks && left > BOOKMARK_BEFORE_END_MS;
    const wait = isBookmark ? Math.min(next, left - BOOKMARK_BEFORE_END_MS) : left;
    this.#timer = clock.setTimeout(() => this.#goOn(isBookmark), wait, IDLE);
  }

  #goOn(isBookmark: boolean): void {
    try {
      if (isBookmark) this.#sendBookmark();
    } catch (error) {
      this.#lost(error);
    }
    if (this.#ended) return;
    if (this.#server.clock.now() < this.#until) this.#wait();
    else this.#end('its time was up');
  }

  #sendBookmark(): void {
    this.#revision = Math.max(this.#revision, this.#watch?.revision ?? 0);
    if (!this.#outlet.bookmark(this.#revision)) return this.#end('its objects have no such form');
    this.#trace('bookmark', 0);
  }

  /** Sends an error and ends the watch if history was compacted or a webhook failed to convert. */
  #lost(error: unknown): void {
    if (this.#ended) return;
    if (error instanceof CompactedError) this.#outlet.error(tooOld(error));
    else if (error instanceof StatusError) this.#outlet.error(broken(error));
    this.#end(error instanceof Error ? error.message : 'the server stopped');
  }

  #end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    // One signal may belong to many consecutive watches.
    this.#clientGone.removeEventListener('abort', this.#stop);
    this.#resource.custom?.retired?.removeEventListener('abort', this.#stop);
    this.#server.clock.clearTimeout(this.#timer);
    this.#count.closed();
    this.#watch?.close();
    this.#drained?.();
    this.#trace('closed', 0, why);
    this.#outlet.close();
  }

  #trace(what: 'opened' | 'delivered' | 'bookmark' | 'closed', count: number, detail?: unknown): void {
    const { tracer } = this.#server;
    if (!tracer.wants('watch')) return;
    tracer.emit({
      topic: 'watch',
      request: this.#id,
      what,
      revision: this.#revision,
      backlog: this.#watch?.backlog ?? 0,
      user: this.#user,
      userAgent: this.#userAgent,
      ...(what === 'delivered' && { sent: this.#sent ?? [] }),
      detail: detail ?? count,
    });
  }
}

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
