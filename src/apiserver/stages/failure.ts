/** The one place that turns a thrown error into a Status. */
import { StatusError, status, type Status } from '../../schema/index.ts';
import { WriteError } from '../../storage/index.ts';

export function failureOf(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  if (error instanceof WriteError) return storageFailure(error);
  return status.internalError(error instanceof Error ? error.message : String(error)).status;
}

/** Storage that can't write is out of room or gone; the client's request was not at fault and changed nothing. */
function storageFailure(error: WriteError): Status {
  const message =
    error.reason === 'quota'
      ? `the browser has no room left to store this: ${error.message}`
      : `the change could not be stored: ${error.message}`;
  return status.failure(
    error.reason === 'quota' ? 507 : 503,
    error.reason === 'quota' ? 'InsufficientStorage' : 'ServiceUnavailable',
    message,
  ).status;
}
