/** Bootstrap tokens as the controllers read them from secrets (specification, Secrets and service accounts). */
import { nameOf } from '../../client/index.ts';
import type { Secret } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { decodeText, fromBase64, getOwn } from '../../std/index.ts';

const NAME = /^bootstrap-token-([a-z0-9]{6})$/;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Whether a secret is a bootstrap token's: in the system namespace, of their type. */
export function isBootstrapToken(secret: Secret, names: Names): boolean {
  return secret.metadata.namespace === names.systemNamespace && secret.type === names.fill('bootstrap.{label}/token');
}

/** One key of a secret's data as text; empty where it is missing. */
export function textOf(secret: Secret, key: string): string {
  const bytes = fromBase64(getOwn(secret.data, key) ?? '');
  return bytes ? decodeText(bytes) : '';
}

/** When a token expires, in milliseconds since the epoch: Infinity without an expiry, -Infinity if it is invalid. */
export function expiryOf(secret: Secret): number {
  const text = textOf(secret, 'expiration');
  if (text === '') return Infinity;
  const at = RFC3339.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? -Infinity : at;
}

/** The token of a secret, if it may sign at this time. */
export function signingToken(
  secret: Secret,
  names: Names,
  now: number,
): { readonly id: string; readonly secret: string } | undefined {
  const id = textOf(secret, 'token-id');
  const secretPart = textOf(secret, 'token-secret');
  const named = NAME.exec(nameOf(secret))?.[1];
  const usable = isBootstrapToken(secret, names) && named !== undefined && named === id && secretPart !== '';
  if (!usable || expiryOf(secret) <= now || textOf(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return { id, secret: secretPart };
}
