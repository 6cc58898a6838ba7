/**
 * Client certificates: the common name is the user, organizations are groups (specification, Credential kinds;
 * `--client-ca-file`).
 */
import { PROOF_HEADER } from '../schema/index.ts';
import { accepted, passed, refused, userInfo } from './attempts.ts';
import type { Proven } from './clientProof.ts';
import type { Attempt, Authenticator, Connection } from './types.ts';
import type { CertificateVerifier } from './x509/verify.ts';

/** The certificates that a request proves, by its connection or by its own signature. */
export type ProvenCertificates = (request: Request, connection: Connection) => Proven | Promise<Proven>;

/**
 * The request's own proof precedes the connection's, because it identifies the sender of this request. Each request is
 * checked once.
 */
export function provenCertificates(verifyProof: (request: Request) => Promise<Proven>): ProvenCertificates {
  const checked = new WeakMap<Request, Promise<Proven>>();
  return (request, connection) => {
    const byHandshake = connection.certificates?.length ? { certificates: connection.certificates } : undefined;
    if (!request.headers.has(PROOF_HEADER)) return byHandshake;
    const check = checked.get(request) ?? verifyProof(request);
    checked.set(request, check);
    return check.then((proven) => proven ?? byHandshake);
  };
}

/** `seen` is called with the expiry of each valid certificate. */
export function clientCertificate(
  verifier: CertificateVerifier,
  proven: ProvenCertificates,
  seen?: (notAfter: number) => void,
): Authenticator {
  return {
    name: 'client certificate',
    authenticate: (request, connection) => {
      const shown = proven(request, connection);
      return shown === undefined ? PROVES_NOTHING : judge(shown);
    },
  };

  async function judge(showing: Proven | Promise<Proven>): Promise<Attempt> {
    const shown = await showing;
    if (!shown) return PROVES_NOTHING;
    if ('why' in shown) return refused(shown.why);
    const verified = await verifier.verify(shown.certificates, 'client');
    if (!verified.ok) return refused(verified.why);
    seen?.(verified.leaf.notAfter);
    const { commonName, organizations } = verified.leaf;
    if (commonName === '') return passed('the certificate has no common name');
    return accepted(`the certificate ${verified.leaf.serialNumber} is valid`, userInfo(commonName, organizations));
  }
}

const PROVES_NOTHING = passed('the request proves no certificate');
