/** What the reference's client printed, kept in `recorded/FAMILY.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Ended } from './family.ts';

export type Recorded = Ended & { readonly line: string };

const fileOf = (family: string): string => `test/cli/recorded/${family}.json`;

/** Empty for a family that was never recorded. */
export function readRecorded(family: string): readonly Recorded[] {
  try {
    return JSON.parse(readFileSync(fileOf(family), 'utf8')) as readonly Recorded[];
  } catch {
    return [];
  }
}

export const writeRecorded = (family: string, recorded: readonly Recorded[]): void =>
  writeFileSync(fileOf(family), `${JSON.stringify(recorded, null, 2)}\n`);
