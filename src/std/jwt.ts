/** Decodes tokens for display, without verifying them. */
import { decodeText, fromBase64Url } from './bytes.ts';
import { isObject } from './json.ts';

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
  readonly signed: boolean;
}

function part(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decodeText(fromBase64Url(text) ?? new Uint8Array()));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The claims of a JWT, even if the rest is invalid; undefined if the claims can't be read. */
export const tokenClaims = (token: string): DecodedToken['claims'] | undefined => part(token.split('.')[1] ?? '');

/** Decodes a JWT; undefined if the text is not a JWT. */
export function decodeToken(text: string): DecodedToken | undefined {
  const [head = '', body = '', signature, ...rest] = text.trim().split('.');
  const header = part(head);
  const claims = part(body);
  if (!header || !claims || signature === undefined || rest.length > 0) return undefined;
  const expires = typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  return { header, claims, expires, signed: signature !== '' };
}
