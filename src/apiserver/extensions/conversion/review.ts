/** The review that goes out to a conversion webhook, and what its answer has to be. */
import { CallError } from '../../../admission/index.ts';
import type { Names } from '../../../names/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { isObject, getOwn } from '../../../std/index.ts';
import { withOwnMetadata } from './metadata.ts';

type Fields = Readonly<Record<string, unknown>>;

const SUPPORTED = ['v1', 'v1beta1'] as const;

/** What asks, and by what its answer is checked. */
export interface Review {
  readonly uid: string;
  readonly version: (typeof SUPPORTED)[number];
  /** Of the review itself. */
  readonly apiVersion: string;
  readonly desired: string;
  readonly objects: readonly ApiObject[];
  readonly body: object;
}

export interface Asked {
  readonly uid: string;
  /** What the webhook understands, most preferred first. */
  readonly versions: readonly string[];
  readonly objects: readonly ApiObject[];
  readonly desired: string;
}

/** Makes the review in the first version that the webhook lists and the server knows. Throws CallError where there is none. */
export function createReview({ uid, versions, objects, desired }: Asked, names: Names): Review {
  const version = versions.flatMap((listed) => SUPPORTED.filter((known) => known === listed))[0];
  if (version === undefined) throw new CallError('no supported conversion review versions');
  const apiVersion = names.fill(`apiextensions.{domain}/${version}`);
  const request = { uid, desiredAPIVersion: desired, objects };
  return { uid, version, apiVersion, desired, objects, body: { kind: 'ConversionReview', apiVersion, request } };
}

/** The converted objects of an answer. Throws CallError where it is no answer to this review, or says that it failed. */
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
 * One of the converted objects as it may be used: of the wanted version, of the same kind and identity, with the metadata
 * that it had. Throws CallError that begins with what is wrong: the object, or its metadata.
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
