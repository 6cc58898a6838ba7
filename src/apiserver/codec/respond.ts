/** Turns a handler's answer into the response that the client requested. */
import type { Answer, ObjectAnswer } from './answer.ts';
import type { Names } from '../../names/index.ts';
import { parts, status, type ApiObject, type Resource, type Status } from '../../schema/index.ts';
import { inTurns, PlainHeaders, sortKeys, WholeResponse } from '../../std/index.ts';
import type { RequestContext } from '../context.ts';
import { isRouted, mediaTypeOf, negotiate, negotiateError, type Accepted, type Encoding } from './negotiate.ts';
import { PRIVATE, textResponse } from './textResponse.ts';
import { withSelfLinks } from './selfLinks.ts';
import { includeObject, partialMetadata, tableOf } from './table.ts';
import type { View } from './views.ts';
import { yamlWriter } from './yamlWriter.ts';

/** A response, or one that is still being written. */
type Responding = Response | Promise<Response>;

const ALL: readonly Encoding[] = ['json', 'yaml', 'protobuf'];
/** The representation that this request wants of a resource; throws 406. */
export function acceptedBy(context: RequestContext, resource: Resource | undefined): Accepted {
  const custom = resource?.custom !== undefined;
  const offer = { encodings: ALL, transforms: true, tables: custom || hasTable(context, resource), custom };
  return negotiate(context.request.headers.get('accept'), offer, context.server.names);
}

/** Subresources, and objects that are computed and never listed, have no Table. */
function hasTable({ info }: RequestContext, resource: Resource | undefined): boolean {
  return info.subresource === '' && (resource === undefined || resource.verbs.length > 1);
}

/** Whether the reference's router would pass the request on to its handler: its own refusals carry no warnings. */
export function passesRouter({ request, server }: RequestContext): boolean {
  const accept = request.headers.get('accept') ?? '';
  return (
    accept === '' ||
    isRouted(
      accept,
      ALL.map((encoding) => mediaTypeOf(encoding, server.names)),
    )
  );
}

/** The same for a document without transformations. */
function bareBy({ request, server }: RequestContext, unrouted: boolean): Accepted {
  return negotiate(request.headers.get('accept'), { encodings: ALL, transforms: false, unrouted }, server.names);
}

/** The response for an answer. Large answers are written in steps if the format allows it, and then awaited. */
export function respond(context: RequestContext, answered: Answer): Responding {
  if (answered.type === 'response') return answered.response;
  if (answered.type === 'document') {
    const accepted = answered.router === undefined ? acceptedBy(context, undefined) : bareBy(context, !answered.router);
    return documentResponse(answered.value, answered.code, { ...accepted, transform: undefined }, context);
  }
  const accepted = acceptedBy(context, answered.resource);
  const answer = withSelfLinks(context, answered);
  if (accepted.transform) return transformed(context, answer, accepted);
  if (answer.type === 'object') return objectResponse(context, answer.view(answer.resource), answer.code, accepted);
  return listResponse(context, answer, accepted);
}

function objectResponse(context: RequestContext, view: View, code: number, accepted: Accepted): Responding {
  if (accepted.encoding === 'json' && !wantsPretty(context, accepted)) {
    if (context.fromOutside || !Object.isFrozen(view.object))
      return jsonResponse(context.info.verb === 'get' ? view.line() : view.lineOnce(), code);
    // The cluster's own components take the object; it is serialized only if somebody reads the text.
    return new WholeResponse(
      () => view.lineOnce(),
      { status: code, headers: JSON_OK.headers },
      { object: view.object },
    );
  }
  if (accepted.encoding === 'protobuf')
    return bytesResponse(
      parts.protobuf.get().encodeProtobuf(context.server.scheme, view.object),
      code,
      accepted.mediaType,
    );
  return documentResponse(view.object, code, accepted, context);
}

type ListAnswer = Extract<Answer, { type: 'list' }>;

