import { Part } from '../std/index.ts';

/** Modules that a flag names and few flags do. */
export const uncommonModules = new Part(() => import('./uncommon.ts'));
