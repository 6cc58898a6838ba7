/** The built-in administrator's user name, as servers know it. */
import { ADMINISTRATOR, namesOf, profiles } from '../../names/index.ts';

const administrators = new Set<string>(profiles.map((profile) => namesOf(profile).fill(ADMINISTRATOR)));

/** Whether the server means the built-in administrator by this user name. */
export const isAdministratorName = (user: string): boolean => administrators.has(user);
