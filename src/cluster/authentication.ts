/** Creates the authentication chain from the API server's flags and files. */
import type { Access } from '../apiserver/index.ts';
import {
  certificateExpiration,
  createAuthentication,
  oidcProblem,
  readSigningKey,
  readVerifyKeys,
  remoteServices,
  tokenMaker,
  type AccountIssuer,
  type AuthenticationChain,
  type AuthenticationConfig,
  type KeyMaker,
  type RemoteFetch,
  type TokenObjects,
  type VerifyKey,
} from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { parseDuration, type ApiObject } from '../schema/index.ts';
import type { Clock, Metrics } from '../std/index.ts';
import { fileAt, fileOf, FlagError } from './flags/index.ts';

export interface AuthenticationSettings {
  readonly names: Names;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly flag: (name: string) => string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Reaches issuers and webhooks. */
  readonly fetch: RemoteFetch;
  /** Signs tokens; the platform by default. */
  readonly keyMaker?: KeyMaker;
}

export interface RunningAuthentication {
  readonly chain: AuthenticationChain;
  readonly accounts: AccountIssuer | undefined;
}

/** Throws FlagError if a flag names a missing file or has an invalid value. */
export async function startAuthentication(
  settings: AuthenticationSettings,
  access: Access,
): Promise<RunningAuthentication> {
  const { names, clock, metrics, flag } = settings;
  const issuer = flag('service-account-issuer') ?? '';
  const audiences = listOf(flag('api-audiences')) ?? (issuer === '' ? [] : [issuer]);
  const keys = await verifyKeys(settings);
  const tokens = fileOf(settings, 'token-auth-file');
  const clientCA = fileOf(settings, 'client-ca-file');
  const config: AuthenticationConfig = {
    names,
    clock,
    onCertificate: (notAfter) => metrics.observe(certificateExpiration, {}, (notAfter - clock.now()) / 1000),
    audiences,
    // With AlwaysAllow anonymous access is off, as in the reference.
    anonymous: flag('anonymous-auth') !== 'false' && flag('authorization-mode') !== 'AlwaysAllow',
    ...(tokens === undefined ? {} : { tokenFile: tokens }),
    ...(clientCA === undefined ? {} : { clientCA }),
    ...requestHeaderConfig(settings),
    ...(keys.length === 0
      ? {}
      : {
          serviceAccount: {
            keys,
            issuer,
            lookup: flag('service-account-lookup') !== 'false',
            objects: tokenObjects(access),
          },
        }),
    ...bootstrapConfig(settings, access),
    ...oidcConfig(settings),
    ...(await webhookConfig(settings)),
  };
  return { chain: createAuthentication(config), accounts: await accountIssuer(settings, issuer, audiences, keys) };
}

async function verifyKeys({ flag, files }: AuthenticationSettings): Promise<readonly VerifyKey[]> {
  const name = 'service-account-key-file';
  const paths = listOf(flag(name)) ?? [];
  const keys = await Promise.all(paths.map((path) => readVerifyKeys(fileAt(files, name, path))));
  return keys.flat();
}

async function accountIssuer(
  settings: AuthenticationSettings,
  issuer: string,
  audiences: readonly string[],
  keys: readonly VerifyKey[],
): Promise<AccountIssuer | undefined> {
  const { flag, names } = settings;
  const pem = fileOf(settings, 'service-account-signing-key-file');
  if (pem === undefined || issuer === '') return undefined;
  const seconds = (parseDuration(flag('service-account-max-token-expiration') ?? '') ?? 0) / 1000;
  return {
    issuer,
    audiences,
    keys,
    maker: tokenMaker(await readSigningKey(pem, settings.keyMaker), issuer, names),
    maxExpirationSeconds: seconds,
    extendExpiration: flag('service-account-extend-token-expiration') !== 'false',
    jwksUri: flag('service-account-jwks-uri') ?? `${issuer.replace(/\/$/, '')}/openid/v1/jwks`,
  };
}

function requestHeaderConfig(settings: AuthenticationSettings): Pick<AuthenticationConfig, 'requestHeader'> {
  const clientCA = fileOf(settings, 'requestheader-client-ca-file');
  if (clientCA === undefined) return {};
  const list = (name: string): readonly string[] => listOf(settings.flag(name)) ?? [];
  return {
    requestHeader: {
      clientCA,
      allowedNames: list('requestheader-allowed-names'),
      usernameHeaders: list('requestheader-username-headers'),
      groupHeaders: list('requestheader-group-headers'),
      extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
    },
  };
}

function bootstrapConfig(
  { flag, names }: AuthenticationSettings,
  access: Access,
): Pick<AuthenticationConfig, 'bootstrap'> {
  if (flag('enable-bootstrap-token-auth') !== 'true') return {};
  const secrets = reader(access, 'secrets');
  return { bootstrap: { getSecret: (name) => secrets(names.systemNamespace, name) } };
}

function oidcConfig(settings: AuthenticationSettings): Pick<AuthenticationConfig, 'oidc'> {
  const { flag, fetch } = settings;
  const issuer = flag('oidc-issuer-url') ?? '';
  if (issuer === '') return {};
  const options = {
    issuer,
    clientId: flag('oidc-client-id') ?? '',
    algorithms: listOf(flag('oidc-signing-algs')) ?? [],
  };
  const problem = oidcProblem(options);
  if (problem !== undefined) throw new FlagError(`--${problem}`);
  const authorities = fileOf(settings, 'oidc-ca-file');
  return {
    oidc: {
      ...options,
      fetch,
      ...(authorities === undefined ? {} : { trust: { authorities } }),
      usernameClaim: flag('oidc-username-claim') ?? '',
      usernamePrefix: flag('oidc-username-prefix'),
      groupsClaim: flag('oidc-groups-claim') ?? '',
      groupsPrefix: flag('oidc-groups-prefix') ?? '',
      requiredClaims: pairsOf(flag('oidc-required-claim') ?? ''),
    },
  };
}

async function webhookConfig(settings: AuthenticationSettings): Promise<Pick<AuthenticationConfig, 'webhook'>> {
  const { flag, fetch, names } = settings;
  const text = fileOf(settings, 'authentication-token-webhook-config-file');
  if (text === undefined) return {};
  const version = flag('authentication-token-webhook-version') ?? '';
  const cacheTtlMs = parseDuration(flag('authentication-token-webhook-cache-ttl') ?? '') ?? 0;
  const { readEndpoint } = await remoteServices.load();
  return {
    webhook: {
      fetch,
      endpoint: readEndpoint(text, settings.files),
      apiVersion: names.fill(`authentication.{domain}/${version}`),
      cacheTtlMs,
    },
  };
}

function tokenObjects(access: Access): TokenObjects {
  return {
    secret: reader(access, 'secrets'),
    serviceAccount: reader(access, 'serviceaccounts'),
    pod: reader(access, 'pods'),
  };
}

/** Reads objects of a core resource straight from storage. */
function reader(
  { scheme, storage, views }: Access,
  resource: string,
): (namespace: string, name: string) => ApiObject | undefined {
  return (namespace, name) => {
    const type = scheme.byResource({ group: '', version: 'v1', resource });
    const entry = type && storage.get(`${type.hub.prefix}${namespace}/${name}`);
    return entry && views.of(entry, type.hub).object;
  };
}

/** The items of a list flag, with or without brackets. */
function listOf(text: string | undefined): readonly string[] | undefined {
  const items = text
    ?.replace(/^\[|\]$/g, '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items?.length ? items : undefined;
}

/** `a=1,b=2`. */
function pairsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    (listOf(text) ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}
