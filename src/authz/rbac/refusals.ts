import { Part } from '../../std/index.ts';

/** Proofs of refusals: until this is loaded, such a verdict has no proof. */
export const refusalProofs = new Part(() => import('./nearMisses.ts'));
