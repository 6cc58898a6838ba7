/** Tokens, read for people: what they say, not whether it is true. */
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

/** What a JWT claims, whatever the rest of it is; undefined where it claims nothing that can be read. */
export const tokenClaims = (token: string): DecodedToken['claims'] | undefined => part(token.split('.')[1] ?? '');

/** Reads a JWT; undefined where the text is none. */
export function decodeToken(text: string): DecodedToken | undefined {
  const [head = '', body = '', signature, ...rest] = text.trim().split('.');
  const header = part(head);
  const claims = part(body);
  if (!header || !claims || signature === undefined || rest.length > 0) return undefined;
  const expires = typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  return { header, claims, expires, signed: signature !== '' };
}
