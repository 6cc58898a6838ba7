/** Tokens reviewed by a remote service with TokenReview; answers are cached (specification, Credential kinds). */
import { ExpiringMap, isObject } from '../std/index.ts';
import { accepted, passed, refused } from './attempts.ts';
import { digest, postJson } from './remote.ts';
import type { RemoteDeps, RemoteEndpoint } from './remote.ts';
import type { Attempt, TokenAuthenticator, UserInfo } from './types.ts';

export interface TokenWebhookOptions extends RemoteDeps {
  readonly endpoint: RemoteEndpoint;
  /** `authentication.{domain}/v1beta1` or `…/v1`. */
  readonly apiVersion: string;
  readonly cacheTtlMs: number;
  /** The audiences of an answer without any. */
  readonly implicitAudiences: readonly string[];
}

export function tokenWebhook(options: TokenWebhookOptions): TokenAuthenticator {
  const cache = new ExpiringMap<Attempt>(options.clock);
  return {
    name: 'webhook',
    authenticateToken: async (token, audiences) => {
      const key = await digest(JSON.stringify([token, audiences]));
      const known = cache.get(key);
      if (known) return known;
      const review = {
        apiVersion: options.apiVersion,
        kind: 'TokenReview',
        metadata: { creationTimestamp: null },
        spec: { token, ...(audiences.length > 0 ? { audiences } : {}) },
      };
      const attempt = judge(await postJson(options, options.endpoint, review), audiences, options.implicitAudiences);
      cache.set(key, attempt, options.cacheTtlMs);
      return attempt;
    },
  };
}

/** A service that does not support audiences vouches only for those of this server. */
function judge(answer: Record<string, unknown>, asked: readonly string[], implicit: readonly string[]): Attempt {
  const status = isObject(answer.status) ? answer.status : {};
  const error = typeof status.error === 'string' ? status.error : '';
  if (status.authenticated !== true)
    return error === '' ? passed('the service does not know the token') : refused(error);
  const told = strings(status.audiences);
  const shared = asked.filter((audience) => (told.length > 0 ? told : implicit).includes(audience));
  if (asked.length > 0 && shared.length === 0) return passed('the token is meant for other audiences');
  return accepted('the service vouches for the token', readUser(isObject(status.user) ? status.user : {}), shared);
}

function readUser(user: Record<string, unknown>): UserInfo {
  const extra = isObject(user.extra)
    ? Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, strings(values)]))
    : {};
  return {
    name: String(user.username ?? ''),
    groups: strings(user.groups),
    extra,
    ...(typeof user.uid === 'string' && user.uid !== '' ? { uid: user.uid } : {}),
  };
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
