/** Errors of the API are values: the `Status` object, thrown inside a `StatusError`, answered in one place. */
import type { FieldErrors } from './define/fieldErrors.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** An error with the Status that answers a request. */
export class StatusError extends Error {
  override name = 'StatusError';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? `status ${status.code}`);
    this.status = status;
  }
}

/** The resource that an error speaks of: plural in lower case, and its group. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

const qualified = (r: ResourceName): string => (r.group === '' ? r.resource : `${r.resource}.${r.group}`);
const details = (r: ResourceName, name: string, more: StatusDetails = {}): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(r.group === '' ? {} : { group: r.group }),
  ...(r.resource === '' ? {} : { kind: r.resource }),
  ...more,
});

/** Makes a failure; everything else below is a call to it. */
export function failure(code: number, reason: string, message: string, more?: StatusDetails): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(more ? { details: more } : {}),
    code,
  });
}

export const badRequest = (message: string): StatusError => failure(400, 'BadRequest', message);
export const unauthorized = (message = 'Unauthorized'): StatusError => failure(401, 'Unauthorized', message);
export const notFound = (r: ResourceName, name: string): StatusError =>
  failure(404, 'NotFound', `${qualified(r)} ${JSON.stringify(name)} not found`, details(r, name));
/** For a path that no handler serves. */
export const unknownPath = (): StatusError =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});
export const alreadyExists = (r: ResourceName, name: string): StatusError =>
  failure(409, 'AlreadyExists', `${qualified(r)} ${JSON.stringify(name)} already exists`, details(r, name));
export const conflict = (r: ResourceName, name: string, why: string): StatusError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(r)} ${JSON.stringify(name)}: ${why}`,
    details(r, name),
  );
export const gone = (message: string): StatusError => failure(410, 'Gone', message);
/** 410 with reason Expired: a revision or a continue token was compacted. */
export const expired = (message: string): StatusError => failure(410, 'Expired', message);
export const methodNotSupported = (r: ResourceName, verb: string): StatusError =>
  failure(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${JSON.stringify(qualified(r))}`,
    details(r, ''),
  );
export const internalError = (why: string): StatusError =>
  failure(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
/** An error that the reference answers as a bare 500, without reason or details. */
export const unexpected = (message: string): StatusError =>
  new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  failure(429, 'TooManyRequests', message, { retryAfterSeconds });
export const timeout = (message: string, retryAfterSeconds = 0): StatusError =>
  failure(504, 'Timeout', `Timeout: ${message}`, { ...(retryAfterSeconds ? { retryAfterSeconds } : {}) });
export const forbidden = (r: ResourceName, name: string, why: string): StatusError =>
  failure(
    403,
    'Forbidden',
    name === ''
      ? `${qualified(r)} is forbidden: ${why}`
      : `${qualified(r)} ${JSON.stringify(name)} is forbidden: ${why}`,
    details(r, name),
  );
export const notAcceptable = (accepted: readonly string[]): StatusError =>
  failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`);
/** The router knows no form that the client accepts. */
export const notRouted = (): StatusError => failure(406, 'NotAcceptable', '406: Not Acceptable', {});
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
export const tooLarge = (message: string): StatusError => failure(413, 'RequestEntityTooLarge', message);

/** 422 with a cause for each field error. `kind` is the kind's name, not the resource's. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: FieldErrors,
): StatusError {
  const texts = errors.map((e) => `${e.field}: ${e.message}`);
  const what = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const summary = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return failure(422, 'Invalid', `${what} ${JSON.stringify(name)} is invalid: ${summary}`, {
    ...details({ group: kind.group, resource: kind.kind }, name),
    causes: errors.map((e) => ({
      reason: e.reason,
      message: e.message,
      ...(e.field === '' ? {} : { field: e.field }),
    })),
  });
}

/** Whether `error` carries a Status with this reason. */
export function isReason(error: unknown, reason: string): error is StatusError {
  return error instanceof StatusError && error.status.reason === reason;
}

/** What was asked of a server; undefined if the server answers NotFound. Other errors are passed on. */
export async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (problem) {
    if (isReason(problem, 'NotFound')) return undefined;
    throw problem;
  }
}
