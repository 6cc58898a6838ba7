/** The commands that show what there is and change nothing. */
import type { Command } from '../command/command.ts';
import { describe } from './describe.ts';
import { apiResources, apiVersions } from './discovery.ts';
import { explain } from './explain.ts';
import { get } from './get.ts';

export const reading: readonly Command[] = [get, describe, explain, apiResources, apiVersions];
