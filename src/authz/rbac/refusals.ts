import { Part } from '../../std/index.ts';

/** Why RBAC refused: until this is here, such a verdict has no proof. */
export const refusalProofs = new Part(() => import('./nearMisses.ts'));
