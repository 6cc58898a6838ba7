import { tokenClaims } from '../../std/index.ts';
import { textOf } from './kubeconfig.ts';

/** The user that a service account's token names; empty for other tokens, of which only the server knows whose they are. */
export const subjectOf = (token: string): string => textOf(tokenClaims(token), 'sub');
