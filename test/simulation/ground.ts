/** What a simulation is played on: a cluster in this process, or one in a browser's tabs. */
import type { ClusterOptions, TraceEvent } from '../../src/cluster/index.ts';
import type { Send } from '../kills/counters.ts';

/** An object as the simulation looks at it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- fields of any kind are read, and missing ones are undefined
export type Loose = any;

export interface Ground {
  /** A request of an administrator. */
  readonly send: Send;
  /** Moves the cluster's clock; resolves when everything that fell due has run. */
  advance(ms: number): Promise<void>;
  /** Forgets all history, so that watches have to read again. */
  forget(): Promise<void>;
  restart(): Promise<void>;
  /** What the trace tells of requests and reconciles while `work` is done. */
  traced(work: () => Promise<void>): Promise<readonly TraceEvent[]>;
}

/** Watches end after a few seconds, so that every cache is taken up again and again. */
export const OPTIONS = {
  name: 'simulation',
  nodes: 3,
  clock: 'manual',
  apiserver: ['--min-request-timeout=3'],
  // A request that failed after its quota was charged is given back by the next count.
  controllerManager: ['--use-service-account-credentials=true', '--resource-quota-sync-period=5s'],
} as const satisfies ClusterOptions;
