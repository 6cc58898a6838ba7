/** The server verification of a TLS handshake: whether a server's certificate is valid for its name. */
import { certificateVerifier, pemBodies, readCertificate, type CertificateView, type Trust } from '../authn/index.ts';
import type { Clock } from '../std/index.ts';
import { ConnectionError } from './address.ts';

/** `chain` is DER, the server's own first; `host` is the name in the address. Throws ConnectionError. */
export async function verifyServer(
  chain: readonly Uint8Array[],
  trust: Trust,
  host: string,
  clock: Clock,
): Promise<void> {
  if (trust.insecure) return;
  const { authorities = '', serverName = host } = trust;
  if (authorities !== '' && pemBodies(authorities, 'CERTIFICATE').length === 0)
    throw new ConnectionError('unable to load root certificates: unable to parse bytes as PEM block');
  const verified = await certificateVerifier(authorities, clock).verify(chain, 'server');
  const [own] = chain;
  // The reference checks the time first, then the name, and the chain last.
  const first = ['x509: malformed', 'x509: certificate has expired'];
  const late = !verified.ok && first.some((start) => verified.why.startsWith(start)) ? verified.why : undefined;
  const why =
    late ?? (own && nameProblem(await readCertificate(own), serverName)) ?? (verified.ok ? undefined : verified.why);
  if (why !== undefined) throw new ConnectionError(why);
}

/** A client's error for a server's PEM certificates; undefined if they are valid. */
export async function certificateProblem(
  shown: string,
  trust: Trust,
  host: string,
  clock: Clock,
): Promise<string | undefined> {
  try {
    await verifyServer(pemBodies(shown, 'CERTIFICATE'), trust, host, clock);
    return undefined;
  } catch (problem) {
    if (problem instanceof ConnectionError) return problem.message;
    throw problem;
  }
}

/** A client's error if a certificate does not match the name; undefined if it does. */
function nameProblem({ altNames, commonName }: CertificateView, name: string): string | undefined {
  const address = name.replace(/^\[|\]$/g, '');
  if (isAddress(address)) {
    if (altNames.ip.includes(address)) return undefined;
    return altNames.ip.length === 0
      ? `x509: cannot validate certificate for ${address} because it doesn't contain any IP SANs`
      : `x509: certificate is valid for ${altNames.ip.join(', ')}, not ${address}`;
  }
  if (altNames.dns.some((pattern) => matchesName(pattern, name))) return undefined;
  if (altNames.dns.length > 0) return `x509: certificate is valid for ${altNames.dns.join(', ')}, not ${name}`;
  return matchesName(commonName, name)
    ? 'x509: certificate relies on legacy Common Name field, use SANs or temporarily enable Common Name matching with GODEBUG=x509ignoreCN=0'
    : `x509: certificate is not valid for any names, but wanted to match ${name}`;
}

const isAddress = (name: string): boolean => /^\d+(\.\d+){3}$/.test(name) || name.includes(':');

/** A star matches exactly the first label. */
function matchesName(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase().split('.'), name.toLowerCase().split('.')];
  return (
    wanted.length === given.length &&
    wanted.every((label, i) => label === given[i] || (i === 0 && label === '*' && wanted.length > 1))
  );
}
