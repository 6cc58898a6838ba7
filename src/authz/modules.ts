import { Part } from '../std/index.ts';

/** Modules that a flag names and few flags do. */
export const optionalModules = new Part(() => import('./optional.ts'));

/** Questions of those who look on. */
export const accessAnswers = new Part(() => import('./accessQuestions.ts'));
