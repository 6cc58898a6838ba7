/** The review for a conversion webhook, and the validation of its answer. */
import { CallError } from '../../../admission/index.ts';
import type { Names } from '../../../names/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { isObject, getOwn } from '../../../std/index.ts';
import { withOwnMetadata } from './metadata.ts';

type Fields = Readonly<Record<string, unknown>>;

const SUPPORTED = ['v1', 'v1beta1'] as const;

/** The review, and what is needed to check the answer. */
export interface Review {
  readonly uid: string;
  readonly version: (typeof SUPPORTED)[number];
  /** The API version of the review itself. */
  readonly apiVersion: string;
  readonly desired: string;
  readonly objects: readonly ApiObject[];
  readonly body: object;
}

export interface ConversionRequest {
  readonly uid: string;
  /** The review versions that the webhook supports, most preferred first. */
  readonly versions: readonly string[];
  readonly objects: readonly ApiObject[];
  readonly desired: string;
}

/**
 * Creates the review in the first version that both the webhook and the server support. Throws CallError if there is
 * none.
 */
export function createReview({ uid, versions, objects, desired }: ConversionRequest, names: Names): Review {
  const version = versions.flatMap((listed) => SUPPORTED.filter((known) => known === listed))[0];
  if (version === undefined) throw new CallError('no supported conversion review versions');
  const apiVersion = names.fill(`apiextensions.{domain}/${version}`);
  const request = { uid, desiredAPIVersion: desired, objects };
  return { uid, version, apiVersion, desired, objects, body: { kind: 'ConversionReview', apiVersion, request } };
}

/** The converted objects in an answer. Throws CallError if it is not an answer to this review, or reports a failure. */
export function readAnswer(answer: unknown, review: Review): readonly unknown[] {
  if (!isObject(answer)) throw new CallError("couldn't get version/kind; json parse error: the answer is no object");
  if (review.version === 'v1') requireIdentity(answer, review);
  const { response } = answer;
  if (!isObject(response)) throw new CallError('no response provided');
  if (review.version === 'v1' && response.uid !== review.uid)
    throw new CallError(
      `expected response.uid=${JSON.stringify(review.uid)}, got ${JSON.stringify(response.uid ?? '')}`,
    );
  requireSuccess(response.result);
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

function requireIdentity({ apiVersion, kind }: Fields, review: Review): void {
  if (apiVersion === review.apiVersion && kind === 'ConversionReview') return;
  const got = `${typeof apiVersion === 'string' ? apiVersion : '/'}, Kind=${typeof kind === 'string' ? kind : ''}`;
  throw new CallError(`expected webhook response of ${review.apiVersion}, Kind=ConversionReview, got ${got}`);
}

function requireSuccess(result: unknown): void {
  const { status = '', message = '' } = isObject(result) ? result : {};
  if (status === 'Success') return;
  if (typeof message === 'string' && message !== '') throw new CallError(message);
  throw new CallError(`response.result.status was '${String(status)}', not 'Success'`);
}

/**
 * Validates a converted object: the desired version, the same kind and identity, the original metadata. Throws
 * CallError whose message begins with the invalid part: the object or its metadata.
 */
export function readConverted(converted: unknown, original: ApiObject, desired: string): ApiObject {
  if (!isObject(converted)) throw new CallError('invalid object: not an object');
  const { apiVersion = '', kind = '' } = converted;
  if (apiVersion !== desired)
    throw new CallError(`invalid object: invalid groupVersion (expected ${desired}, received ${String(apiVersion)})`);
  if (kind !== original.kind)
    throw new CallError(`invalid object: invalid kind (expected ${original.kind}, received ${String(kind)})`);
  const { metadata } = converted;
  requireIdentityOf(isObject(metadata) ? metadata : {}, original);
  return {
    ...converted,
    apiVersion: desired,
    kind: original.kind ?? '',
    metadata: withOwnMetadata(metadata, original),
  };
}

const IDENTITY = { name: 'name', namespace: 'namespace', uid: 'UID' } as const;

function requireIdentityOf(metadata: Fields, original: ApiObject): void {
  for (const [field, shown] of Object.entries(IDENTITY)) {
    const [expected, got] = [original.metadata[field as keyof typeof IDENTITY] ?? '', getOwn(metadata, field) ?? ''];
    if (expected !== got)
      throw new CallError(`invalid object: must have the same ${shown}: ${expected} != ${String(got)}`);
  }
}
