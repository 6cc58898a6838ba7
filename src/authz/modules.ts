import { Part } from '../std/index.ts';

/** Optional modules, which few flags enable. */
export const optionalModules = new Part(() => import('./optional.ts'));

/** Questions that people ask about access. */
export const accessAnswers = new Part(() => import('./accessQuestions.ts'));
