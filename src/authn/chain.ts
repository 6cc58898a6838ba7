/**
 * All authentication methods in the reference's order: the first that accepts decides (specification, Credential
 * kinds).
 */
import { anonymous } from './anonymous.ts';
import { guarded, noteOf } from './attempts.ts';
import { bearerToken, tokenIn, tokenMethod, webSocketToken } from './bearer.ts';
import type { Proven } from './clientProof.ts';
import type { BootstrapOptions } from './bootstrapToken.ts';
import { clientCertificate, provenCertificates } from './clientCertificate.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED } from './groups.ts';
import type { OidcOptions } from './oidc.ts';
import { laterMethod, proofs } from './parts.ts';
import { requestHeader } from './requestHeader.ts';
import type { RequestHeaderOptions } from './requestHeader.ts';
import type { ServiceAccountOptions } from './serviceAccount/validator.ts';
import { tokenFile } from './tokenFile.ts';
import type { TokenWebhookOptions } from './tokenWebhook.ts';
import type {
  Attempt,
  AttemptNote,
  Authentication,
  Authenticator,
  Connection,
  TokenAuthenticator,
  UserInfo,
} from './types.ts';
import { certificateVerifier } from './x509/verify.ts';
import type { Names } from '../names/index.ts';
import type { Clock } from '../std/index.ts';

/** The configured methods; a method whose flags are not set is omitted. */
export interface AuthenticationConfig {
  readonly names: Names;
  readonly clock: Clock;
  /** The audiences of this server (`--api-audiences`, else the issuer). */
  readonly audiences: readonly string[];
  /** PEM bundle of `--requestheader-client-ca-file`, and the other flags of that family. */
  readonly requestHeader?: Omit<RequestHeaderOptions, 'verifier' | 'proven'> & { readonly clientCA: string };
  /** PEM bundle of `--client-ca-file`. */
  readonly clientCA?: string;
  /** Called with the expiry of each valid client certificate, in milliseconds since the epoch. */
  readonly onCertificate?: (notAfter: number) => void;
  /** Text of `--token-auth-file`. */
  readonly tokenFile?: string;
  readonly serviceAccount?: Pick<ServiceAccountOptions, 'keys' | 'objects'> & {
    readonly issuer: string;
    readonly lookup: boolean;
  };
  readonly bootstrap?: Pick<BootstrapOptions, 'getSecret'>;
  readonly oidc?: Omit<OidcOptions, 'clock'>;
  readonly webhook?: Omit<TokenWebhookOptions, 'clock' | 'implicitAudiences'>;
  readonly anonymous: boolean;
}

export interface AuthenticationChain {
  readonly audiences: readonly string[];
  /** Authenticates a request. Without a user the request is refused with 401. */
  authenticate(request: Request, connection?: Connection): Promise<Authentication>;
  /** Authenticates a token for a TokenReview, as a request with only this token. */
  review(token: string, audiences: readonly string[]): Promise<Authentication>;
}

/** Throws for an invalid file or flag. */
export function createAuthentication(config: AuthenticationConfig): AuthenticationChain {
  const methods = (audiences: readonly string[], readToken = bearerToken): readonly Authenticator[] =>
    authenticators(config, tokens, audiences, certificates, readToken);
  const tokens = tokenMethods(config);
  const certificates = certificateMethods(config);
  const own = methods(config.audiences);
  return {
    audiences: config.audiences,
    authenticate: (request, connection = {}) => ask(own, request, connection, config.audiences, config.audiences),
    review: (token, audiences) => {
      const wanted = audiences.length > 0 ? audiences : config.audiences;
      // Some texts are invalid in a header of the platform, but any text can be reviewed.
      const read = (): string | undefined => tokenIn(`Bearer ${token}`);
      return ask(methods(wanted, read), new Request('http://token.review/'), {}, wanted, config.audiences);
    },
  };
}

/** Remembers used proofs, so there is one instance for all requests. */
function verifierOfProofs(clock: Clock): (request: Request) => Promise<Proven> {
  let verify: ((request: Request) => Promise<Proven>) | undefined;
  return async (request) => {
    const { proofVerifier } = proofs.loaded ? proofs.get() : await proofs.load();
    verify ??= proofVerifier(clock);
    return verify(request);
  };
}

