/** The running scheduler, built from flags or a configuration file. */
import {
  Client,
  Informers,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  podDisruptionBudgets,
  pods,
  services,
  type ResourceRef,
} from '../client/index.ts';
import { getOwn, inBackground, Metrics, throwToHost } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import {
  ConfigurationError,
  defaultConfiguration,
  Fields,
  profilesOf,
  readConfiguration,
  readPolicy,
  type Configuration,
  type ProfileChoice,
} from './config/index.ts';
import type { RecalledScheduling, RunningScheduler, SchedulerDependencies } from './dependencies.ts';
import { asking } from './asking.ts';
import { AssumedVolumes } from './assumedVolumes.ts';
import { Extender } from './extender/index.ts';
import { listersOf } from './listers.ts';
import type { SchedulingQuestions } from './questions/index.ts';
import { Scheduler } from './scheduler.ts';

/** The error in a configuration file or policy; undefined if it is valid. YAML has to be loaded. */
export function problemWithConfiguration(text: string, kind: 'configuration' | 'policy'): string | undefined {
  try {
    profilesOf(kind === 'policy' ? readPolicy(text, '') : readConfiguration(text));
    return undefined;
  } catch (problem) {
    if (problem instanceof ConfigurationError) return problem.message;
    throw problem;
  }
}

/** The configuration from the file or, without one, from the flags that it replaced. */
function configurationOf({ flags, files }: Pick<SchedulerDependencies, 'flags' | 'files'>): Configuration {
  const path = flags('config') ?? '';
  if (path !== '') return readConfiguration(getOwn(files, path) ?? '', files);
  const policy = flags('policy-config-file') ?? '';
  if (policy !== '') return readPolicy(getOwn(files, policy) ?? '', flags('scheduler-name') ?? '', files);
  const hardPodAffinityWeight = Number(flags('hard-pod-affinity-symmetric-weight'));
  return defaultConfiguration({
    schedulerName: flags('scheduler-name') ?? '',
    points: flags('algorithm-provider') === 'ClusterAutoscalerProvider' ? forAutoscaling : {},
    args: new Map([['InterPodAffinity', new Fields({ hardPodAffinityWeight }, 'InterPodAffinity')]]),
  });
}

/** Packs pods onto few nodes instead of spreading them, so that the cluster can be scaled down. */
const forAutoscaling: ProfileChoice['points'] = {
  score: {
    disabled: ['NodeResourcesLeastAllocated'],
    enabled: [{ name: 'NodeResourcesMostAllocated', weight: 1 }],
  },
};

interface Made {
  readonly scheduler: Scheduler;
  readonly informers: Informers;
}

function make(dependencies: SchedulerDependencies): Made {
  const { clock, names, random, tracer, metrics = new Metrics() } = dependencies;
  const configuration = configurationOf(dependencies);
  const identity = names.fill('{prefix}-scheduler');
  const client = new Client({ transport: dependencies.transportFor(`system:${identity}`), names, userAgent: identity });
  const informers = new Informers({ client, clock, random });
  const assumedVolumes = new AssumedVolumes();
  const listers = listersOf(informers, names, assumedVolumes);
  const scheduler = new Scheduler({
    ...{ client, clock, informers, listers, assumedVolumes, random, tracer },
    extenders: configuration.extenders.map((each) => new Extender(each, { fetch: dependencies.fetch, clock })),
    profiles: profilesOf(configuration),
    percentage: configuration.percentageOfNodesToScore,
    backoff: configuration.backoff,
    metrics,
  });
  return { scheduler, informers };
}

const questionsOf = async ({ scheduler, informers }: Made, asksExtenders: boolean): Promise<SchedulingQuestions> => {
  await informers.synced();
  return (await asking.load()).questionsOf(() => scheduler.now(), { asksExtenders });
};

function stop({ scheduler, informers }: Made): Promise<void> {
  scheduler.stop();
  informers.stop();
  return Promise.resolve();
}

/** Runs the scheduler against an API server. Throws ConfigurationError. */
export function runScheduler(dependencies: SchedulerDependencies): RunningScheduler {
  const made = make(dependencies);
  made.scheduler.setPaused(dependencies.paused ?? false);
  made.informers.start();
  inBackground(made.scheduler.run(), throwToHost);
  return {
    questions: () => questionsOf(made, true),
    view: () => made.scheduler.view(),
    setPaused: (paused) => made.scheduler.setPaused(paused),
    step: () => made.scheduler.step(),
    follow: (changed) => follow(made.informers, dependencies.tracer, changed),
    stop: () => stop(made),
  };
}

/**
 * Answers questions about a cluster that does not change: it reads all objects, schedules no pod, and calls no
 * extenders, because they would answer for the present. Throws ConfigurationError.
 */
export async function recallScheduling(dependencies: SchedulerDependencies): Promise<RecalledScheduling> {
  const made = make(dependencies);
  made.informers.start();
  await made.scheduler.recall();
  return { questions: await questionsOf(made, false), stop: () => stop(made) };
}

/** All resources that answers depend on. */
const FOLLOWED: readonly ResourceRef[] = [
  ...[pods, nodes, services, persistentVolumeClaims, persistentVolumes, podDisruptionBudgets],
];

/** The queue reports its changes to the trace; everything else comes from the caches. */
function follow(informers: Informers, tracer: Tracer, changed: () => void): () => void {
  const each = { added: changed, changed, deleted: changed };
  const ends = [...FOLLOWED.map((ref) => informers.of(ref).on(each)), tracer.hear(changed, 'scheduling')];
  return () => ends.forEach((end) => end());
}
