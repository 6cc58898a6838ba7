import { Part } from '../std/index.ts';

/** Reads the plugins' configuration file, if a flag names one. */
export const configurationFile = new Part(() => import('./configuration.ts'));
