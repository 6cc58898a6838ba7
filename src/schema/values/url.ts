/** URLs as the reference takes them apart: by RFC 3986, without the repairs that browsers make. */

export interface ParsedUrl {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const CONTROL = /[\u0000-\u001f\u007f]/;
const HOST = /^(?:\[[^\]]*\]|[^\s[\]{}|\\^`/?#@]*?)(?::[0-9]*)?$/;
const USER = /^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/;

/** The parts of a URL; undefined for a text that is none. */
export function parseUrl(text: string): ParsedUrl | undefined {
  const match = CONTROL.test(text) || text.startsWith(':') ? null : PARTS.exec(text);
  if (!match) return undefined;
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = match;
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : authority.slice(0, at);
  const host = authority.slice(at + 1);
  if (!HOST.test(host) || !USER.test(user ?? '')) return undefined;
  if ([host, path, fragment, user ?? ''].some((part) => BAD_ESCAPE.test(part))) return undefined;
  // Without a scheme, a colon in the first segment can only be a mistake.
  if (scheme === '' && authority === '' && /^[^/]*:/.test(path)) return undefined;
  return { scheme: scheme.toLowerCase(), user, host, path, query, fragment };
}
