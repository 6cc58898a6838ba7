/** The serialization of watch events in each representation. Plain JSON events are serialized once for all watchers. */
import { parts, type ApiObject, type Resource, type Status } from '../../schema/index.ts';
import { encodeText, Recent, type SharedEvent } from '../../std/index.ts';
import type { Core, RequestContext } from '../context.ts';
import type { Accepted } from './negotiate.ts';
import { linker } from './selfLinks.ts';
import { includeObject, partialMetadata, tableOf } from './table.ts';
import type { View } from './views.ts';

export interface Frame {
  /** Undefined if the object has no such representation: the stream ends, as in the reference. */
  event(type: string, view: View, hub: View): Uint8Array | undefined;
  bookmark(revision: number): Uint8Array | undefined;
  error(status: Status): Uint8Array;
}

export function frameFor(context: RequestContext, resource: Resource, accepted: Accepted): Frame {
  const frame = plainFrame(context, resource, accepted);
  if (context.server.gate('RemoveSelfLink')) return frame;
  const link = linker(context);
  return { ...frame, event: (type, view, hub) => frame.event(type, link(view), link(hub)) };
}

function plainFrame(context: RequestContext, resource: Resource, accepted: Accepted): Frame {
  if (accepted.transform) return transformFrame(context, resource, accepted);
  if (accepted.encoding === 'protobuf') return protobufFrame(context, resource);
  return {
    event: (type, view) => eventOf(type, view).bytes(),
    bookmark: (revision) => bookmarkEvent(context.server, resource, revision).bytes(),
    error: (status) => jsonEvent('ERROR', status),
  };
}

export const jsonEvent = (type: string, object: object): Uint8Array<ArrayBuffer> =>
  encodeText(`${JSON.stringify({ type, object })}\n`);

/** The watch event of a view. It is created once and shared by watchers that receive it at about the same time. */
export function eventOf(type: string, view: View): SharedEvent {
  const known = events.get(view);
  if (known?.type === type) return known;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  const text = (): string => `{"type":"${type}","object":${view.lineOnce().slice(0, -1)}}\n`;
  return events.set(view, { type, object: view.object, bytes: () => (bytes ??= encodeText(text())) });
}

const events = new Recent<View, SharedEvent>(128);

/** An object of the kind with nothing but the revision. */
function bookmarkOf(scheme: Core['scheme'], resource: Resource, revision: number): ApiObject {
  const { metadata, ...content } = resource.declaration.blank ?? {};
  const blank = {
    kind: resource.gvk.kind,
    apiVersion: resource.apiVersion,
    metadata: { resourceVersion: String(revision), creationTimestamp: null, ...metadata },
    ...content,
  };
  return scheme.decode(resource.node, blank) as ApiObject;
}

/** A bookmark. All watches of a kind send theirs at the same moment, so they share the last one. */
export function bookmarkEvent({ scheme }: Core, resource: Resource, revision: number): SharedEvent {
  if (last?.resource !== resource || last.revision !== revision)
    last = { resource, revision, event: sharedEvent('BOOKMARK', bookmarkOf(scheme, resource, revision)) };
  return last.event;
}

let last: { readonly resource: Resource; readonly revision: number; readonly event: SharedEvent } | undefined;

/** An event that is made into bytes when somebody asks for them. */
export function sharedEvent(type: string, object: object): SharedEvent {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return { type, object, bytes: () => (bytes ??= jsonEvent(type, object)) };
}

const protobufEvent =
  ({ server }: RequestContext) =>
  (type: string, object: object): Uint8Array => {
    const { protobufWatchFrame, encodeProtobuf } = parts.protobuf.get();
    return protobufWatchFrame(type, encodeProtobuf(server.scheme, object as ApiObject));
  };

function protobufFrame(context: RequestContext, resource: Resource): Frame {
  const write = protobufEvent(context);
  return {
    event: (type, view) => write(type, view.object),
    bookmark: (revision) => write('BOOKMARK', bookmarkEvent(context.server, resource, revision).object),
    error: (status) => write('ERROR', status),
  };
}

/** Tables and partial metadata; a Table includes its columns only in the first event. */
function transformFrame(context: RequestContext, resource: Resource, accepted: Accepted): Frame {
  const { server } = context;
  const { kind, version } = accepted.transform as NonNullable<Accepted['transform']>;
  const write = accepted.encoding === 'protobuf' ? protobufEvent(context) : jsonEvent;
  const error = (status: Status): Uint8Array => write('ERROR', status);
  if (kind === 'PartialObjectMetadataList') return { event: () => undefined, bookmark: () => undefined, error };
  const include = includeObject(context.query);
  let headers = true;
  const shown = (view: View, hub: View, metadata: object): object => {
    if (kind !== 'Table') return partialMetadata(resource, hub.object, server.names, version);
    const table = tableOf(
      { resource, version, include, names: server.names, now: server.clock.now() },
      [view],
      [hub],
      metadata,
      headers,
    );
    headers = false;
    return table;
  };
  return {
    event: (type, view, hub) =>
      write(type, shown(view, hub, { resourceVersion: view.object.metadata.resourceVersion })),
    bookmark: (revision) => {
      const view = server.views.fresh(bookmarkEvent(server, resource, revision).object as ApiObject);
      return write('BOOKMARK', shown(view, view, { resourceVersion: String(revision) }));
    },
    error,
  };
}
