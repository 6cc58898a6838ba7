/** Command lines whose output has to be that of the reference's client: a file for each family. */
import type { Family } from '../family.ts';
import { discovery } from './discovery.ts';
import { get } from './get.ts';
import { manifests } from './manifests.ts';
import { usage } from './usage.ts';

export const families: readonly Family[] = [get, discovery, usage, manifests];
