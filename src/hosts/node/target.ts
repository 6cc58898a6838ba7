/** Checks the target and names of an HTTP request before it reaches the cluster. */
import { isIP } from 'node:net';

/** Why a request is refused at the door. */
export interface Refusal {
  readonly code: 400 | 403 | 405;
  readonly reason: 'BadRequest' | 'Forbidden' | 'MethodNotAllowed';
  readonly message: string;
}

/** The parts of a request that determine its target. */
export interface Envelope {
  readonly method: string;
  /** The target as it stands in the request line. */
  readonly target: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Whether it carries a bearer token. */
  readonly hasToken?: boolean;
}

/** Methods that the Fetch standard forbids, so no Request can have them. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

const bad = (message: string): Refusal => ({ code: 400, reason: 'BadRequest', message });
const forbidden = (message: string): Refusal => ({ code: 403, reason: 'Forbidden', message });

/**
 * Why this request is refused; undefined if it is accepted. A page of another site that resolves its own name to the
 * loopback address (DNS rebinding) still sends that name as Host and Origin, so only loopback names and `names` are
 * accepted. A request with a token can't come from a page of another origin: a page can't add one to a WebSocket
 * request, and any other needs a CORS preflight, which is refused here. Other clients may send any origin.
 */
export function refusalOf(
  { method, target, host, origin, hasToken }: Envelope,
  names: readonly string[],
  allowsOrigin: (origin: string) => boolean = () => false,
): Refusal | undefined {
  if (FORBIDDEN_METHODS.has(method.toUpperCase()))
    return { code: 405, reason: 'MethodNotAllowed', message: `the method ${method} is not allowed` };
  if (!target.startsWith('/')) return bad('the target of a request is a path');
  if (/%(?![0-9a-f]{2})/i.test(target.split('?')[0] ?? '')) return bad('invalid URL escape in the path');
  const name = host === undefined ? undefined : nameOf(host);
  if (name === undefined) return bad('the request has no valid Host');
  if (!isAnswered(name, names)) return forbidden(`this server does not answer to the name ${JSON.stringify(name)}`);
  if (origin !== undefined && !hasToken && !isOriginOf(origin, host) && !allowsOrigin(origin))
    return forbidden('requests from other origins are not allowed');
  return undefined;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/i;

/** The name in a Host header without its port and brackets, in lower case; undefined where it is malformed. */
function nameOf(host: string): string | undefined {
  const [, name = '', port = '0'] = HOST.exec(host) ?? [];
  if (name === '' || Number(port) > 65_535) return undefined;
  if (!name.startsWith('[')) return name.toLowerCase();
  const address = name.slice(1, -1);
  return isIP(address) === 6 ? address.toLowerCase() : undefined;
}

/** Listening on all addresses, a server answers to each: an address can't be made to point elsewhere. */
function isAnswered(name: string, names: readonly string[]): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true;
  if (isIP(name) === 4 && name.startsWith('127.')) return true;
  const isEverywhere = names.includes('0.0.0.0') || names.includes('::');
  return names.includes(name) || (isEverywhere && isIP(name) !== 0);
}

function isOriginOf(origin: string, host: string | undefined): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** Every URL has an origin; no part of the API reads it, and no header may choose it. */
const ORIGIN = 'http://127.0.0.1';

/** The URL of a target that was not refused. The platform would read a backslash as a slash, and drop what follows a hash. */
export function urlOf(target: string): string {
  const escaped = target.replace(/[^\x21-\x7e]|[\\#]/g, (character) => `%${hex(character.charCodeAt(0))}`);
  return `${ORIGIN}${escaped}`;
}

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
