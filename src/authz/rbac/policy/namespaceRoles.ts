/** Default roles and bindings in the system and public namespaces. */
import { READ, events, on } from './declare.ts';
import type { DeclaredBinding, DeclaredRole } from './declare.ts';

const SIGNER = 'system:controller:bootstrap-signer';
const READER = 'extension-apiserver-authentication-reader';

const leaderLock = (component: string): DeclaredRole => ({
  name: `system::leader-locking-${component}`,
  rules: [on('core', 'configmaps', 'watch'), on('core', 'configmaps', 'get update', { names: component })],
});

const lockBinding = (component: string): DeclaredBinding => ({
  name: `system::leader-locking-${component}`,
  role: `system::leader-locking-${component}`,
  users: [`system:${component}`],
  accounts: [`{prefix}-system/${component}`],
});

const forAccount = (role: string): DeclaredBinding => ({
  name: role,
  role,
  accounts: [`{prefix}-system/${role.replace('system:controller:', '')}`],
});

export interface NamespacePolicy {
  readonly namespace: string;
  readonly roles: readonly DeclaredRole[];
  readonly bindings: readonly DeclaredBinding[];
}

export const namespacePolicies: readonly NamespacePolicy[] = [
  {
    namespace: '{prefix}-system',
    roles: [
      { name: READER, rules: [on('core', 'configmaps', READ, { names: 'extension-apiserver-authentication' })] },
      { name: SIGNER, rules: [on('core', 'secrets', READ)] },
      { name: 'system:controller:cloud-provider', rules: [on('core', 'configmaps', `create ${READ}`)] },
      { name: 'system:controller:token-cleaner', rules: [on('core', 'secrets', `${READ} delete`), events] },
      leaderLock('{prefix}-controller-manager'),
      leaderLock('{prefix}-scheduler'),
    ],
    bindings: [
      {
        name: `system::${READER}`,
        role: READER,
        users: ['system:{prefix}-controller-manager', 'system:{prefix}-scheduler'],
      },
      lockBinding('{prefix}-controller-manager'),
      lockBinding('{prefix}-scheduler'),
      forAccount(SIGNER),
      forAccount('system:controller:cloud-provider'),
      forAccount('system:controller:token-cleaner'),
    ],
  },
  {
    namespace: '{prefix}-public',
    roles: [
      {
        name: SIGNER,
        rules: [on('core', 'configmaps', READ), on('core', 'configmaps', 'update', { names: 'cluster-info' }), events],
      },
    ],
    bindings: [forAccount(SIGNER)],
  },
];
