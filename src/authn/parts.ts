/** Authentication methods that requests in a new cluster do not use. */
import { Part, type Loadable, type Random } from '../std/index.ts';
import { verifying } from './serviceAccount/issuer.ts';
import type * as methods from './tokenMethods.ts';
import type { KeyMaker } from './x509/keyMaker.ts';
import { loadX509 } from './x509/library.ts';
import type { TokenAuthenticator } from './types.ts';

type TokenMethods = typeof methods;

const tokenMethods = new Part<TokenMethods>(() => import('./tokenMethods.ts'));
/** Verifies the proof in a request. */
export const proofs = new Part(() => import('./clientProof.ts'));

/** Reads the configuration of remote services, which few flags use. */
export const remoteServices = new Part(() => import('./remote.ts'));

/** Keys derived from a seed. */
const seeded = new Part(() => import('./x509/seededKeys.ts'));

export const authenticationParts: readonly Loadable[] = [tokenMethods, proofs, verifying, remoteServices, seeded];

/** Loads the certificate library with them, so that nothing is loaded while components run. */
export async function loadSeededKeys(random: Random): Promise<KeyMaker> {
  await loadX509();
  return (await seeded.load()).seededKeys(random);
}

/** A method that is loaded with the first token; `name` is the method's own. */
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
