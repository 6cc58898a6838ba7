/** As whom the page asks. Everything but the administrator, a token and a certificate is impersonation by the administrator. */
import { create } from '../store.ts';
import type { Transport } from '../../client/index.ts';

export type Identity =
  | { readonly kind: 'administrator' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly name: string; readonly groups: readonly string[] }
  | { readonly kind: 'account'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'token'; readonly label: string; readonly token: string }
  /** `id` is that of the key in the keyring. */
  | { readonly kind: 'certificate'; readonly name: string; readonly groups: readonly string[]; readonly id: string };

export const administrator: Identity = { kind: 'administrator' };
export const anonymous: Identity = { kind: 'anonymous' };

interface Identities {
  readonly current: Identity;
  /** Those that were used in this session, latest first. */
  readonly recent: readonly Identity[];
}

export const useIdentity = create<Identities>()(() => ({ current: administrator, recent: [] }));

/** What tells two identities apart; a token is known by its label alone, so that it never gets into a key. */
export function keyOfIdentity(identity: Identity): string {
  const more =
    identity.kind === 'user' ? identity.groups.join(',') : identity.kind === 'certificate' ? identity.id : '';
  return `${identity.kind}:${nameOfIdentity(identity)}:${more}`;
}

/** The user's name as the server sees it. */
export function nameOfIdentity(identity: Identity): string {
  switch (identity.kind) {
    case 'administrator':
      return 'administrator';
    case 'anonymous':
      return 'system:anonymous';
    case 'user':
    case 'certificate':
      return identity.name;
    case 'account':
      return `system:serviceaccount:${identity.namespace}:${identity.name}`;
    case 'node':
      return `system:node:${identity.name}`;
    case 'token':
      return identity.label;
  }
}

/** An identity from a user name as the server writes it. */
export function identityOf(user: string, groups: readonly string[] = []): Identity {
  const [, kind, first = '', ...rest] = user.split(':');
  if (user === 'system:anonymous') return anonymous;
  if (user.startsWith('system:serviceaccount:') && rest.length === 1)
    return { kind: 'account', namespace: first, name: rest[0] ?? '' };
  if (user.startsWith('system:node:') && kind === 'node')
    return { kind: 'node', name: user.slice('system:node:'.length) };
  return { kind: 'user', name: user, groups };
}

/** Acts as `identity` from now on. */
export function actAs(identity: Identity): void {
  const key = keyOfIdentity(identity);
  useIdentity.setState(({ recent }) => ({
    current: identity,
    recent:
      identity.kind === 'administrator'
        ? recent
        : [identity, ...recent.filter((each) => keyOfIdentity(each) !== key)].slice(0, 12),
  }));
}

function groupsOf(identity: Identity): readonly string[] {
  if (identity.kind === 'user') return identity.groups;
  if (identity.kind === 'node') return ['system:nodes'];
  return identity.kind === 'anonymous' ? ['system:unauthenticated'] : [];
}

/** The headers with which a request comes from `identity`; a certificate is proved anew with each request. */
export function credentialsOf(identity: Identity): readonly (readonly [string, string])[] {
  if (identity.kind === 'administrator' || identity.kind === 'certificate') return [];
  if (identity.kind === 'token') return [['authorization', `Bearer ${identity.token}`]];
  const groups = groupsOf(identity).map((group) => ['impersonate-group', group] as const);
  return [['impersonate-user', nameOfIdentity(identity)], ...groups];
}

/** A transport whose requests come from `identity`; credentials that a request carries itself stand. */
export function transportAs(transport: Transport, identity: Identity): Transport {
  if (identity.kind === 'certificate') return proving(transport, identity.id);
  const credentials = credentialsOf(identity);
  if (credentials.length === 0) return transport;
  return (path, init) => {
    const headers = new Headers(init?.headers);
    const own = headers.has('authorization') || headers.has('impersonate-user');
    if (!own) for (const [name, value] of credentials) headers.append(name, value);
    return transport(path, { ...init, headers });
  };
}

function proving(transport: Transport, id: string): Transport {
  return async (path, init) => {
    // Few ever hold a certificate; what proves one is fetched by those.
    const { prove } = await import('./proving.ts');
    return prove(transport, id)(path, init);
  };
}