function certificateMethods(config: AuthenticationConfig): readonly Authenticator[] {
  const { clock } = config;
  const proven = provenCertificates(verifierOfProofs(clock));
  const methods: Authenticator[] = [];
  if (config.requestHeader)
    methods.push(
      requestHeader({
        ...config.requestHeader,
        verifier: certificateVerifier(config.requestHeader.clientCA, clock),
        proven,
      }),
    );
  if (config.clientCA !== undefined)
    methods.push(clientCertificate(certificateVerifier(config.clientCA, clock), proven, config.onCertificate));
  return methods;
}

/** OpenID Connect comes after service accounts: both parse JWTs, and only OpenID Connect may call a remote service. */
function tokenMethods(config: AuthenticationConfig): readonly TokenAuthenticator[] {
  const { names, clock, audiences, serviceAccount, bootstrap, oidc, webhook } = config;
  const methods: TokenAuthenticator[] = [];
  if (config.tokenFile !== undefined) methods.push(tokenFile(config.tokenFile));
  if (serviceAccount) {
    const options = { names, clock, audiences, ...serviceAccount };
    methods.push(laterMethod('service account secret', ({ legacyTokens }) => legacyTokens(options)));
    if (serviceAccount.issuer !== '')
      methods.push(laterMethod('service account token', ({ boundTokens }) => boundTokens(options)));
  }
  if (bootstrap)
    methods.push(
      laterMethod('bootstrap token', ({ bootstrapTokens }) => bootstrapTokens({ names, clock, ...bootstrap })),
    );
  if (oidc) methods.push(laterMethod('OpenID Connect', (its) => its.oidc({ clock, ...oidc })));
  if (webhook)
    methods.push(
      laterMethod('webhook', ({ tokenWebhook }) => tokenWebhook({ clock, implicitAudiences: audiences, ...webhook })),
    );
  return methods;
}

function authenticators(
  config: AuthenticationConfig,
  tokens: readonly TokenAuthenticator[],
  audiences: readonly string[],
  certificates: readonly Authenticator[],
  readToken: (request: Request) => string | undefined,
): readonly Authenticator[] {
  const protocol = config.names.fill('base64url.bearer.authorization.{domain}.');
  return [
    ...certificates,
    ...(tokens.length === 0
      ? []
      : [
          tokenMethod('bearer token', readToken, tokens, audiences),
          tokenMethod('web socket token', (request) => webSocketToken(request, protocol), tokens, audiences),
        ]),
    ...(config.anonymous ? [anonymous] : []),
  ];
}

/** A refusal by any method prevents anonymous access, but not acceptance by another method. */
async function ask(
  methods: readonly Authenticator[],
  request: Request,
  connection: Connection,
  wanted: readonly string[],
  own: readonly string[],
): Promise<Authentication> {
  const attempts: AttemptNote[] = [];
  let wasRefused = false;
  for (const method of methods) {
    if (method === anonymous && wasRefused) break;
    const tried = guarded(() => method.authenticate(request, connection));
    const attempt = restrict(tried instanceof Promise ? await tried : tried, method, wanted, own);
    attempts.push(...(attempt.within ?? []), noteOf(method.name, attempt));
    if (attempt.outcome === 'accepted')
      return { user: withGroups(attempt.user), audiences: attempt.audiences ?? [], attempts };
    wasRefused ||= attempt.outcome === 'refused';
  }
  return { user: undefined, attempts };
}

/** A method that does not support audiences vouches for those of this server; anonymous vouches for any. */
function restrict(attempt: Attempt, method: Authenticator, wanted: readonly string[], own: readonly string[]): Attempt {
  if (attempt.outcome !== 'accepted' || attempt.audiences) return attempt;
  if (method === anonymous) return { ...attempt, audiences: wanted };
  const shared = wanted.filter((audience) => own.includes(audience));
  // Counts as unknown; the message about audiences is for the trace.
  if (wanted.length > 0 && shared.length === 0) {
    const note: AttemptNote = { method: 'audiences', outcome: 'passed', why: 'valid, but not for those asked for' };
    return { outcome: 'refused', why: 'invalid bearer token', within: [...(attempt.within ?? []), note] };
  }
  const { outcome, why, user, within = [] } = attempt;
  return { outcome, why, user, audiences: shared, within };
}

/** Adds the group of authenticated users. */
function withGroups(user: UserInfo): UserInfo {
  const settled =
    user.name === ANONYMOUS || user.groups.includes(AUTHENTICATED) || user.groups.includes(UNAUTHENTICATED);
  return settled ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}
