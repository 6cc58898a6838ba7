import { PROOF_HEADER } from '../schema/index.ts';

/** Headers with credentials, which no trace or log shows. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'sec-websocket-protocol',
  PROOF_HEADER,
]);
