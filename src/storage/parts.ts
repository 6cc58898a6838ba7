/** Code that only some databases need: it is loaded for an export, a restore or a repair. */
import { folding } from './folding.ts';
import { Part, type Loadable } from '../std/index.ts';

export const exporting = new Part(() => import('./disk/export.ts'));
export const repairing = new Part(() => import('./disk/repair.ts'));

export const storageParts: readonly Loadable[] = [exporting, folding, repairing];