function listResponse(context: RequestContext, answer: ListAnswer, accepted: Accepted): Responding {
  const { resource } = answer;
  // Lists of custom objects always have `continue`.
  const metadata = resource.custom ? { continue: '', ...answer.metadata } : answer.metadata;
  if (accepted.encoding === 'json' && !wantsPretty(context, accepted)) return readLater(resource, answer, metadata);
  const { listKind: kind, apiVersion } = resource;
  const items = answer.views(resource).map((view) => itemOf(resource, view));
  const list = resource.custom
    ? { apiVersion, items, kind, metadata: sortKeys(metadata) }
    : { kind, apiVersion, metadata, items };
  if (accepted.encoding === 'protobuf')
    return bytesResponse(parts.protobuf.get().encodeProtobuf(context.server.scheme, list), 200, accepted.mediaType);
  return documentResponse(list, 200, accepted, context);
}

/** A list as text or as objects, of which nothing is decoded for who reads neither, as after the deletion of a collection. */
function readLater(resource: Resource, { views }: ListAnswer, metadata: ListAnswer['metadata']): Response {
  let objects: readonly object[] | undefined;
  const list = {
    ...{ kind: resource.listKind, apiVersion: resource.apiVersion, metadata },
    get items() {
      return (objects ??= views(resource).map((view) => view.object));
    },
  };
  return new WholeResponse(() => listText(resource, views(resource), metadata), JSON_OK, { list });
}

