/** A certificate authority: the cluster's own, or one from files. */
import { inOneTurn, toHex, type Clock, type Random } from '../../std/index.ts';
import { readCertificate, signingAlgorithm } from './certificate.ts';
import type { CertificateView, SigningRequestView } from './certificate.ts';
import { platformKeys, type KeyMaker } from './keyMaker.ts';
import { exportPrivateKey, importPrivateKey } from './keys.ts';
import { x509 } from './library.ts';
import { encodePem, pemBodies } from './pem.ts';
import { selfSigned } from './selfSigned.ts';
import { usageExtensions } from './usages.ts';

/** Certificates are backdated by this much, for clients with slow clocks. */
export const BACKDATE_MS = 5 * 60_000;
const OWN_YEARS_MS = 10 * 365 * 24 * 3600_000;

export interface Authority {
  readonly certificatePem: string;
  readonly certificate: CertificateView;
  /** Signs a request with these usages (`client auth`, …), never as an authority. Returns PEM. */
  sign(
    request: SigningRequestView,
    options: { readonly usages: readonly string[]; readonly durationMs: number },
  ): Promise<string>;
  /** Signs a key of the cluster itself, such as a component's; names are for serving certificates. */
  issue(
    subject: { readonly commonName: string; readonly organizations?: readonly string[] },
    publicKey: CryptoKey,
    options: { readonly usages: readonly string[]; readonly durationMs: number; readonly names?: ServedNames },
  ): Promise<string>;
}

/** The names and addresses of a serving certificate. */
export interface ServedNames {
  readonly dns?: readonly string[];
  readonly ip?: readonly string[];
}

export interface AuthorityDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Creates keys and signs; the platform by default. */
  readonly keyMaker?: KeyMaker;
}

/** The files of an authority, as `--client-ca-file` and `--cluster-signing-…-file` name them. */
export interface AuthorityFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a new self-signed authority. */
export async function createAuthorityFiles(commonName: string, deps: AuthorityDeps): Promise<AuthorityFiles> {
  const { keyMaker = platformKeys } = deps;
  const keys = await keyMaker.generate('EC');
  const now = deps.clock.now();
  const certificate = await selfSigned({
    commonName,
    serial: serialBytes(deps.random),
    notBefore: now - BACKDATE_MS,
    notAfter: now + OWN_YEARS_MS,
    keys,
    signer: keyMaker,
  });
  return { certificate: encodePem('CERTIFICATE', certificate), key: await exportPrivateKey(keys.privateKey) };
}

/** An authority from its files. Throws if they lack a certificate or a key. */
export async function openAuthority(files: AuthorityFiles, deps: AuthorityDeps): Promise<Authority> {
  const [der] = pemBodies(files.certificate, 'CERTIFICATE');
  if (!der) throw new Error('the certificate file of the authority holds no certificate');
  const own = await inOneTurn(() => readCertificate(der));
  const key = await inOneTurn(() => importPrivateKey(files.key));
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
    const platform = signingWith(this.#deps.keyMaker ?? platformKeys);
    const issuer = this.#own.certificate.publicKey;
    const wanted = {
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
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, platform),
        ...template.extensions,
      ],
    };
    const certificate = await x509.X509CertificateGenerator.create(wanted, platform);
    return encodePem('CERTIFICATE', new Uint8Array(certificate.rawData));
  }
}

/** Only the alternative names of a request are used; usages come from the signing request's object. */
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

/** The platform's cryptography with the library's interface, except that the cluster's own signer signs. */
function signingWith(signer: KeyMaker): Crypto {
  const sign: SubtleCrypto['sign'] = async (_algorithm, key, content) =>
    (await signer.sign(key, copyOf(content))).buffer;
  const subtle = new Proxy(crypto.subtle, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (name === 'sign' || typeof method !== 'function') return name === 'sign' ? sign : method;
      return (...args: unknown[]) => inOneTurn(() => Promise.resolve(Reflect.apply(method, target, args)));
    },
  });
  return new Proxy(crypto, { get: (target, name) => (name === 'subtle' ? subtle : Reflect.get(target, name)) });
}

function copyOf(source: BufferSource): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()
    : new Uint8Array(source);
}

/** 128 bits, positive. */
export function serialBytes(random: Random): Uint8Array {
  return random.bytes(16).map((byte, i) => (i === 0 ? byte & 0x7f : byte));
}

function serial(random: Random): string {
  return toHex(serialBytes(random));
}
