/** Impersonation: the `Impersonate-…` headers, and the permissions that they need. */
import type { Names } from '../names/index.ts';
import { userInfo } from './attempts.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED } from './groups.ts';
import { extraOf, headerValues } from './requestHeader.ts';
import { accountGroups, splitAccountUsername } from './serviceAccount/names.ts';
import type { UserInfo } from './types.ts';

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const EXTRA = 'impersonate-extra-';

/** One impersonated attribute, as the resource on which the verb `impersonate` is needed. */
export interface Impersonated {
  readonly group: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

export interface Impersonation {
  readonly user: UserInfo;
  readonly requires: readonly Impersonated[];
}

/** Undefined: no impersonation. A text: the error in the headers. */
export function impersonationOf(headers: Headers, names: Names): Impersonation | string | undefined {
  const name = headers.get(USER) ?? '';
  const groups = headerValues(headers, GROUP);
  const extra = extraOf(headers, [EXTRA]);
  if (name === '') return withoutUser(groups, extra, names);
  const user = { ...userInfo(name, completeGroups(name, groups)), extra };
  return { user, requires: [requiredUser(name), ...groups.map(requiredGroup), ...requiredExtra(extra, names)] };
}

/** The error if groups or extra are impersonated without a user, in the reference's wording. */
function withoutUser(
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
  names: Names,
): string | undefined {
  const version = names.fill('authentication.{domain}/v1');
  const asked = [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ),
  ];
  return asked.length > 0 ? `requested [${asked.join(' ')}] without impersonating a user` : undefined;
}

/** A service account is in its groups unless others are given; everyone is either authenticated or unauthenticated. */
function completeGroups(name: string, asked: readonly string[]): readonly string[] {
  const account = asked.length === 0 ? splitAccountUsername(name) : undefined;
  const groups = account ? accountGroups(account.namespace) : [...asked];
  if (groups.includes(UNAUTHENTICATED)) return groups;
  if (name === ANONYMOUS) return [...groups, UNAUTHENTICATED];
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

function requiredUser(name: string): Impersonated {
  const account = splitAccountUsername(name);
  if (account) return { ...nothing, resource: 'serviceaccounts', namespace: account.namespace, name: account.name };
  return { ...nothing, resource: 'users', name };
}

const requiredGroup = (name: string): Impersonated => ({ ...nothing, resource: 'groups', name });

function requiredExtra(extra: Readonly<Record<string, readonly string[]>>, names: Names): Impersonated[] {
  const group = names.fill('authentication.{domain}');
  return Object.entries(extra).flatMap(([key, values]) =>
    values.map((name) => ({ ...nothing, group, resource: 'userextras', subresource: key, name })),
  );
}

const nothing: Impersonated = { group: '', namespace: '', resource: '', subresource: '', name: '' };
