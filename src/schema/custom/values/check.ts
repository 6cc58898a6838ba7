import type { Findings } from './findings.ts';

/** Checks a value that stands at `path`. */
export type Check = (value: unknown, path: string, findings: Findings) => void;
