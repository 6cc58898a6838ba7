/** Converts thrown errors into a Status, and handles the few failures that are plain text. */
import { StatusError, status, type Status } from '../../schema/index.ts';
import { PartError, getOwn } from '../../std/index.ts';
import { UnreachableError, WriteError } from '../../storage/index.ts';
import { textResponse } from '../codec/textResponse.ts';

/** Thrown for failures that the reference answers with a line of text, whatever the client accepts. */
export class PlainFailure extends Error {
  override name = 'PlainFailure';
  readonly #code: number;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.#code = code;
    this.#headers = headers;
  }

  response(): Response {
    const response = textResponse(`${this.message}\n`, this.#code, 'text/plain; charset=utf-8');
    response.headers.set('x-content-type-options', 'nosniff');
    for (const [name, value] of Object.entries(this.#headers)) response.headers.set(name, value);
    return response;
  }
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A failure of a request to `uri` before content negotiation. */
export function internalFailure(uri: string, why: string): PlainFailure {
  const text = `Internal Server Error: ${JSON.stringify(uri)}: ${why}`;
  return new PlainFailure(
    500,
    text.replace(/[&<>]/g, (mark) => getOwn(MARKUP, mark) ?? mark),
  );
}

export function failureOf(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  if (error instanceof UnreachableError) return tryAgain(error);
  if (error instanceof WriteError) return storageFailure(error);
  if (error instanceof PartError) return tryAgain(error);
  return status.internalError(error instanceof Error ? error.message : String(error)).status;
}

/** Nothing was done; the client can retry once the part can be loaded or the database answers. */
function tryAgain({ message }: Error): Status {
  return status.failure(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 }).status;
}

/** Storage that can't write is full or gone; the request was valid and changed nothing. */
function storageFailure(error: WriteError): Status {
  const message =
    error.reason === 'quota'
      ? `there is no room left for this: only deletions are stored until there is some. Delete objects, remove clusters that you no longer need, or free disk space (${error.message})`
      : `the change could not be stored: ${error.message}`;
  return status.failure(
    error.reason === 'quota' ? 507 : 503,
    error.reason === 'quota' ? 'InsufficientStorage' : 'ServiceUnavailable',
    message,
  ).status;
}
