import { decodeText, fromBase64, isObject } from '../../std/index.ts';

/** The user that a service account's token names; empty for other tokens, of which only the server knows whose they are. */
export function subjectOf(token: string): string {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(
      decodeText(fromBase64(payload.replaceAll('-', '+').replaceAll('_', '/')) ?? new Uint8Array()),
    );
    return isObject(claims) && typeof claims['sub'] === 'string' ? claims['sub'] : '';
  } catch {
    return '';
  }
}
