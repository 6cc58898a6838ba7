/** Keys, requests and certificates in the page: made with the browser's own cryptography, read for people. */
import { x509 } from './library.ts';

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface MadeRequest {
  readonly keys: CryptoKeyPair;
  /** PKCS 10, as PEM. */
  readonly request: string;
}

/** Whom a certificate is to name, and where it may be served. */
export interface RequestedSubject {
  readonly user: string;
  readonly groups: readonly string[];
  /** Names and addresses, for certificates that serve. */
  readonly hosts: readonly string[];
}

const ADDRESS = /^[\d.]+$|:/;

/** A new key and a request for a certificate. The key never leaves the page, not even by its own hand. */
export async function makeRequest({ user, groups, hosts }: RequestedSubject): Promise<MadeRequest> {
  const keys = await crypto.subtle.generateKey(KEY, false, ['sign', 'verify']);
  const name = [...groups.map((group) => ({ O: [group] })), { CN: [user] }];
  const names = hosts.map((value) => ({ type: ADDRESS.test(value) ? ('ip' as const) : ('dns' as const), value }));
  const extensions = names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [];
  const made = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: KEY, extensions });
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
  /** The common name and the organizations: user and groups. */
  readonly user: string;
  readonly groups: readonly string[];
  /** Names and addresses for which a server may show it. */
  readonly hosts: readonly string[];
}

type Names = Pick<Decoded, 'user' | 'groups' | 'hosts'>;

function namesIn(subject: InstanceType<typeof x509.Name>, altNames: InstanceType<typeof x509.Extension> | null): Names {
  const names = altNames ? new x509.SubjectAlternativeNameExtension(altNames.rawData).names.items : [];
  return {
    user: subject.getField('CN').at(-1) ?? '',
    groups: subject.getField('O'),
    hosts: names.map(({ value }) => value),
  };
}

const ALT_NAMES = '2.5.29.17';

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
        ...namesIn(request.subjectName, request.getExtension(ALT_NAMES)),
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
      ...namesIn(certificate.subjectName, certificate.getExtension(ALT_NAMES)),
    };
  } catch {
    return undefined;
  }
}
