/** Turns a request's body into an object: decoded by its type, defaulted, converted to the hub version. */
import {
  DecodeError,
  field,
  groupVersionOf,
  parts,
  status,
  type ApiObject,
  type Node,
  type Resource,
} from '../../schema/index.ts';
import { keepEmptyOwners, type PatchBody } from '../../merge/index.ts';
import { clone, isObject, JsonBody, toHex, WholeRequest, yieldToTasks } from '../../std/index.ts';
import { noteSize, type RequestContext } from '../context.ts';
import { tellRequestBody } from '../stages/bodies.ts';
import { bodyText, parseJson, parseYaml, readBody, SyntaxProblem } from './body.ts';
import { noteEmpties } from './empties.ts';
import { checkNumbers, mayHaveSpecialNumbers } from './numbers.ts';
import { bodyEncoding, type Encoding } from './negotiate.ts';

/** The object that the client sent, in the version of the request, with defaults. */
export async function readObject(context: RequestContext, resource: Resource): Promise<ApiObject> {
  const encoding = formOfBody(context, resource);
  return readAs(context, resource, await readSent(context), encoding);
}

/** The declared encoding of the body; throws 415. */
export function formOfBody({ request, server }: RequestContext, resource: Resource): Encoding {
  const encoding = bodyEncoding(request.headers.get('content-type'), server.names);
  if (encoding === 'protobuf' && resource.custom)
    throw status.unsupportedMediaType(['application/json', 'application/yaml']);
  return encoding;
}

/** A body as it was sent: its bytes, or the value if the client is a component of this process. */
type Sent = Uint8Array | JsonBody;

/** A larger value is read as text, so that the limit of a body's size holds. */
const LARGEST_VALUE = 1024 * 1024;

/** The raw body, read once; throws 413. */
export function readSent(context: RequestContext): Sent | Promise<Sent> {
  return valueSent(context) ?? readBytes(context);
}

function valueSent(context: RequestContext): JsonBody | undefined {
  const { request, fromOutside } = context;
  const shared = request instanceof WholeRequest && !fromOutside ? request.shared : undefined;
  if (!shared || shared.size > LARGEST_VALUE) return undefined;
  noteSize(context, shared.size);
  return shared;
}

async function readBytes(context: RequestContext): Promise<Uint8Array> {
  if (context.body) return context.body;
  const bytes = await readBody(context.request);
  context.body = bytes;
  noteSize(context, bytes.length);
  tellRequestBody(context, bytes);
  return bytes;
}

/** Decodes the object in a body, and records it for the audit. Throws 400, and for a custom object of another kind 422. */
export async function readAs(
  context: RequestContext,
  resource: Resource,
  sent: Sent,
  encoding: Encoding,
): Promise<ApiObject> {
  const object = await readOfAnyKind(context, resource, sent, encoding);
  requireCustomKind(resource, object);
  return object;
}

/** Like readAs, but leaves it to the caller to call `requireCustomKind`. */
export async function readOfAnyKind(
  context: RequestContext,
  resource: Resource,
  sent: Sent,
  encoding: Encoding,
): Promise<ApiObject> {
  const isValue = sent instanceof JsonBody;
  const raw = isValue ? valueFor(resource, sent) : parseSent(context, resource, sent, encoding);
  if (context.isLarge) await yieldToTasks();
  // A value has no special numbers.
  const text = encoding === 'json' && !isValue ? bodyText(sent) : '';
  const object = toObject(context, resource, raw, text);
  const { group, version } = context.info;
  context.audit?.requested(object, resource.gvr.group === group && resource.gvr.version === version);
  if (context.isLarge) await yieldToTasks();
  return object;
}

/** Decoding copies a built-in object. A custom one keeps its parts, and the next try needs them as they were sent. */
const valueFor = ({ custom }: Resource, { value }: JsonBody): unknown => (custom ? clone(value) : value);

/**
 * The raw patch of any type. What a custom object shares with its patch may be changed later, and the next try needs the
 * patch as it was sent, so that it takes a text.
 */
export async function readPatch(context: RequestContext, { custom }: Resource): Promise<PatchBody> {
  const body = (custom ? undefined : valueSent(context)) ?? bodyText(await readBytes(context));
  if (context.audit?.covers('Request')) context.audit.patched(typeof body === 'string' ? asJson(body) : body.text);
  return body;
}

/** The text if it is valid JSON; otherwise the text as a JSON string. */
function asJson(text: string): string {
  try {
    return JSON.stringify(parseYaml(text));
  } catch {
    return JSON.stringify(text);
  }
}

/** Decodes and defaults a parsed value; throws 400 if it is not an object of this kind and version. */
export function toObject(context: RequestContext, resource: Resource, raw: unknown, text: string): ApiObject {
  const { scheme } = context.server;
  const typed = requireKind(resource, raw, scheme.byKind.bind(scheme));
  try {
    if (mayHaveSpecialNumbers(text)) checkNumbers(nodeOf(resource), text, context.warnings);
    const object = scheme.decode(resource.node, typed, 'sent') as ApiObject;
    keepEmptyOwners(object, typed);
    noteEmpties(context, resource, typed);
    scheme.applyDefaults(resource, object);
    return object;
  } catch (error) {
    if (error instanceof DecodeError)
      throw status.badRequest(
        `${resource.gvk.kind} in version ${JSON.stringify(resource.gvk.version)} cannot be handled as a ${resource.gvk.kind}: ${error.message}`,
      );
    throw error;
  }
}

