/** The identities of the cluster's components. */
import type { UserInfo } from '../authn/index.ts';
import { ADMINISTRATOR, type Names } from '../names/index.ts';

const user = (name: string, groups: readonly string[]): UserInfo => ({ name, groups, extra: {} });

/** The API server's own identity. */
export const loopback = user('system:apiserver', ['system:masters', 'system:authenticated']);

/** The page's built-in administrator, its default identity. */
export const administrator = user(ADMINISTRATOR, ['system:masters', 'system:authenticated']);

/** The user of a component, of which the API server itself is one. */
export const userOf = (name: string, names: Names): UserInfo =>
  name === loopback.name ? loopback : identityOf(name, names);

/** The user of a component name: service accounts and nodes are in the groups that their names imply. */
export function identityOf(name: string, names: Names): UserInfo {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name);
  if (account)
    return user(name, [
      'system:serviceaccounts',
      `system:serviceaccounts:${account[1] as string}`,
      'system:authenticated',
    ]);
  if (name.startsWith('system:node:')) return user(name, ['system:nodes', 'system:authenticated']);
  if (name === administrator.name || name === 'admin')
    return user(names.fill(administrator.name), administrator.groups);
  return user(name, ['system:authenticated']);
}
