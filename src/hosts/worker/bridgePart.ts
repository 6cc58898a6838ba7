import { Part } from '../../std/index.ts';

/** What answers clients of the bridge and gives them credentials; few clusters have any. */
export const bridge = new Part(() => import('./bridge.ts'));
