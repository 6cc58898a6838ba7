/** Identity from headers, accepted only from a proxy with a valid certificate (`--requestheader-…`). */
import { getOwn, setOwn } from '../std/index.ts';
import { accepted, passed, refused } from './attempts.ts';
import type { ProvenCertificates } from './clientCertificate.ts';
import type { Authenticator } from './types.ts';
import type { CertificateVerifier } from './x509/verify.ts';

export interface RequestHeaderOptions {
  /** Verifies the proxy's certificate against `--requestheader-client-ca-file`. */
  readonly verifier: CertificateVerifier;
  /** Accepted common names; all if the list is empty. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  readonly proven: ProvenCertificates;
}

export function requestHeader(options: RequestHeaderOptions): Authenticator {
  return {
    name: 'request header',
    authenticate: async (request, connection) => {
      const name = firstHeader(request.headers, options.usernameHeaders);
      if (name === undefined) return passed('the request names no user in its headers');
      const shown = await options.proven(request, connection);
      if (!shown) return passed('the proxy proves no certificate');
      if ('why' in shown) return refused(shown.why);
      const verified = await options.verifier.verify(shown.certificates, 'client');
      if (!verified.ok) return refused(`the proxy's certificate is not trusted: ${verified.why}`);
      const common = verified.leaf.commonName;
      if (options.allowedNames.length > 0 && !options.allowedNames.includes(common))
        return refused(`x509: subject with cn=${common} is not in the allowed list`);
      const user = {
        name,
        groups: allHeaders(request.headers, options.groupHeaders),
        extra: extraOf(request.headers, options.extraHeaderPrefixes),
      };
      return accepted(`the proxy ${JSON.stringify(common)} says so`, user);
    },
  };
}

function firstHeader(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers.get(name);
    if (value) return value;
  }
  return undefined;
}

const allHeaders = (headers: Headers, names: readonly string[]): string[] =>
  names.flatMap((name) => headerValues(headers, name));

/**
 * The values of a repeated header. The platform joins them with a comma and a blank; a bare comma is part of a value.
 */
export function headerValues(headers: Headers, name: string): string[] {
  const value = headers.get(name);
  return value === null ? [] : value.split(', ');
}

/** Extra values by header: the rest of its name is the key, lower-cased and then percent-decoded. */
export function extraOf(headers: Headers, prefixes: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const prefix of prefixes) {
    for (const name of headers.keys()) {
      if (!name.startsWith(prefix.toLowerCase())) continue;
      const key = decodeKey(name.slice(prefix.length));
      setOwn(extra, key, [...(getOwn(extra, key) ?? []), ...headerValues(headers, name)]);
    }
  }
  return extra;
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.toLowerCase());
  } catch {
    return text.toLowerCase();
  }
}
