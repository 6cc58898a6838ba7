/** Bootstrap tokens: short-lived secrets for joining machines (specification, Secrets and service accounts). */
import type { Names } from '../names/index.ts';
import type { ApiObject } from '../schema/index.ts';
import type { Clock } from '../std/index.ts';
import { accepted, passed, userInfo } from './attempts.ts';
import { equalSecrets, textOfData } from './secrets.ts';
import type { TokenAuthenticator } from './types.ts';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const GROUP = 'system:bootstrappers';
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

const bootstrapSecretName = (id: string): string => `bootstrap-token-${id}`;
const bootstrapSecretType = (names: Names): string => names.fill('bootstrap.{label}/token');

export interface BootstrapOptions {
  readonly names: Names;
  readonly clock: Clock;
  /** Reads a secret of the system namespace. */
  readonly getSecret: (name: string) => ApiObject | undefined;
}

/** A bootstrap token's parts. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

function parseBootstrapToken(token: string): BootstrapToken | undefined {
  const match = TOKEN.exec(token);
  return match ? { id: String(match[1]), secret: String(match[2]) } : undefined;
}

export function bootstrapTokens(options: BootstrapOptions): TokenAuthenticator {
  return {
    name: 'bootstrap token',
    authenticateToken: (text) => {
      const token = parseBootstrapToken(text);
      if (!token) return passed('not of the form of a bootstrap token');
      const secret = options.getSecret(bootstrapSecretName(token.id));
      const why = secret ? unusable(secret, token, options) : 'there is no secret for this token';
      if (!secret || why !== undefined) return passed(why ?? '');
      const groups = extraGroups(secret) ?? [];
      return accepted(
        `the token ${token.id} may authenticate`,
        userInfo(`system:bootstrap:${token.id}`, [...new Set([GROUP, ...groups])].sort()),
      );
    },
  };
}

/** Why a secret's token can't authenticate; undefined if it can. */
function unusable(secret: ApiObject, token: BootstrapToken, options: BootstrapOptions): string | undefined {
  if (secret.metadata.deletionTimestamp !== undefined) return 'the secret is being deleted';
  if (secret.type !== bootstrapSecretType(options.names)) return 'the secret is of another type';
  if (!equalSecrets(textOfData(secret, 'token-secret') ?? '', token.secret)) return 'the secret part does not match';
  if (textOfData(secret, 'token-id') !== token.id) return 'the id does not match';
  if (isBootstrapTokenExpired(secret, options.clock.now())) return 'the token has expired';
  if (textOfData(secret, 'usage-bootstrap-authentication') !== 'true') return 'the token is not for authentication';
  return extraGroups(secret) === undefined ? 'a group of the token is not valid' : undefined;
}

/** Whether a token has expired. An unreadable expiry counts as expired. */
function isBootstrapTokenExpired(secret: ApiObject, now: number): boolean {
  const expiration = textOfData(secret, 'expiration');
  if (expiration === undefined || expiration === '') return false;
  const at = bootstrapTokenExpiry(secret);
  return at === undefined || at <= now;
}

/** When a token expires, in milliseconds since the epoch; undefined if it is missing or not RFC 3339. */
function bootstrapTokenExpiry(secret: ApiObject): number | undefined {
  const expiration = textOfData(secret, 'expiration') ?? '';
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration)
    ? Date.parse(expiration)
    : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The extra groups in the secret; undefined if one is not allowed. */
function extraGroups(secret: ApiObject): readonly string[] | undefined {
  const list = textOfData(secret, 'auth-extra-groups') ?? '';
  if (list === '') return [];
  const groups = list.split(',');
  return groups.every((group) => EXTRA_GROUP.test(group)) ? groups : undefined;
}
