import { Part } from '../std/index.ts';

/** Answers to questions, for inspection. */
export const asking = new Part(() => import('./questions/index.ts'));
