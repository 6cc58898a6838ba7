/** What only some databases need: fetched when somebody exports, restores or repairs one. */
import { Part, type Loadable } from '../std/index.ts';

export const exporting = new Part(() => import('./disk/export.ts'));
export const repairing = new Part(() => import('./disk/repair.ts'));

export const storageParts: readonly Loadable[] = [exporting, repairing];
