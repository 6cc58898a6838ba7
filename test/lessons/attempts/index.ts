import { access } from './access.ts';
import { api } from './api.ts';
import type { Attempt } from './attempt.ts';
import { network } from './network.ts';
import { workloads } from './workloads.ts';

export type { Attempt } from './attempt.ts';

/** By the lessons' ids. */
export const attempts: Readonly<Record<string, readonly Attempt[]>> = { ...access, ...network, ...workloads, ...api };
