/** The contents of a certificate or a signing request as plain values. */
import { isObject } from '../../std/index.ts';
import { loadX509, x509 } from './library.ts';

/** The names in a subjectAltName extension. */
export interface AltNames {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
  readonly email: readonly string[];
  readonly uri: readonly string[];
}

export interface CertificateView {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isCA: boolean;
  readonly pathLength: number | undefined;
  /** The flags of the key usage extension; undefined if it is missing. */
  readonly keyUsage: number | undefined;
  /** Object identifiers; undefined if the extension is missing, which means any. */
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly altNames: AltNames;
  readonly certificate: InstanceType<typeof x509.X509Certificate>;
}

/** Parses DER. Throws if it is not a certificate. */
export async function readCertificate(der: Uint8Array): Promise<CertificateView> {
  await loadX509();
  return parseCertificate(der);
}

/** Like `readCertificate`, if the library is already loaded. */
export function parseCertificate(der: Uint8Array): CertificateView {
  const certificate = new x509.X509Certificate(der as BufferSource);
  const constraints = certificate.getExtension(x509.BasicConstraintsExtension);
  return {
    ...subjectOf(certificate.subjectName),
    subject: certificate.subject,
    issuer: certificate.issuer,
    serialNumber: certificate.serialNumber,
    notBefore: certificate.notBefore.getTime(),
    notAfter: certificate.notAfter.getTime(),
    isCA: constraints?.ca ?? false,
    pathLength: constraints?.pathLength,
    keyUsage: certificate.getExtension(x509.KeyUsagesExtension)?.usages,
    extendedKeyUsage: certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages.map(String),
    altNames: altNamesOf(certificate.getExtension(x509.SubjectAlternativeNameExtension)),
    certificate,
  };
}

export interface SigningRequestView {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly subject: string;
  readonly altNames: AltNames;
  readonly request: InstanceType<typeof x509.Pkcs10CertificateRequest>;
}

/** Parses DER. Throws if it is not a PKCS#10 request. `request.verify()` verifies the request's signature. */
export async function readSigningRequest(der: Uint8Array): Promise<SigningRequestView> {
  await loadX509();
  const request = new x509.Pkcs10CertificateRequest(der as BufferSource);
  const extension = request.getExtension('2.5.29.17');
  const names = extension ? new x509.SubjectAlternativeNameExtension(extension.rawData) : null;
  return { ...subjectOf(request.subjectName), subject: request.subject, altNames: altNamesOf(names), request };
}

/** The last common name, and all organizations. */
function subjectOf(name: InstanceType<typeof x509.Name>): { commonName: string; organizations: readonly string[] } {
  return { commonName: name.getField('CN').at(-1) ?? '', organizations: name.getField('O') };
}

function altNamesOf(extension: InstanceType<typeof x509.SubjectAlternativeNameExtension> | null): AltNames {
  const items = extension?.names.items ?? [];
  const of = (type: string): string[] => items.filter((item) => item.type === type).map((item) => item.value);
  return { dns: of('dns'), ip: of('ip'), email: of('email'), uri: of('url') };
}

/** The signature algorithm of a key. */
export function signingAlgorithm(key: CryptoKey): AlgorithmIdentifier | EcdsaParams {
  const algorithm: unknown = key.algorithm;
  const curve = isObject(algorithm) ? algorithm.namedCurve : undefined;
  if (key.algorithm.name !== 'ECDSA') return { name: key.algorithm.name, hash: 'SHA-256' } as EcdsaParams;
  return { name: 'ECDSA', hash: curve === 'P-521' ? 'SHA-512' : curve === 'P-384' ? 'SHA-384' : 'SHA-256' };
}
