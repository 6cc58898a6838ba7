/** The destination of a watch's events: a byte stream or, for components in this process, the objects themselves. */
import type { ApiObject, Resource, Status } from '../../schema/index.ts';
import { EventsResponse, Handover, type SharedEvent } from '../../std/index.ts';
import type { Entry } from '../../storage/index.ts';
import type { Core, RequestContext } from '../context.ts';
import { bookmarkEvent, eventOf, frameFor, sharedEvent, type Frame } from './frames.ts';
import type { Accepted } from './negotiate.ts';
import { partialMetadata } from './table.ts';
import type { View } from './views.ts';

export interface Outlet {
  /** Whether the client is so slow that the watch pauses; storage ends the watch when its backlog grows too long. */
  readonly isFull: boolean;
  /** Sends an event; returns its size in bytes, or undefined if the object has no such representation. */
  event(type: string, view: View, hub: View, stored: Entry | undefined): number | undefined;
  /** Returns false if a bookmark has no such representation. */
  bookmark(revision: number): boolean;
  error(status: Status): void;
  close(): void;
  /** The response that delivers the events. */
  response(init: ResponseInit): Response;
}

interface Client {
  /** Called when there is room again. */
  drained(): void;
  /** Called when the reader is gone. */
  gone(): void;
}

export function outletFor(context: RequestContext, resource: Resource, accepted: Accepted, client: Client): Outlet {
  const takesObjects = !context.fromOutside && accepted.encoding === 'json' && context.server.gate('RemoveSelfLink');
  const { transform } = accepted;
  if (takesObjects && (!transform || transform.kind === 'PartialObjectMetadata'))
    return new ObjectOutlet(context.server, resource, client, transform?.version);
  return new ByteOutlet(frameFor(context, resource, accepted), client);
}

const HIGH_WATER_BYTES = 256 * 1024;

class ByteOutlet implements Outlet {
  readonly #frame: Frame;
  readonly #stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor(frame: Frame, client: Client) {
    this.#frame = frame;
    this.#stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => client.drained(),
        cancel: () => client.gone(),
      },
      { highWaterMark: HIGH_WATER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
    );
  }

  get isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0;
  }

  event(type: string, view: View, hub: View): number | undefined {
    const bytes = this.#frame.event(type, view, hub);
    if (bytes) this.#controller.enqueue(bytes);
    return bytes?.byteLength;
  }

  bookmark(revision: number): boolean {
    const bytes = this.#frame.bookmark(revision);
    if (bytes) this.#controller.enqueue(bytes);
    return bytes !== undefined;
  }

  error(status: Status): void {
    this.#controller.enqueue(this.#frame.error(status));
  }

  close(): void {
    try {
      this.#controller.close();
    } catch {
      // The client cancelled first; there is nothing left to close.
    }
  }

  response(init: ResponseInit): Response {
    return new Response(this.#stream, init);
  }
}

const HIGH_WATER_EVENTS = 256;

/** The approximate size of an event besides its stored object: type, braces and revision. */
const AROUND_OBJECT = 60;

type MetadataVersion = NonNullable<Accepted['transform']>['version'];

class ObjectOutlet implements Outlet {
  readonly #server: Core;
  readonly #resource: Resource;
  readonly #metadataVersion: MetadataVersion | undefined;
  readonly #events: Handover<SharedEvent>;

  /** `metadataVersion` is the version of `PartialObjectMetadata` that the client asked for. If undefined, whole objects are sent. */
  constructor(server: Core, resource: Resource, client: Client, metadataVersion?: MetadataVersion) {
    this.#server = server;
    this.#resource = resource;
    this.#metadataVersion = metadataVersion;
    this.#events = new Handover(HIGH_WATER_EVENTS, client);
  }

  get isFull(): boolean {
    return this.#events.isFull;
  }

  /** Nothing is serialized to measure it: the size is that of the stored object. */
  event(type: string, view: View, hub: View, stored: Entry | undefined): number {
    this.#events.give(this.#metadataVersion === undefined ? eventOf(type, view) : this.#reduced(type, hub.object));
    return (stored?.value.length ?? 0) + AROUND_OBJECT;
  }

  bookmark(revision: number): boolean {
    const bookmark = bookmarkEvent(this.#server, this.#resource, revision);
    this.#events.give(
      this.#metadataVersion === undefined ? bookmark : this.#reduced('BOOKMARK', bookmark.object as ApiObject),
    );
    return true;
  }

  error(status: Status): void {
    this.#events.give(sharedEvent('ERROR', status));
  }

  close(): void {
    this.#events.close();
  }

  response(init: ResponseInit): Response {
    return new EventsResponse(this.#events, init);
  }

  #reduced(type: string, object: ApiObject): SharedEvent {
    const { names } = this.#server;
    return sharedEvent(type, partialMetadata(this.#resource, object, names, this.#metadataVersion as MetadataVersion));
  }
}
