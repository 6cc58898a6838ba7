/** Verifies that a certificate chain leads to an anchor trusted for a purpose, at the cluster's time. */
import type { Clock } from '../../std/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { parseCertificate } from './certificate.ts';
import type { CertificateView } from './certificate.ts';
import { loadX509, x509Loaded } from './library.ts';
import { pemBodies } from './pem.ts';

export type Purpose = 'client' | 'server';
export type Verification =
  | { readonly ok: true; readonly leaf: CertificateView; readonly chain: readonly CertificateView[] }
  | { readonly ok: false; readonly why: string };

export interface CertificateVerifier {
  /** `certificates` are DER, the leaf first; the others may help to reach an anchor. */
  verify(certificates: readonly Uint8Array[], purpose: Purpose): Promise<Verification>;
}

const PURPOSES: Readonly<Record<Purpose, string>> = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1' };
const ANY_PURPOSE = '2.5.29.37.0';
const KEY_CERT_SIGN = 32;
const LONGEST_CHAIN = 8;

/** Trusts the certificates of a PEM bundle. Throws if one is invalid, synchronously if the library is loaded. */
export function certificateVerifier(bundle: string, clock: Clock): CertificateVerifier {
  const readAnchors = (): CertificateView[] => pemBodies(bundle, 'CERTIFICATE').map(parseCertificate);
  let anchors = x509Loaded() ? readAnchors() : undefined;
  return {
    verify: async (certificates, purpose) => {
      await loadX509();
      anchors ??= readAnchors();
      const parsed = parseAll(certificates);
      if (typeof parsed === 'string') return { ok: false, why: parsed };
      const [leaf, ...others] = parsed;
      if (!leaf) return { ok: false, why: 'no certificate' };
      const late = outsideValidity(leaf, clock.now());
      if (late !== undefined) return { ok: false, why: late };
      return climb([leaf], others, anchors, { purpose: PURPOSES[purpose], now: clock.now() });
    },
  };
}

function parseAll(certificates: readonly Uint8Array[]): CertificateView[] | string {
  try {
    return certificates.map(parseCertificate);
  } catch (problem) {
    return `x509: malformed certificate: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
}

interface Question {
  readonly purpose: string;
  readonly now: number;
}

/** Tries every issuer of the chain's last certificate, anchors first. */
async function climb(
  chain: readonly CertificateView[],
  others: readonly CertificateView[],
  anchors: readonly CertificateView[],
  question: Question,
): Promise<Verification> {
  const last = chain.at(-1) as CertificateView;
  if (anchors.some((anchor) => sameCertificate(anchor, last))) return finish(chain, question);
  let why = 'x509: certificate signed by unknown authority';
  if (chain.length >= LONGEST_CHAIN) return { ok: false, why };
  for (const issuer of [...anchors, ...others]) {
    if (issuer.subject !== last.issuer || chain.includes(issuer) || !(await signedBy(last, issuer))) continue;
    const unfit = unfitIssuer(issuer, chain.length - 1, question.now);
    if (unfit !== undefined) {
      why = unfit;
      continue;
    }
    const found = await climb([...chain, issuer], others, anchors, question);
    if (found.ok) return found;
    why = found.why;
  }
  return { ok: false, why };
}

/** All certificates in the chain have to allow the purpose; one without the extension allows any. */
function finish(chain: readonly CertificateView[], question: Question): Verification {
  const fits = chain.every(
    ({ extendedKeyUsage }) =>
      !extendedKeyUsage || extendedKeyUsage.includes(question.purpose) || extendedKeyUsage.includes(ANY_PURPOSE),
  );
  if (!fits) return { ok: false, why: 'x509: certificate specifies an incompatible key usage' };
  return { ok: true, leaf: chain[0] as CertificateView, chain };
}

function unfitIssuer(issuer: CertificateView, below: number, now: number): string | undefined {
  if (!issuer.isCA) return 'x509: issuer is not a certificate authority';
  if (issuer.keyUsage !== undefined && (issuer.keyUsage & KEY_CERT_SIGN) === 0)
    return 'x509: issuer may not sign certificates';
  if (issuer.pathLength !== undefined && issuer.pathLength < below)
    return 'x509: too many intermediates for path length constraint';
  return outsideValidity(issuer, now);
}

function outsideValidity(certificate: CertificateView, now: number): string | undefined {
  const expired = 'x509: certificate has expired or is not yet valid: current time';
  if (now < certificate.notBefore) return `${expired} ${rfc3339(now)} is before ${rfc3339(certificate.notBefore)}`;
  if (now > certificate.notAfter) return `${expired} ${rfc3339(now)} is after ${rfc3339(certificate.notAfter)}`;
  return undefined;
}

async function signedBy(certificate: CertificateView, issuer: CertificateView): Promise<boolean> {
  try {
    return await certificate.certificate.verify({ publicKey: issuer.certificate.publicKey, signatureOnly: true });
  } catch {
    return false;
  }
}

function sameCertificate(a: CertificateView, b: CertificateView): boolean {
  const [left, right] = [new Uint8Array(a.certificate.rawData), new Uint8Array(b.certificate.rawData)];
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}