/** The type whose integers are checked. Custom objects are decoded without a type and validated later. */
export const nodeOf = ({ custom, node }: Resource): Node => (custom ? { type: 'open' } : node);

/** The value in a body of any kind; throws SyntaxProblem or DecodeError. */
export function parseBody({ server }: Pick<RequestContext, 'server'>, bytes: Uint8Array, encoding: Encoding): unknown {
  if (encoding === 'protobuf') return parts.protobuf.get().decodeProtobuf(server.scheme, bytes);
  const text = bodyText(bytes);
  // An empty YAML text is an empty object; an empty JSON text is an error.
  return encoding === 'json' ? parseJson(text) : (parseYaml(text) ?? {});
}

/** The value in a body that is to be of a kind; throws 400 for a syntax error. */
function parseSent(context: RequestContext, { gvk }: Resource, bytes: Uint8Array, encoding: Encoding): unknown {
  try {
    return parseBody(context, bytes, encoding);
  } catch (error) {
    if (error instanceof SyntaxProblem || error instanceof DecodeError)
      throw unrecognized(gvk.kind, error.message, bytes);
    throw error;
  }
}

/** Says that a body is not of any kind, and how it begins: as text if that looks like JSON, otherwise in hexadecimal. */
function unrecognized(kind: string, problem: string, bytes: Uint8Array): Error {
  const start = bytes.subarray(0, SHOWN_BYTES);
  const shown = bytes[0] === 0x7b ? bodyText(start) : toHex(start);
  const more = bytes.length > SHOWN_BYTES ? ' ...' : '';
  return status.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${problem} (${shown || '<empty>'}${more})`,
  );
}

const SHOWN_BYTES = 30;

type Lookup = (gvk: { group: string; version: string; kind: string }) => unknown;

/** Sets missing kind and version; refuses those that differ from the request's. */
function requireKind(resource: Resource, sent: unknown, known: Lookup): Record<string, unknown> {
  const raw = sent ?? {};
  if (!isObject(raw))
    throw status.badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: not an object`,
    );
  const [kind, apiVersion] = [raw['kind'] ?? '', raw['apiVersion'] ?? ''];
  if (typeof kind !== 'string' || typeof apiVersion !== 'string')
    throw status.badRequest("couldn't get version/kind; json parse error");
  if (resource.custom) return requireCustomVersion(resource, raw, kind, apiVersion);
  const wantedKind = kind === '' ? resource.gvk.kind : kind;
  const wantedVersion = apiVersion === '' ? resource.apiVersion : apiVersion;
  if (wantedKind === resource.gvk.kind && wantedVersion === resource.apiVersion)
    return { ...raw, kind: wantedKind, apiVersion: wantedVersion };
  const { group, version } = groupVersionOf(wantedVersion);
  if (!known({ group, version, kind: wantedKind }))
    throw status.badRequest(
      `no kind ${JSON.stringify(wantedKind)} is registered for version ${JSON.stringify(wantedVersion)}`,
    );
  if (wantedVersion !== resource.apiVersion)
    throw status.badRequest(
      `the API version in the data (${wantedVersion}) does not match the expected API version (${resource.apiVersion})`,
    );
  throw status.badRequest(
    `${wantedKind} in version ${JSON.stringify(version)} cannot be handled as a ${resource.gvk.kind}: converting: unknown conversion`,
  );
}

/** Custom objects must have a kind, and the version of the request unless they have none. */
function requireCustomVersion(
  resource: Resource,
  raw: Record<string, unknown>,
  kind: string,
  apiVersion: string,
): Record<string, unknown> {
  if (kind === '') throw status.badRequest("Object 'Kind' is missing");
  if (apiVersion === '' || apiVersion === resource.apiVersion) return raw;
  throw status.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
  );
}

/**
 * A custom object of another kind is invalid. The reference answers a missing version with an internal error. An update is
 * checked only after the existing object was found and its version compared.
 */
export function requireCustomKind(resource: Resource, { apiVersion, kind, metadata }: Partial<ApiObject>): void {
  if (!resource.custom) return;
  if (!apiVersion) throw status.internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  if (kind === resource.gvk.kind) return;
  const errors = [field.invalid('kind', kind, `must be ${resource.gvk.kind}`)];
  throw status.invalid({ group: resource.gvk.group, kind: kind ?? '' }, metadata?.name ?? '', errors);
}

/** Converts to the hub version, which rules, admission and storage use. */
export function toHub(context: RequestContext, resource: Resource, object: ApiObject): ApiObject {
  return context.server.scheme.convert(object, resource, resource.hub);
}
