import { encodeText, PlainHeaders, WholeResponse } from '../../std/index.ts';

/** The response to a HEAD: no body, but its length. */
export function withoutBodyForHead({ method }: Request, response: Response): Response {
  if (method !== 'HEAD') return response;
  const headers = new PlainHeaders(response.headers);
  if (response instanceof WholeResponse) headers.set('content-length', String(lengthOf(response)));
  return new WholeResponse(null, { status: response.status, headers });
}

function lengthOf({ content }: WholeResponse): number {
  return (typeof content === 'string' ? encodeText(content) : content).byteLength;
}
