/** One call of a webhook: the review that goes out, the answer that comes back, its time limit (specification, Events 5). */
import { status, StatusError, type ApiObject, type Status } from '../../schema/index.ts';
import type { Trust } from '../../authn/index.ts';
import { clone, decodeText, delay, fromBase64, isObject } from '../../std/index.ts';
import type { AdmissionAttributes, PluginDeps } from '../types.ts';
import type { Invocation, Webhook } from './match.ts';

/** What a webhook answered. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  readonly patch: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The webhook could not be asked, or its answer makes no sense: `failurePolicy` decides. */
export class CallError extends Error {
  override name = 'CallError';
}

const SUPPORTED = ['v1', 'v1beta1'];

/** Asks a webhook; throws CallError where it can't be reached or understood in time. */
export async function call(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  deps: PluginDeps,
): Promise<Verdict> {
  const { webhook } = invocation;
  const version = (webhook.admissionReviewVersions ?? ['v1beta1']).find((v) => SUPPORTED.includes(v));
  if (version === undefined)
    throw new CallError(`webhook does not accept known AdmissionReview versions (${SUPPORTED.join(', ')})`);
  const uid = deps.random.uuid();
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.${deps.names.domain}/${version}`,
    request: requestOf(uid, invocation, attributes, deps),
  };
  const answer = await post(webhook, review, deps);
  return readAnswer(answer, uid, version, review.apiVersion);
}

function requestOf(uid: string, { resource }: Invocation, attributes: AdmissionAttributes, deps: PluginDeps): object {
  const { operation, kind, subresource, name, namespace, user, object, oldObject, dryRun, options } = attributes;
  const shown = (o: ApiObject | undefined): unknown =>
    o === undefined ? null : inVersion(o, resource, deps, subresource);
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
    object: shown(object),
    oldObject: shown(oldObject),
    dryRun,
    options: options ?? null,
  };
}

/** The object as the webhook asked for it; plugins work on the hub version. */
function inVersion(
  object: ApiObject,
  resource: Invocation['resource'],
  { scheme }: PluginDeps,
  subresource: string,
): ApiObject {
  if (object.kind !== undefined && object.kind !== resource.gvk.kind && subresource !== '') return object;
  return scheme.convert(clone(object), resource.hub, resource);
}

/** Sends the review and waits for the answer, by the cluster's clock. */
async function post(webhook: Webhook, review: object, deps: PluginDeps): Promise<unknown> {
  const seconds = webhook.timeoutSeconds ?? 10;
  const url = urlOf(webhook, seconds);
  const abort = new AbortController();
  const request = new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(review),
    signal: abort.signal,
  });
  const late = delay(deps.clock, seconds * 1000, abort.signal).then(() => {
    if (!abort.signal.aborted) throw new CallError(`Post ${JSON.stringify(url)}: context deadline exceeded`);
  });
  try {
    return await Promise.race([
      exchange(request, url, webhook, deps),
      late.then(() => Promise.reject(new CallError('aborted'))),
    ]);
  } finally {
    abort.abort();
    late.catch(() => undefined);
  }
}

async function exchange(request: Request, url: string, webhook: Webhook, deps: PluginDeps): Promise<unknown> {
  try {
    const response = await deps.fetch(request, trustOf(webhook));
    const text = await response.text();
    if (!response.ok) throw new CallError(`the server answered ${response.status}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError(`Post ${JSON.stringify(url)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A service is reached under its name in the cluster; the time limit goes along as a parameter. */
function urlOf({ clientConfig }: Webhook, seconds: number): string {
  const { service, url } = clientConfig;
  const base = service
    ? `https://${service.name}.${service.namespace}.svc${portOf(service.port)}${service.path ?? '/'}`
    : (url ?? '');
  try {
    const parsed = new URL(base);
    parsed.searchParams.set('timeout', `${seconds}s`);
    return parsed.toString();
  } catch {
    throw new CallError(`${JSON.stringify(base)} is no URL`);
  }
}

/** No bundle: only what the system trusts. */
function trustOf({ clientConfig: { caBundle } }: Webhook): Trust {
  const bytes = caBundle ? fromBase64(caBundle) : undefined;
  return bytes ? { authorities: decodeText(bytes) } : {};
}

const portOf = (port: number | undefined): string => (port === undefined || port === 443 ? '' : `:${port}`);

function readAnswer(answer: unknown, uid: string, version: string, apiVersion: string): Verdict {
  if (!isObject(answer) || !isObject(answer['response'])) throw new CallError('webhook response was absent');
  const { response } = answer;
  if (version === 'v1') requireV1(answer, response as Record<string, unknown>, uid, apiVersion);
  const { allowed, status: said, patch, patchType, warnings, auditAnnotations } = response as Record<string, unknown>;
  if (patch !== undefined && patchType !== undefined && patchType !== 'JSONPatch')
    throw new CallError(`unsupported patch type ${JSON.stringify(patchType)}`);
  if (version === 'v1' && patch !== undefined && patchType === undefined)
    throw new CallError('webhook returned response.patch but not response.patchType');
  return {
    allowed: allowed === true,
    status: isObject(said) ? (said as Partial<Status>) : undefined,
    patch: patch === undefined || patch === null ? undefined : decodePatch(patch),
    warnings: Array.isArray(warnings) ? warnings.filter((w) => typeof w === 'string') : [],
    auditAnnotations: isObject(auditAnnotations) ? (auditAnnotations as Record<string, string>) : {},
  };
}

/** v1 is strict about saying what the answer is, and to what. */
function requireV1(
  answer: Record<string, unknown>,
  response: Record<string, unknown>,
  uid: string,
  apiVersion: string,
): void {
  if (answer['kind'] !== 'AdmissionReview' || answer['apiVersion'] !== apiVersion)
    throw new CallError(
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${String(answer['apiVersion'])}, Kind=${String(answer['kind'])}`,
    );
  if (response['uid'] !== uid)
    throw new CallError(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'])}`);
}

function decodePatch(patch: unknown): unknown {
  try {
    return JSON.parse(atob(String(patch)));
  } catch {
    throw new CallError('the patch is not base64 of JSON');
  }
}

/** The refusal that a webhook's answer means for the client. */
export function refusal(name: string, said: Partial<Status> | undefined): StatusError {
  const head = `admission webhook ${JSON.stringify(name)} denied the request`;
  const code = said?.code ?? 400;
  const message = said?.message
    ? `${head}: ${said.message}`
    : said?.reason
      ? `${head}: ${said.reason}`
      : `${head} without explanation`;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(said?.reason ? { reason: said.reason } : {}),
    ...(said?.details ? { details: said.details } : {}),
    code: code < 400 ? 400 : code,
  });
}

/** What happens when a webhook can't be asked: nothing (Ignore) or a 500 (Fail). */
export function failed(webhook: Webhook, error: CallError): StatusError | undefined {
  if (webhook.failurePolicy === 'Ignore') return undefined;
  return status.internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
}

/** A dry run may not reach a webhook that would do more than answer. */
export function requireDryRun(webhook: Webhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || webhook.sideEffects === 'None' || webhook.sideEffects === 'NoneOnDryRun') return;
  throw status.badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
}
