/** The failures that patches answer with, beside those that every part of the server knows. */
import { StatusError, status } from '../schema/index.ts';

/**
 * The reference answers some mistakes of the patch with a bare error: a Status with code 500 and no reason. Clients see
 * the same here.
 */
export function bareFailure(message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** 422 without causes: the patch is well-formed, but doesn't apply to this document. */
export function unprocessable(message: string): StatusError {
  return status.failure(422, 'Invalid', message, {});
}
