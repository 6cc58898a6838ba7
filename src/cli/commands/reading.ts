/** The commands that show what there is and change nothing. */
import type { Command } from '../command/command.ts';
import { clusterInfo, version } from './about.ts';
import { auth } from './auth.ts';
import { config } from './config/index.ts';
import { describe } from './describe.ts';
import { apiResources, apiVersions } from './discovery.ts';
import { events } from './events.ts';
import { copy } from './copy.ts';
import { attach, exec, portForward, proxy } from './exec.ts';
import { explain } from './explain.ts';
import { get } from './get.ts';
import { kustomize } from './kustomize.ts';
import { logs } from './logs.ts';
import { completion, plugin } from './shell.ts';
import { top } from './top.ts';
import { wait } from './wait.ts';

export const reading: readonly Command[] = [
  ...[get, describe, explain, logs, exec, attach, copy, portForward, proxy],
  ...[wait, events, top, auth, config, version, clusterInfo, apiResources, apiVersions, kustomize, completion, plugin],
];
