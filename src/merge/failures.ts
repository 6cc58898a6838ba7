/** Errors that only patches cause. */
import { StatusError, status } from '../schema/index.ts';

/**
 * The reference answers some invalid patches with a bare error: a Status with code 500 and no reason. So does this
 * server.
 */
export function bareFailure(message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
}

/** 422 without causes: the patch is valid, but does not apply to this document. */
export function unprocessable(message: string): StatusError {
  return status.failure(422, 'Invalid', message, {});
}
