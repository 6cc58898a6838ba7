import { PROOF_HEADER } from '../schema/index.ts';

/** Headers whose values let somebody act as the sender; no trace or log shows them. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'sec-websocket-protocol',
  PROOF_HEADER,
]);
