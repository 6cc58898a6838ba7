/** Pages of other origins: which may ask (`--cors-allowed-origins`), and the headers for their browsers. */

/** Whether pages of an origin may ask. */
export type OriginTest = (origin: string) => boolean;

/** The test made from a flag's patterns; undefined where there are none. Throws where one is no regular expression. */
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
 * Answers a page of an allowed origin: `next` answers the request itself, a browser's question beforehand (OPTIONS) is
 * answered here. Everything else goes on to `next` as it is.
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
