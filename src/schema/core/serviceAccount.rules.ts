/** Service accounts: what is prepared before one is stored. */
import type { Rules } from '../define/kind.ts';
import type { ServiceAccount } from './serviceAccount.ts';

/** Of the secrets that an account lists only the names count: they are in its own namespace. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const serviceAccountRules: Rules<ServiceAccount> = {
  prepareCreate: keepSecretNames,
  prepareUpdate: keepSecretNames,
  updateChecks: ['metadata', 'alone'],
};
