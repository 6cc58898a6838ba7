import { Client, Informers, type Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { listersOf } from './listers.ts';
import { plugins } from './plugins/index.ts';
import { Scheduler } from './scheduler.ts';

export interface SchedulerDependencies {
  /** The way to the API server as a user of that name. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
  /** The scheduler's flags; undefined for those that are not set. */
  readonly flags: (name: string) => string | undefined;
}

/** Runs the default scheduler against an API server. */
export function startScheduler(dependencies: SchedulerDependencies): { stop(): Promise<void> } {
  const { clock, names, random, tracer, flags } = dependencies;
  const identity = names.fill('{prefix}-scheduler');
  const client = new Client({ transport: dependencies.transportFor(`system:${identity}`), names, userAgent: identity });
  const informers = new Informers({ client, clock, random });
  const listers = listersOf(informers, names);
  const name = flags('scheduler-name') ?? 'default-scheduler';
  const scheduler = new Scheduler({ client, clock, informers, listers, name, plugins, random, tracer });
  informers.start();
  void scheduler.run();
  return {
    stop: () => {
      scheduler.stop();
      informers.stop();
      return Promise.resolve();
    },
  };
}
