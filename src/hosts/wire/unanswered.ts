/** The answer to a request whose server is gone. */

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request of this method can be sent again without doing anything twice. */
export const isRead = (method: string): boolean => reads.has(method);

/** It is unknown whether a write was done: the client has to check before it retries. */
export function outcomeUnknown(why: string): Response {
  return statusResponse(
    504,
    'Timeout',
    `${why}: whether the request was carried out is unknown; look before you send it again`,
  );
}

/** The request was not carried out. */
export function notServed(why: string): Response {
  return statusResponse(503, 'ServiceUnavailable', why);
}

function statusResponse(code: number, reason: string, message: string): Response {
  return Response.json(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
    { status: code },
  );
}
