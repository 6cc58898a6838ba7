/** The responses to upgrade requests. */
import { WholeResponse } from '../../std/index.ts';
import { textResponse } from '../codec/textResponse.ts';
import type { Upgrade } from './asksUpgrade.ts';

const SPDY_VERSIONS = 'x-stream-protocol-version';
const SPDY_ACCEPTED = 'x-accepted-stream-protocol-versions';
const WEBSOCKET_PROTOCOL = 'sec-websocket-protocol';

/** The agreed subprotocol, and the response headers for it. */
export interface Agreement {
  /** Empty if the client names none. */
  readonly protocol: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The first of the client's subprotocols that the server supports; otherwise the refusal. */
export function agreeOn(
  upgrade: Upgrade,
  request: Request,
  spoken: readonly string[],
): Agreement | { readonly refusal: Response } {
  const header = upgrade === 'spdy' ? SPDY_VERSIONS : WEBSOCKET_PROTOCOL;
  const offered = listOf(request.headers.get(header));
  const protocol = offered.length === 0 ? '' : offered.find((one) => spoken.includes(one));
  if (protocol === undefined) return { refusal: refusalOf(upgrade, offered, spoken) };
  return { protocol, headers: protocol === '' ? {} : { [header]: protocol } };
}

const listOf = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function refusalOf(upgrade: Upgrade, offered: readonly string[], spoken: readonly string[]): Response {
  if (upgrade === 'websocket') return new WholeResponse('', { status: 403 });
  const why = `client supports [${offered.join(' ')}], server accepts [${spoken.join(' ')}]`;
  const refusal = textResponse(
    `unable to upgrade: unable to negotiate protocol: ${why}\n`,
    403,
    'text/plain; charset=utf-8',
  );
  for (const one of spoken) refusal.headers.append(SPDY_ACCEPTED, one);
  return refusal;
}
