/**
 * An OpenID Connect issuer in the cluster, for learning `--oidc-…` without an external one. It answers at its address
 * like any other: the authenticator finds its keys by discovery, through the same `RemoteFetch`.
 */
import { exportJWK, SignJWT, type JWK } from 'jose';
import { isObject, toBase64Url } from '../std/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { RemoteFetch, Trust } from './remote.ts';
import { SIMULATED_ISSUER } from './simulatedIssuerUrl.ts';
import { exportPrivateKey, generateKeys, importPrivateKey, publicHalf } from './x509/keys.ts';
import type { Authority } from './x509/authority.ts';
import { pemBodies } from './x509/pem.ts';
import { certificateVerifier } from './x509/verify.ts';

type IssuerAlgorithm = 'RS256' | 'ES256';

/** The contents of a token. `claims` are added to the usual ones and may override them. */
export interface IdTokenWish {
  readonly subject: string;
  readonly audience: string;
  readonly lifetimeSeconds: number;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** `RS256` by default. */
  readonly algorithm?: IssuerAlgorithm;
}

interface IssuerDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Stores its keys between starts. */
  readonly keyStore: { read(): string | undefined; write(text: string): Promise<void> };
  /** Signs its serving certificate. */
  readonly authority: () => Promise<Authority>;
}

export interface SimulatedIssuer {
  readonly url: string;
  /** Signs a token. */
  issue(wish: IdTokenWish): Promise<string>;
  /** Replaces the keys; older tokens become invalid when a server refreshes the key set. */
  rotate(): Promise<void>;
  /** Answers requests to the issuer and forwards all others to `next`. */
  before(next: RemoteFetch): RemoteFetch;
}

interface IssuerKey {
  readonly kid: string;
  readonly alg: IssuerAlgorithm;
  /** PKCS#8. */
  readonly pem: string;
}

const YEAR_MS = 365 * 24 * 3600_000;

export function simulatedIssuer(deps: IssuerDeps): SimulatedIssuer {
  const keys = new KeyRing(deps);
  const serving = new ServingCertificate(deps);
  return {
    url: SIMULATED_ISSUER,
    issue: async ({ subject, audience, lifetimeSeconds, claims = {}, algorithm = 'RS256' }) => {
      const { kid, pem } = await keys.of(algorithm);
      const now = Math.floor(deps.clock.now() / 1000);
      const usual = { iss: SIMULATED_ISSUER, sub: subject, aud: audience, iat: now, exp: now + lifetimeSeconds };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
        .sign(await importPrivateKey(pem));
    },
    rotate: () => keys.rotate(),
    before: (next) => async (request, trust) => {
      const url = new URL(request.url);
      if (url.origin !== SIMULATED_ISSUER) return next(request, trust);
      await serving.show(trust);
      return answer(url.pathname, keys);
    },
  };
}

async function answer(path: string, keys: KeyRing): Promise<Response> {
  if (path === '/.well-known/openid-configuration') return Response.json(discovery);
  if (path === '/keys') return Response.json({ keys: await keys.published() });
  return new Response(null, { status: 404 });
}

const discovery = {
  issuer: SIMULATED_ISSUER,
  jwks_uri: `${SIMULATED_ISSUER}/keys`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
};

/** One key for each algorithm, created on first use. */
class KeyRing {
  readonly #deps: IssuerDeps;
  #making: Promise<unknown> = Promise.resolve();

  constructor(deps: IssuerDeps) {
    this.#deps = deps;
  }

  /** Serialized, so that concurrent callers get the same key. */
  of(algorithm: IssuerAlgorithm): Promise<IssuerKey> {
    const making = this.#making.then(() => this.#known(algorithm) ?? this.#make(algorithm));
    this.#making = making.catch(() => undefined);
    return making;
  }

  async rotate(): Promise<void> {
    await this.#deps.keyStore.write('[]');
  }

  async published(): Promise<readonly JWK[]> {
    return Promise.all(
      readKeys(this.#deps.keyStore.read()).map(async ({ kid, alg, pem }) => {
        const open = await publicHalf(await importPrivateKey(pem));
        return { ...(await exportJWK(open)), kid, alg, use: 'sig' };
      }),
    );
  }

  #known(algorithm: IssuerAlgorithm): IssuerKey | undefined {
    return readKeys(this.#deps.keyStore.read()).find(({ alg }) => alg === algorithm);
  }

  async #make(alg: IssuerAlgorithm): Promise<IssuerKey> {
    const { privateKey } = await generateKeys(alg === 'RS256' ? 'RSA' : 'EC');
    const kid = toBase64Url(this.#deps.random.bytes(9));
    const made = { kid, alg, pem: await exportPrivateKey(privateKey) };
    await this.#deps.keyStore.write(JSON.stringify([...readKeys(this.#deps.keyStore.read()), made]));
    return made;
  }
}

function readKeys(text: string | undefined): readonly IssuerKey[] {
  const list: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter(isIssuerKey) : [];
}

const isIssuerKey = (value: unknown): value is IssuerKey =>
  isObject(value) && [value.kid, value.pem].every((text) => typeof text === 'string') && typeof value.alg === 'string';

/** Its serving certificate: clients that trust other authorities than the cluster's get no answer. */
class ServingCertificate {
  readonly #deps: IssuerDeps;
  #der: Promise<Uint8Array | undefined> | undefined;

  constructor(deps: IssuerDeps) {
    this.#deps = deps;
  }

  /** Throws the handshake's error. A client without authorities trusts the address alone. */
  async show({ authorities, insecure = false }: Trust = {}): Promise<void> {
    if (authorities === undefined || insecure) return;
    const der = await (this.#der ??= this.#make());
    const verified = await certificateVerifier(authorities, this.#deps.clock).verify(der ? [der] : [], 'server');
    if (!verified.ok) throw new Error(verified.why);
  }

  async #make(): Promise<Uint8Array | undefined> {
    const { hostname } = new URL(SIMULATED_ISSUER);
    const { publicKey } = await generateKeys();
    const authority = await this.#deps.authority();
    const options = { usages: ['server auth'], durationMs: YEAR_MS, names: { dns: [hostname] } };
    return pemBodies(await authority.issue({ commonName: hostname }, publicKey, options), 'CERTIFICATE')[0];
  }
}
