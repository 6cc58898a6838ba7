/** The target of a request to a `proxy` subresource: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. */
import { status } from '../../schema/index.ts';

export interface ProxyTarget {
  readonly name: string;
  /** Number or name; empty if the request has none. */
  readonly port: string;
  readonly tls: boolean;
}

const SCHEMES = ['', 'http', 'https'];

/** Parses the name in a proxy request's path; `what` (service, pod) is for the message. Throws 400. */
export function proxyTarget(text: string, what: string): ProxyTarget {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !SCHEMES.includes(scheme))
    throw status.badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  return { name, port, tls: scheme === 'https' };
}
