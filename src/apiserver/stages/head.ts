import { WholeResponse } from '../../std/index.ts';

/** What a HEAD is answered with: everything but the body. */
export function withoutBodyForHead({ method }: Request, response: Response): Response {
  if (method !== 'HEAD') return response;
  return new WholeResponse(null, { status: response.status, headers: response.headers });
}
