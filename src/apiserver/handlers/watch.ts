/** The change feed: one line of JSON for each change, from now, from any kept revision, or from the state as it is. */
import { StatusError, type Resource, type Status } from '../../schema/index.ts';
import { delay, IDLE, inBackground } from '../../std/index.ts';
import { CompactedError, type Entry, type RangeResult, type StorageEvent, type Watch } from '../../storage/index.ts';
import type { Accepted } from '../codec/negotiate.ts';
import { acceptedBy, notAcceptable } from '../codec/respond.ts';
import { frameFor, type Frame } from '../codec/frames.ts';
import type { View } from '../codec/views.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { countWatch, type WatchCount } from '../metrics/watches.ts';
import { collectionRange } from '../registry/keys.ts';
import type { ListOptions } from '../registry/query.ts';
import { revisionOf } from '../registry/read.ts';
import type { Selection } from '../registry/selection.ts';

export type WatchType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Starts a watch; the response streams until the client goes, the time is up, or history is lost. */
export async function watch(
  context: ResourceContext,
  resource: Resource,
  options: ListOptions,
  selection: Selection,
): Promise<Response> {
  const from = revisionOf(options.resourceVersion, 'unexpected');
  const accepted = acceptedBy(context, resource);
  if (accepted.encoding === 'yaml') throw notAcceptable('events come as JSON or Protobuf');
  const state = from === 0 ? await currentState(context, resource) : undefined;
  const session = new WatchSession({ context, resource, options, selection, accepted, from, state });
  const type = accepted.encoding === 'json' ? 'application/json' : `${accepted.mediaType};stream=watch`;
  return new Response(session.stream, {
    status: 200,
    headers: { 'content-type': type, 'transfer-encoding': 'chunked', 'cache-control': 'no-cache, private' },
  });
}

/** What is there now, ready to be shown. */
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
  /** Changes after this revision are told; 0: what there is, then what changes after that. */
  readonly from: number;
  readonly state: RangeResult | undefined;
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;
/** A client that is this many bytes behind is waited for; storage cuts it off when its backlog grows too long. */
const HIGH_WATER_BYTES = 256 * 1024;

class WatchSession {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #context: ResourceContext;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #frame: Frame;
  readonly #bookmarks: boolean;
  readonly #ended = new AbortController();
  readonly #count: WatchCount;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #watch: Watch | undefined;
  #drained: (() => void) | undefined;
  #revision: number;
  /** What this delivery put on the way, for those who look on. */
  #sent: { readonly revision: number; readonly type: WatchType }[] = [];

