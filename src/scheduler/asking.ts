import { Part } from '../std/index.ts';

/** Answers for those who look on. */
export const asking = new Part(() => import('./questions/index.ts'));
