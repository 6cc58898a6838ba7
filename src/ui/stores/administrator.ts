/** The built-in administrator's user name, as servers know it. */
import { ADMINISTRATOR, namesOf, profiles, type Names } from '../../names/index.ts';
import { nameOfIdentity, type Identity } from './identity.ts';

const administrators = new Set<string>(profiles.map((profile) => namesOf(profile).fill(ADMINISTRATOR)));

/** Whether the server means the built-in administrator by this user name. */
export const isAdministratorName = (user: string): boolean => administrators.has(user);

/** The user name by which the server knows an identity. */
export const userNameOf = (identity: Identity, names: Names): string =>
  identity.kind === 'administrator' ? names.fill(ADMINISTRATOR) : nameOfIdentity(identity);
