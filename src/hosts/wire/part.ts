import { Part } from '../../std/index.ts';

/** What carries streams; few calls switch their connection. */
export const streamsPart = new Part(() => import('./sessions.ts'));
