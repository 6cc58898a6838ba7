/** The package `vitrine`: a control plane for tests, in process or at a port. */
import type { CreateCluster, Listen } from './types.ts';
import { makeCluster, optionsOf, testCluster } from './testCluster.ts';

export type * from './types.ts';

/** Makes a control plane in this process. Rejects where a flag is wrong. */
export const createCluster: CreateCluster = async (options = {}) => testCluster(await makeCluster(optionsOf(options)));

/** Makes a control plane that answers at a port of the loopback interface. What it takes to listen is loaded here, as tests in process need none of it. */
export const listen: Listen = async (options = {}) => (await import('./served.ts')).servedCluster(options);
