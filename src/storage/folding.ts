import { Part } from '../std/index.ts';

/** What is needed once there is history to fold, or a snapshot. */
export const folding = new Part(() => import('./disk/snapshots.ts'));
