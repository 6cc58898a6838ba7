/** Command lines whose output has to be that of the reference's client: a file for each family. */
import type { Family } from '../family.ts';
import { reading } from './reading.ts';
import { usage } from './usage.ts';
import { writing } from './writing.ts';

export const families: readonly Family[] = [...reading, usage, ...writing];
