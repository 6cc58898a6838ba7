/** Creates the cluster's keys and signs with them: the platform or, with a seed, `seededKeys.ts`. */
import { inOneTurn } from '../../std/index.ts';
import { generateKeys, type KeyKind } from './keys.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface KeyMaker {
  generate(kind?: KeyKind): Promise<CryptoKeyPair>;
  /** Signs with SHA-256: ECDSA (both numbers concatenated) or RSA (PKCS #1 v1.5). */
  sign(key: CryptoKey, content: Bytes): Promise<Bytes>;
}

export const platformKeys: KeyMaker = {
  generate: (kind) => inOneTurn(() => generateKeys(kind)),
  sign: (key, content) =>
    inOneTurn(async () => {
      const algorithm = { ...key.algorithm, hash: hashOf(key) };
      return new Uint8Array(await crypto.subtle.sign(algorithm, key, content));
    }),
};

/** The hash for the curve; RSA keys are imported for SHA-256. */
function hashOf({ algorithm }: CryptoKey): string {
  const { namedCurve } = algorithm as EcKeyAlgorithm;
  return namedCurve === 'P-384' ? 'SHA-384' : namedCurve === 'P-521' ? 'SHA-512' : 'SHA-256';
}
