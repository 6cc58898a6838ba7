/** What tells who asks by means that a new cluster's requests don't use. */
import { Part, type Loadable, type Random } from '../std/index.ts';
import { verifying } from './serviceAccount/issuer.ts';
import type * as methods from './tokenMethods.ts';
import type { KeyMaker } from './x509/keyMaker.ts';
import { loadX509 } from './x509/library.ts';
import type { TokenAuthenticator } from './types.ts';

type TokenMethods = typeof methods;

const tokenMethods = new Part<TokenMethods>(() => import('./tokenMethods.ts'));
/** Checks what a request proves by its own signature. */
export const proofs = new Part(() => import('./clientProof.ts'));

/** Reads where a service is that is asked over the network: few flags name one. */
export const remoteServices = new Part(() => import('./remote.ts'));

/** Keys that follow from a seed. */
const seeded = new Part(() => import('./x509/seededKeys.ts'));

export const authenticationParts: readonly Loadable[] = [tokenMethods, proofs, verifying, remoteServices, seeded];

/** With what reads certificates, so that nothing of it is fetched while components work. */
export async function loadSeededKeys(random: Random): Promise<KeyMaker> {
  await loadX509();
  return (await seeded.load()).seededKeys(random);
}

/** A method that is made for the first token that comes to it; `name` is the method's own. */
export function laterMethod(name: string, make: (methods: TokenMethods) => TokenAuthenticator): TokenAuthenticator {
  if (tokenMethods.loaded) return make(tokenMethods.get());
  let method: TokenAuthenticator | undefined;
  return {
    name,
    authenticateToken: async (token, audiences) => {
      method ??= make(await tokenMethods.load());
      return method.authenticateToken(token, audiences);
    },
  };
}
