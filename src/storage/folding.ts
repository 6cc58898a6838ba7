import { Part } from '../std/index.ts';

/** What is needed once there is history to fold, a snapshot, or a database to read. */
export const folding = new Part(() => import('./disk/snapshots.ts'));
