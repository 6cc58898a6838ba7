/** Keys, requests and certificates in the page: made with the browser's own cryptography, read for people. */
import { x509 } from './library.ts';

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface MadeRequest {
  readonly keys: CryptoKeyPair;
  /** PKCS 10, as PEM. */
  readonly request: string;
}

/** A new key and a request for a certificate that names this user and these groups. The key never leaves the page. */
export async function makeRequest(user: string, groups: readonly string[]): Promise<MadeRequest> {
  const keys = await crypto.subtle.generateKey(KEY, false, ['sign', 'verify']);
  const name = [...groups.map((group) => ({ O: [group] })), { CN: [user] }];
  const made = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: KEY });
  return { keys, request: `${made.toString('pem')}\n` };
}

/** What a request or a certificate says, in names and values. */
export interface Decoded {
  readonly what: 'request' | 'certificate';
  readonly subject: string;
  readonly issuer: string | undefined;
  readonly serialNumber: string | undefined;
  /** Milliseconds since the epoch. */
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
  readonly algorithm: string;
}

const algorithmOf = (algorithm: Algorithm): string =>
  'namedCurve' in algorithm ? `${algorithm.name} ${String(algorithm.namedCurve)}` : algorithm.name;

/** Reads base64 of PEM, as signing requests hold it. Nothing where it is neither a request nor a certificate. */
export function decodePem(base64: string): Decoded | undefined {
  try {
    const pem = atob(base64);
    if (pem.includes('CERTIFICATE REQUEST')) {
      const request = new x509.Pkcs10CertificateRequest(pem);
      const algorithm = algorithmOf(request.publicKey.algorithm);
      return {
        what: 'request',
        subject: request.subject,
        issuer: undefined,
        serialNumber: undefined,
        notBefore: undefined,
        notAfter: undefined,
        algorithm,
      };
    }
    const certificate = new x509.X509Certificate(pem);
    return {
      what: 'certificate',
      subject: certificate.subject,
      issuer: certificate.issuer,
      serialNumber: certificate.serialNumber,
      notBefore: certificate.notBefore.getTime(),
      notAfter: certificate.notAfter.getTime(),
      algorithm: algorithmOf(certificate.publicKey.algorithm),
    };
  } catch {
    return undefined;
  }
}
