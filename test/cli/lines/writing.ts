/** Families of commands that change the cluster. */
import type { Family } from '../family.ts';
import { attached } from './attached.ts';
import { debug, ephemeral } from './debug.ts';
import { dumps } from './dumps.ts';
import { changes } from './changes.ts';
import { chores } from './chores.ts';
import { config } from './config.ts';
import { errands } from './errands.ts';
import { everydayChanges } from './everydayChanges.ts';
import { habits } from './habits.ts';
import { flow } from './flow.ts';
import { generators } from './generators.ts';
import { local } from './local.ts';
import { manifests } from './manifests.ts';
import { nodes } from './nodes.ts';
import { odds } from './odds.ts';
import { options } from './options.ts';
import { rollout } from './rollout.ts';
import { seldom } from './seldom.ts';
import { shorthandChanges } from './shorthandChanges.ts';

export const writing: readonly Family[] = [
  manifests,
  config,
  changes,
  rollout,
  seldom,
  flow,
  generators,
  errands,
  everydayChanges,
  attached,
  dumps,
  debug,
  ephemeral,
  shorthandChanges,
  chores,
  options,
  local,
  nodes,
  habits,
  odds,
];
