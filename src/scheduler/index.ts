import { Client, Informers, type Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { Metrics, type Clock, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import {
  ConfigurationError,
  defaultConfiguration,
  Fields,
  profilesOf,
  readConfiguration,
  type Configuration,
  type ProfileChoice,
} from './config/index.ts';
import { listersOf } from './listers.ts';
import { Scheduler } from './scheduler.ts';

export interface SchedulerDependencies {
  /** The way to the API server as a user of that name. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** Where the process counts; the scheduler counts by itself where none is given. */
  readonly metrics?: Metrics;
  readonly names: Names;
  readonly flags: FlagOf;
  /** The virtual file set, in which `--config` names one. */
  readonly files: Readonly<Record<string, string>>;
}

/** The text of a flag: what was given, or its default; undefined for a text that nobody gave. */
type FlagOf = (name: string) => string | undefined;

/** What is wrong with a configuration file; undefined where it can be used. YAML has to be loaded. */
export function problemWithConfiguration(text: string): string | undefined {
  try {
    profilesOf(readConfiguration(text));
    return undefined;
  } catch (problem) {
    if (problem instanceof ConfigurationError) return problem.message;
    throw problem;
  }
}

/** The file's configuration, or what the flags say that it replaced. */
function configurationOf({ flags, files }: Pick<SchedulerDependencies, 'flags' | 'files'>): Configuration {
  const path = flags('config') ?? '';
  if (path !== '') return readConfiguration(files[path] ?? '');
  const hardPodAffinityWeight = Number(flags('hard-pod-affinity-symmetric-weight'));
  return defaultConfiguration({
    schedulerName: flags('scheduler-name') ?? '',
    points: flags('algorithm-provider') === 'ClusterAutoscalerProvider' ? forAutoscaling : {},
    args: new Map([['InterPodAffinity', new Fields({ hardPodAffinityWeight }, 'InterPodAffinity')]]),
  });
}

/** Fills nodes instead of spreading over them, so that a cluster's size can follow its use. */
const forAutoscaling: ProfileChoice['points'] = {
  score: {
    disabled: ['NodeResourcesLeastAllocated'],
    enabled: [{ name: 'NodeResourcesMostAllocated', weight: 1 }],
  },
};

/** Runs the scheduler against an API server. Throws ConfigurationError. */
export function startScheduler(dependencies: SchedulerDependencies): { stop(): Promise<void> } {
  const { clock, names, random, tracer, metrics = new Metrics() } = dependencies;
  const configuration = configurationOf(dependencies);
  const identity = names.fill('{prefix}-scheduler');
  const client = new Client({ transport: dependencies.transportFor(`system:${identity}`), names, userAgent: identity });
  const informers = new Informers({ client, clock, random });
  const listers = listersOf(informers, names);
  const scheduler = new Scheduler({
    ...{ client, clock, informers, listers, random, tracer },
    profiles: profilesOf(configuration),
    percentage: configuration.percentageOfNodesToScore,
    backoff: configuration.backoff,
    metrics,
  });
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