  constructor({ context, resource, options, selection, accepted, from, state }: Session) {
    this.#context = context;
    this.#resource = resource;
    this.#selection = selection;
    this.#frame = frameFor(context, resource, accepted);
    this.#bookmarks = options.allowWatchBookmarks;
    this.#revision = from;
    this.#count = countWatch(context.server.metrics, context, resource);
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.#open(state, timeoutOf(context, options));
        },
        pull: () => this.#drained?.(),
        cancel: () => this.#end('the client went away'),
      },
      { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  #open(state: RangeResult | undefined, timeoutMs: number): void {
    const { request, server } = this.#context;
    request.signal.addEventListener('abort', () => this.#end('the client went away'), { once: true });
    const { start, end } = collectionRange(this.#resource.hub, this.#context.info.namespace);
    if (state) this.#sendCurrent(state);
    this.#trace('opened', 0);
    if (this.#ended.signal.aborted) return;
    try {
      this.#watch = server.storage.watch(
        { start, end, from: this.#revision },
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
    retired?.addEventListener('abort', () => this.#end('its definition changed'), { signal: this.#ended.signal });
    if (this.#bookmarks) inBackground(this.#sendBookmarks(timeoutMs), (error) => this.#lost(error));
  }

  /** Synthetic ADDED events for what is there. */
  #sendCurrent({ entries, revision }: RangeResult): void {
    const { server } = this.#context;
    for (const entry of entries) {
      const hub = server.views.of(entry, this.#resource.hub);
      if (!this.#selection || this.#selection(hub.object))
        this.#send('ADDED', server.views.of(entry, this.#resource), hub);
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

  /** The states of objects that have to be looked at, to tell of changes. */
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
    if ((this.#controller.desiredSize ?? 0) > 0) return;
    return new Promise((resolve) => (this.#drained = resolve));
  }

  /** What one change is to this watcher: a selector turns it into an arrival or a departure. */
  #change(event: StorageEvent): void {
    const { views } = this.#context.server;
    const { hub } = this.#resource;
    const selects = (entry: Entry | undefined): boolean =>
      entry !== undefined && (!this.#selection || this.#selection(views.of(entry, hub).object));
    const was = selects(event.previous);
    if (event.entry && selects(event.entry)) {
      const type = was ? 'MODIFIED' : 'ADDED';
      this.#send(type, views.of(event.entry, this.#resource), views.of(event.entry, hub));
      this.#sent.push({ revision: event.revision, type });
    } else if (was) {
      this.#send('DELETED', views.ofDeleted(event, this.#resource), views.ofDeleted(event, hub));
      this.#sent.push({ revision: event.revision, type: 'DELETED' });
    }
  }

  #send(type: WatchType, view: View, hub: View): void {
    if (this.#ended.signal.aborted) return;
    const bytes = this.#frame.event(type, view, hub);
    if (!bytes) return this.#end('its objects have no such form');
    this.#count.sent(bytes.byteLength);
    this.#controller.enqueue(bytes);
  }

  async #timeUp(timeoutMs: number): Promise<void> {
    await delay(this.#context.server.clock, timeoutMs, this.#ended.signal, IDLE);
    this.#end('its time was up');
  }

  /** Once a minute, and shortly before the end, so that a client can resume from close by. */
  async #sendBookmarks(timeoutMs: number): Promise<void> {
    const { clock } = this.#context.server;
    const end = clock.now() + timeoutMs;
    for (;;) {
      const left = end - clock.now();
      const wait = left > BOOKMARK_BEFORE_END_MS ? Math.min(BOOKMARK_EVERY_MS, left - BOOKMARK_BEFORE_END_MS) : 0;
      if (wait === 0) return;
      await delay(clock, wait, this.#ended.signal, IDLE);
      if (this.#ended.signal.aborted) return;
      this.#revision = Math.max(this.#revision, this.#watch?.revision ?? 0);
      const bytes = this.#frame.bookmark(this.#revision);
      if (!bytes) return this.#end('its objects have no such form');
      this.#controller.enqueue(bytes);
      this.#trace('bookmark', 0);
    }
  }

  /** Where history is lost, or a webhook does not convert what happened, the client is told; then this is the end. */
  #lost(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    if (error instanceof CompactedError) this.#controller.enqueue(this.#frame.error(tooOld(error)));
    else if (error instanceof StatusError) this.#controller.enqueue(this.#frame.error(broken(error)));
    this.#end(error instanceof Error ? error.message : 'the server stopped');
  }

  #end(why: string): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#count.closed();
    this.#watch?.close();
    this.#drained?.();
    this.#trace('closed', 0, why);
    try {
      this.#controller.close();
    } catch {
      // The client cancelled first; there is nothing left to close.
    }
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

/** A failure in the middle of a stream says that it is the server's. */
const broken = ({ status }: StatusError): Status => ({ ...status, reason: status.reason ?? 'InternalError' });

const NONE: Entry[] = [];

function tooOld(error: CompactedError): Status {
  const message = `too old resource version: ${error.requested} (${error.compacted})`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Expired', code: 410 };
}

/** The time asked for, or a random one above `--min-request-timeout`. */
function timeoutOf({ server }: ResourceContext, { timeoutSeconds }: ListOptions): number {
  if (timeoutSeconds) return timeoutSeconds * 1000;
  const least = Number(server.flag('min-request-timeout'));
  return least * 1000 * (1 + server.random.next());
}
