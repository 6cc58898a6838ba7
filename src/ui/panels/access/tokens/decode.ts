/** Tokens, read for people: what they say, not whether it is true. */
import { decodeText, isObject } from '../../../../std/index.ts';

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
  readonly signed: boolean;
}

function part(text: string): Record<string, unknown> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const value: unknown = JSON.parse(decodeText(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a JWT; undefined where the text is none. */
export function decodeToken(text: string): DecodedToken | undefined {
  const [head = '', body = '', signature, ...rest] = text.trim().split('.');
  const header = part(head);
  const claims = part(body);
  if (!header || !claims || signature === undefined || rest.length > 0) return undefined;
  const expires = typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  return { header, claims, expires, signed: signature !== '' };
}

/** `abcdef.0123456789abcdef`: its id may be known, its secret not. */
export const bootstrapTokenId = (text: string): string | undefined =>
  /^([a-z0-9]{6})\.[a-z0-9]{16}$/.exec(text.trim())?.[1];