/** Joins the texts of the items; only the frame is serialized. */
function listText(resource: Resource, views: readonly View[], metadata: object): string {
  const { listKind, apiVersion, gvk } = resource;
  if (resource.custom) return customListText(resource, views, metadata);
  const frame = JSON.stringify({ kind: listKind, apiVersion, metadata });
  const head = `{"kind":${JSON.stringify(gvk.kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  const items = views.map((view) => itemText(resource, view, head));
  // The frame becomes part of the first item: wrapping the joined items would copy them once more.
  items[0] = `${frame.slice(0, -1)},"items":[${items[0] ?? ''}`;
  items.push(`${items.pop()}]}\n`);
  return items.join(',');
}

/** The same for custom objects: as in the reference their keys are sorted at every level. */
function customListText({ listKind: kind, apiVersion }: Resource, views: readonly View[], metadata: object): string {
  const items = views.map((view) => view.json());
  const rest = JSON.stringify({ kind, metadata: sortKeys(metadata) });
  items[0] = `{"apiVersion":${JSON.stringify(apiVersion)},"items":[${items[0] ?? ''}`;
  items.push(`${items.pop()}],${rest.slice(1)}\n`);
  return items.join(',');
}

/** Items of built-in kinds omit kind and apiVersion, which are the text's `head`; items of custom kinds keep them. */
function itemText(resource: Resource, view: View, head: string): string {
  const text = view.json();
  return text.startsWith(head) ? `{${text.slice(head.length)}` : JSON.stringify(itemOf(resource, view));
}

export function itemOf(resource: Resource, view: View): object {
  if (resource.custom) return view.object;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = view.object;
  return rest;
}

function transformed(context: RequestContext, answer: ObjectAnswer, accepted: Accepted): Responding {
  const { server } = context;
  const { kind, version } = accepted.transform as NonNullable<Accepted['transform']>;
  const code = answer.type === 'object' ? answer.code : 200;
  if (kind === 'Table') return documentResponse(table(context, answer, version), code, accepted, context);
  if (answer.type === 'object') {
    if (kind !== 'PartialObjectMetadata')
      throw notAcceptable(`you requested ${kind}, but the requested object is not a list`);
    const hub = answer.view(answer.resource.hub).object;
    return documentResponse(partialMetadata(answer.resource, hub, server.names, version), code, accepted, context);
  }
  if (kind !== 'PartialObjectMetadataList')
    throw notAcceptable(`you requested ${kind}, but the requested object is a list`);
  const { resource } = answer;
  const items = answer.views(resource.hub).map((view) => partialMetadata(resource, view.object, server.names, version));
  const { remainingItemCount: _, ...metadata } = answer.metadata;
  const list = {
    kind,
    apiVersion: `meta.${server.names.domain}/${version}`,
    metadata,
    items: items.length > 0 ? items : null,
  };
  return documentResponse(list, code, accepted, context);
}

/** A 406 without details: the endpoint has such a representation, but not for this answer. */
function notAcceptable(message: string): Error {
  return new status.StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NotAcceptable',
    code: 406,
  });
}

function table(context: RequestContext, answer: ObjectAnswer, version: 'v1' | 'v1beta1'): object {
  const { server } = context;
  const { resource } = answer;
  const request = {
    resource,
    version,
    include: includeObject(context.query),
    names: server.names,
    now: server.clock.now(),
  };
  if (answer.type === 'list')
    return tableOf(request, answer.views(resource), answer.views(resource.hub), answer.metadata);
  const view = answer.view(resource);
  const { resourceVersion, selfLink } = view.object.metadata;
  return tableOf(request, [view], [answer.view(resource.hub)], {
    ...(selfLink ? { selfLink } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  });
}

/** A value in the accepted encoding. YAML is written in steps, because it takes longest. */
function documentResponse(value: object, code: number, accepted: Accepted, context: RequestContext): Responding {
  if (accepted.encoding !== 'yaml') return smallResponse(value, code, accepted, context);
  return inTurns(yamlWriter.get().yamlSteps(value)).then((text) => textResponse(text, code, accepted.mediaType));
}

/** The same synchronously, for a small value. */
function smallResponse(value: object, code: number, accepted: Accepted, context?: RequestContext): Response {
  if (accepted.encoding === 'yaml') return textResponse(yamlWriter.get().yamlText(value), code, accepted.mediaType);
  if (accepted.encoding === 'protobuf' && context) {
    const bytes = parts.protobuf.get().encodeProtobuf(context.server.scheme, value as ApiObject);
    return bytesResponse(bytes, code, accepted.mediaType);
  }
  const pretty = context ? wantsPretty(context, accepted) : accepted.pretty;
  return jsonResponse(pretty ? `${JSON.stringify(value, undefined, 2)}` : `${JSON.stringify(value)}\n`, code);
}

const BROWSERS = /^(curl|Wget|Mozilla\/5\.0)/;
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** The `pretty` parameter decides; by default output for people is pretty. */
function wantsPretty(context: RequestContext, accepted: Accepted): boolean {
  const asked = context.query.get('pretty');
  if (asked) return TRUE.has(asked);
  return accepted.pretty || BROWSERS.test(context.request.headers.get('user-agent') ?? '');
}

const jsonResponse = (text: string, code: number): Response =>
  new WholeResponse(text, { status: code, headers: JSON_OK.headers });

const JSON_OK = { status: 200, headers: new PlainHeaders({ ...PRIVATE, 'content-type': 'application/json' }) };

function bytesResponse(bytes: Uint8Array<ArrayBuffer>, code: number, contentType: string): Response {
  return new WholeResponse(bytes, { status: code, headers: { ...PRIVATE, 'content-type': contentType } });
}

/** The failure may be that the writer of this encoding could not be loaded. */
function canWrite(encoding: Encoding, context: RequestContext | undefined): boolean {
  if (encoding === 'protobuf') return context !== undefined && parts.protobuf.loaded;
  return encoding !== 'yaml' || yamlWriter.loaded;
}

/** A client that accepts no encoding of a failure gets it as indented JSON. */
function failureResponse(
  failure: Status,
  accepted: Accepted | undefined,
  names: Names,
  context: RequestContext | undefined,
): Response {
  if (!accepted) return jsonResponse(JSON.stringify(failure, undefined, 2), failure.code);
  const encoding = canWrite(accepted.encoding, context) ? accepted.encoding : 'json';
  const form = { ...accepted, encoding, mediaType: mediaTypeOf(encoding, names), transform: undefined };
  return smallResponse(failure, failure.code, form, context);
}

/** The response for a failure; it is sent regardless of what the client accepts. */
export function statusResponse(
  failure: Status,
  accept: string | null,
  names: Names,
  context?: RequestContext,
): Response {
  const response = failureResponse(failure, negotiateError(accept, names), names, context);
  if (failure.details?.retryAfterSeconds)
    response.headers.set('retry-after', String(failure.details.retryAfterSeconds));
  return response;
}
