/** The review for a webhook, and the validation of its answer (specification, Admission webhook configurations). */
import type { ApiObject, Resource, Status } from '../../schema/index.ts';
import { clone, decodeText, fromBase64, isObject } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import type { Invocation } from './match.ts';
import { CallError } from './post.ts';

/** A webhook's answer. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  /** The text of a JSON patch; empty if there is none. */
  readonly patch: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The review, and what is needed to check the answer. */
export interface Review {
  readonly uid: string;
  readonly version: (typeof SUPPORTED)[number];
  readonly apiVersion: string;
  readonly body: object;
}

const SUPPORTED = ['v1', 'v1beta1'] as const;

/**
 * Creates the review in the first version that both the webhook and the server support. Throws CallError if there is
 * none.
 */
export async function createReview(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Promise<Review> {
  const listed = invocation.webhook.admissionReviewVersions ?? ['v1beta1'];
  const version = listed.flatMap((v) => SUPPORTED.filter((known) => known === v))[0];
  if (version === undefined)
    throw new CallError(`webhook does not accept known AdmissionReview versions (${SUPPORTED.join(', ')})`);
  const uid = deps.random.uuid();
  const apiVersion = deps.names.fill(`admission.{domain}/${version}`);
  const body = { kind: 'AdmissionReview', apiVersion, request: await requestOf(uid, invocation, attributes, deps) };
  return { uid, version, apiVersion, body };
}

async function requestOf(
  uid: string,
  { resource }: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Promise<object> {
  const { operation, kind, subresource, name, namespace, user, object, oldObject, dryRun, options } = attributes;
  const shown = (o: ApiObject | undefined): unknown =>
    o === undefined ? null : inVersion(o, attributes, resource, deps);
  const extra = Object.keys(user.extra).length > 0 ? { extra: user.extra } : {};
  return {
    uid,
    kind: subresource === '' ? resource.gvk : kind,
    resource: resource.gvr,
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kind,
    requestResource: attributes.resource,
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: { username: user.name, ...(user.uid ? { uid: user.uid } : {}), groups: user.groups, ...extra },
    object: await shown(object),
    oldObject: await shown(oldObject),
    dryRun,
    options: options ?? null,
  };
}

/** The object in the webhook's version; plugins use the hub version. Throws StatusError. */
function inVersion(
  object: ApiObject,
  { subresource, resource: requested }: AdmissionAttributes,
  resource: Invocation['resource'],
  { scheme }: PluginDeps,
): ApiObject | Promise<ApiObject> {
  if (object.kind !== undefined && object.kind !== resource.gvk.kind && subresource !== '') return object;
  return scheme.converted(clone(object), sourceOf(scheme, requested, resource), resource);
}

/** The version in which plugins see an object: for a custom one that of the request. */
export function sourceOf(
  scheme: PluginDeps['scheme'],
  requested: AdmissionAttributes['resource'],
  resource: Resource,
): Resource {
  return resource.custom ? (scheme.byResource(requested) ?? resource) : resource.hub;
}

/** Parses an answer; `v1` needs kind, version and uid, and only mutating webhooks may patch. Throws CallError. */
export function readAnswer(answer: unknown, review: Review, mutating: boolean, names: PluginDeps['names']): Verdict {
  if (!isObject(answer)) throw new CallError("couldn't get version/kind; json parse error: the answer is no object");
  const { response } = answer;
  if (!isObject(response)) throw new CallError('webhook response was absent');
  if (review.version === 'v1') {
    requireIdentity(answer, response, review, names);
    requirePatchType(response, mutating);
  }
  const { allowed, status, warnings, auditAnnotations } = response;
  if (allowed != null && typeof allowed !== 'boolean')
    throw new CallError(`response.allowed has to be true or false, got ${JSON.stringify(allowed)}`);
  const patch = mutating ? textOf(response.patch) : '';
  if (patch !== '' && review.version === 'v1' && response.patchType !== 'JSONPatch')
    throw new CallError(`unsupported patch type ${JSON.stringify(response.patchType)}`);
  return {
    allowed: allowed === true,
    status: statusOf(status),
    patch,
    warnings: Array.isArray(warnings) ? warnings.filter((w) => typeof w === 'string') : [],
    auditAnnotations: textsOf(auditAnnotations),
  };
}

function requireIdentity(
  answer: Fields,
  response: Fields,
  { uid, apiVersion }: Review,
  names: PluginDeps['names'],
): void {
  if (response.uid !== uid)
    throw new CallError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  const { apiVersion: given, kind } = answer;
  if (given === apiVersion && kind === 'AdmissionReview') return;
  const expected = names.fill('admission.{domain}/v1, Kind=AdmissionReview');
  const got = given === undefined ? '/' : String(given);
  throw new CallError(`expected webhook response of ${expected}, got ${got}, Kind=${String(kind ?? '')}`);
}

function requirePatchType({ patch, patchType }: Fields, mutating: boolean): void {
  const [hasPatch, hasType] = [patch != null && patch !== '', patchType != null];
  if (!mutating && hasPatch) throw new CallError('validating webhook may not return response.patch');
  if (!mutating && hasType) throw new CallError('validating webhook may not return response.patchType');
  if (hasPatch && !hasType) throw new CallError('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw new CallError('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new CallError('webhook returned invalid response.patchType of ""');
}

/** The refusal's status is sent to the client, so each field must have its type. */
function statusOf(status: unknown): Partial<Status> | undefined {
  if (!isObject(status)) return undefined;
  const { code, message, reason } = status;
  if (code != null && !Number.isInteger(code))
    throw new CallError(`response.status.code has to be a whole number, got ${JSON.stringify(code)}`);
  for (const [name, text] of Object.entries({ message, reason }))
    if (text != null && typeof text !== 'string')
      throw new CallError(`response.status.${name} has to be a string, got ${JSON.stringify(text)}`);
  return status;
}

function textOf(patch: unknown): string {
  if (patch === undefined || patch === null) return '';
  const bytes = typeof patch === 'string' ? fromBase64(patch) : undefined;
  if (!bytes) throw new CallError('illegal base64 data in response.patch');
  return decodeText(bytes);
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}
