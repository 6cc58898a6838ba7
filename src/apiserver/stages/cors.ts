/** CORS: which origins may send requests (`--cors-allowed-origins`), and the response headers for them. */

/** Whether pages of an origin may send requests. */
export type OriginTest = (origin: string) => boolean;

/** The test for a flag's patterns; undefined if there are none. Throws for an invalid regular expression. */
export function allowedOrigins(patterns: string): OriginTest | undefined {
  const tests = patterns
    .split(',')
    .filter((pattern) => pattern !== '')
    .map((pattern) => new RegExp(pattern));
  return tests.length === 0 ? undefined : (origin) => tests.some((test) => test.test(origin));
}

const HEADERS = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

/**
 * Adds CORS headers for an allowed origin: `next` handles the request itself; preflight requests (OPTIONS) are answered
 * here. Other requests go to `next` unchanged.
 */
export async function withCors(
  request: Request,
  allows: OriginTest | undefined,
  next: () => Promise<Response>,
): Promise<Response> {
  const origin = allows && request.headers.get('origin');
  if (!origin || !allows(origin)) return next();
  const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await next();
  response.headers.set('access-control-allow-origin', origin);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}
