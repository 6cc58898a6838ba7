/** Names and claims of service accounts. */
import type { Names } from '../../names/index.ts';
import { isObject } from '../../std/index.ts';

const PREFIX = 'system:serviceaccount:';
const ALL_ACCOUNTS = 'system:serviceaccounts';
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

export const accountUsername = ({ namespace, name }: AccountName): string => `${PREFIX}${namespace}:${name}`;

/** The groups of every account of a namespace. */
export const accountGroups = (namespace: string): string[] => [ALL_ACCOUNTS, `${ALL_ACCOUNTS}:${namespace}`];

/** The account of a user name; undefined if it is not a service account. */
export function splitAccountUsername(username: string): AccountName | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(PREFIX.length).split(':');
  const valid = rest.length === 0 && DNS_LABEL.test(namespace) && name.length <= 253 && DNS_SUBDOMAIN.test(name);
  return valid ? { namespace, name } : undefined;
}

/** The issuer of tokens in secrets. */
export const legacyIssuer = (names: Names): string => names.fill('{product}/serviceaccount');

/** The claims of tokens in secrets. */
export function legacyClaims(names: Names): {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
  readonly uid: string;
} {
  const claim = (name: string): string => names.fill(`{label}/serviceaccount/${name}`);
  return {
    namespace: claim('namespace'),
    secret: claim('secret.name'),
    account: claim('service-account.name'),
    uid: claim('service-account.uid'),
  };
}

/** An object that a token is bound to. */
export interface BoundRef {
  readonly name: string;
  readonly uid: string;
}

/** The private claim of requested tokens, named after the profile's label. */
export interface BoundClaims {
  readonly namespace: string;
  readonly serviceaccount: BoundRef;
  readonly pod?: BoundRef;
  readonly secret?: BoundRef;
  /** Seconds since the epoch after which the client should have renewed the token. */
  readonly warnafter?: number;
}

/** Narrows untrusted claims. */
export function readBoundClaims(value: unknown): BoundClaims | undefined {
  if (!isObject(value) || typeof value.namespace !== 'string') return undefined;
  const account = readRef(value.serviceaccount);
  if (!account) return undefined;
  const [pod, secret] = [readRef(value.pod), readRef(value.secret)];
  return {
    namespace: value.namespace,
    serviceaccount: account,
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    ...(typeof value.warnafter === 'number' ? { warnafter: value.warnafter } : {}),
  };
}

function readRef(value: unknown): BoundRef | undefined {
  return isObject(value) && typeof value.name === 'string' && typeof value.uid === 'string'
    ? { name: value.name, uid: value.uid }
    : undefined;
}
