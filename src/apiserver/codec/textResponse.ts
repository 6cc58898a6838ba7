import { WholeResponse } from '../../std/index.ts';

/** Responses must not be cached. */
export const PRIVATE = { 'cache-control': 'no-cache, private' };

/** A response with a text as its body. */
export function textResponse(text: string, code: number, contentType: string): Response {
  return new WholeResponse(text, { status: code, headers: { ...PRIVATE, 'content-type': contentType } });
}
