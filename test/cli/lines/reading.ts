/** The families of commands that show what there is. */
import type { Family } from '../family.ts';
import { builds } from './builds.ts';
import { corners } from './corners.ts';
import { describe } from './describe.ts';
import { discovery } from './discovery.ts';
import { edges } from './edges.ts';
import { everyday } from './everyday.ts';
import { explain } from './explain.ts';
import { get } from './get.ts';
import { nearby } from './nearby.ts';
import { patches } from './patches.ts';
import { pods } from './pods.ts';
import { shorthand } from './shorthand.ts';
import { sources } from './sources.ts';
import { states } from './states.ts';
import { templates } from './templates.ts';
import { waiting } from './waiting.ts';

export const reading: readonly Family[] = [
  get,
  describe,
  explain,
  discovery,
  pods,
  templates,
  waiting,
  edges,
  everyday,
  builds,
  nearby,
  patches,
  shorthand,
  states,
  corners,
  sources,
];
