/**
 * How a page and its server show each other that they have the same key, without sending it: each has chosen a nonce, and
 * signs both. The port is part of it, so that a program on another port can't pass proofs on between the two.
 */
import { encodeText, toHex } from '../../std/index.ts';

export interface Meeting {
  /** What the page chose. */
  readonly page: string;
  /** What the server chose. */
  readonly server: string;
  /** The port of the server, as the page knows it. */
  readonly port: number;
}

/** A value that was never used before. */
export const newNonce = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** The proof that only a holder of the key can compute in this handshake; the two sides have different ones. */
export async function proofOf(key: string, by: 'page' | 'server', { page, server, port }: Meeting): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmac = await crypto.subtle.importKey('raw', encodeText(key), algorithm, false, ['sign']);
  const said = encodeText(JSON.stringify([by, page, server, port]));
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', hmac, said)));
}
