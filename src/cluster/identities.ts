/** The parts of the cluster that act on their own behalf, and who they are to the API server. */
import type { UserInfo } from '../authn/index.ts';
import { ADMINISTRATOR, type Names } from '../names/index.ts';

const user = (name: string, groups: readonly string[]): UserInfo => ({ name, groups, extra: {} });

/** The API server towards itself. */
export const loopback = user('system:apiserver', ['system:masters', 'system:authenticated']);

/** The page's built-in administrator: what the shell acts as until somebody else is chosen. */
export const administrator = user(ADMINISTRATOR, ['system:masters', 'system:authenticated']);

/** The user behind a component's name: service accounts and nodes are in the groups that their names imply. */
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
