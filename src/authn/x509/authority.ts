/** A certificate authority: the cluster's own, or one whose files were given. */
import { toHex, type Clock, type Random } from '../../std/index.ts';
import { readCertificate, signingAlgorithm } from './certificate.ts';
import type { CertificateView, SigningRequestView } from './certificate.ts';
import { exportPrivateKey, generateKeys, importPrivateKey } from './keys.ts';
import { x509 } from './library.ts';
import { encodePem, pemBodies } from './pem.ts';
import { selfSigned } from './selfSigned.ts';
import { usageExtensions } from './usages.ts';

/** Certificates begin this much earlier, for clients whose clocks are late. */
const BACKDATE_MS = 5 * 60_000;
const OWN_YEARS_MS = 10 * 365 * 24 * 3600_000;

export interface Authority {
  readonly certificatePem: string;
  readonly certificate: CertificateView;
  /** Signs what the request asks for, with these usages (`client auth`, …), never as an authority. Gives PEM. */
  sign(
    request: SigningRequestView,
    options: { readonly usages: readonly string[]; readonly durationMs: number },
  ): Promise<string>;
  /** Signs a key that the cluster made itself, such as a component's; names are for certificates that serve. */
  issue(
    subject: { readonly commonName: string; readonly organizations?: readonly string[] },
    publicKey: CryptoKey,
    options: { readonly usages: readonly string[]; readonly durationMs: number; readonly names?: ServedNames },
  ): Promise<string>;
}

/** Where a serving certificate may be met. */
export interface ServedNames {
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
}

export interface AuthorityDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** The files of an authority, as `--client-ca-file` and `--cluster-signing-…-file` name them. */
export interface AuthorityFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a new self-signed authority. */
export async function createAuthorityFiles(commonName: string, deps: AuthorityDeps): Promise<AuthorityFiles> {
  const keys = await generateKeys('EC');
  const now = deps.clock.now();
  const certificate = await selfSigned({
    commonName,
    serial: serialBytes(deps.random),
    notBefore: now - BACKDATE_MS,
    notAfter: now + OWN_YEARS_MS,
    keys,
  });
  return { certificate: encodePem('CERTIFICATE', certificate), key: await exportPrivateKey(keys.privateKey) };
}

/** An authority from its files. Throws where they do not hold a certificate and a key. */
export async function openAuthority(files: AuthorityFiles, deps: AuthorityDeps): Promise<Authority> {
  const [der] = pemBodies(files.certificate, 'CERTIFICATE');
  if (!der) throw new Error('the certificate file of the authority holds no certificate');
  const own = await readCertificate(der);
  const key = await importPrivateKey(files.key);
  const signer = new Signer(own, key, deps);
  return {
    certificatePem: files.certificate,
    certificate: own,
    sign: ({ request }, options) =>
      signer.make(
        { subject: request.subjectName.toJSON(), publicKey: request.publicKey, extensions: altNameExtension(request) },
        options,
      ),
    issue: ({ commonName, organizations = [] }, publicKey, options) =>
      signer.make(
        {
          subject: [...organizations.map((O) => ({ O: [O] })), { CN: [commonName] }],
          publicKey,
          extensions: servedNamesExtension(options.names),
        },
        options,
      ),
  };
}

interface Template {
  readonly subject: Record<string, string[]>[];
  readonly publicKey: CryptoKey | InstanceType<typeof x509.PublicKey>;
  readonly extensions: InstanceType<typeof x509.Extension>[];
}

class Signer {
  readonly #own: CertificateView;
  readonly #key: CryptoKey;
  readonly #deps: AuthorityDeps;

  constructor(own: CertificateView, key: CryptoKey, deps: AuthorityDeps) {
    this.#own = own;
    this.#key = key;
    this.#deps = deps;
  }

  /** No certificate outlives the authority's own. */
  async make(
    template: Template,
    options: { readonly usages: readonly string[]; readonly durationMs: number },
  ): Promise<string> {
    const now = this.#deps.clock.now();
    if (now >= this.#own.notAfter) throw new Error('refusing to sign a certificate that expired in the past');
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial(this.#deps.random),
      subject: template.subject,
      issuer: this.#own.certificate.subjectName,
      notBefore: new Date(now - BACKDATE_MS),
      notAfter: new Date(Math.min(now + options.durationMs, this.#own.notAfter)),
      publicKey: template.publicKey,
      signingKey: this.#key,
      signingAlgorithm: signingAlgorithm(this.#key) as EcdsaParams,
      extensions: [
        ...usageExtensions(options.usages),
        new x509.BasicConstraintsExtension(false, undefined, true),
        await x509.AuthorityKeyIdentifierExtension.create(this.#own.certificate.publicKey),
        ...template.extensions,
      ],
    });
    return encodePem('CERTIFICATE', new Uint8Array(certificate.rawData));
  }
}

/** Of what a request asks for, only the alternative names are taken over; usages come from the signing request's object. */
function altNameExtension(
  request: InstanceType<typeof x509.Pkcs10CertificateRequest>,
): InstanceType<typeof x509.Extension>[] {
  const extension = request.getExtension('2.5.29.17');
  return extension ? [extension] : [];
}

function servedNamesExtension({ dns = [], ip = [] }: ServedNames = {}): InstanceType<typeof x509.Extension>[] {
  const names = [
    ...dns.map((value) => ({ type: 'dns' as const, value })),
    ...ip.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

/** 128 bits, positive. */
function serialBytes(random: Random): Uint8Array {
  return random.bytes(16).map((byte, i) => (i === 0 ? byte & 0x7f : byte));
}

function serial(random: Random): string {
  return toHex(serialBytes(random));
}
