import { Client, fetchPatiently, Informers, pods } from '../client/index.ts';
import { Part, type Loadable } from '../std/index.ts';
import type { RunningScheduler, SchedulerDependencies } from './dependencies.ts';

/** All of the scheduler: without pods there is nothing that it could do. */
export const scheduling = new Part(() => import('./whole.ts'));

export const schedulerParts: readonly Loadable[] = [scheduling];

/** Runs the scheduler against an API server, from the first pod on that has no node. Throws ConfigurationError. */
export function startScheduler(dependencies: SchedulerDependencies): RunningScheduler {
  return scheduling.loaded ? scheduling.get().runScheduler(dependencies) : untilPodsCome(dependencies);
}

function untilPodsCome(dependencies: SchedulerDependencies): RunningScheduler {
  const { clock, names, random, tracer } = dependencies;
  const identity = names.fill('{prefix}-scheduler');
  const client = new Client({ transport: dependencies.transportFor(`system:${identity}`), names, userAgent: identity });
  const informers = new Informers({ client, clock, random });
  const ended = new AbortController();
  let running: RunningScheduler | undefined;
  const onProblem = (problem: unknown): void => {
    if (tracer.wants('scheduling'))
      tracer.emit({ topic: 'scheduling', pod: '', uid: '', what: 'failed', why: String(problem) });
  };
  const run = async (): Promise<void> => {
    stopLooking();
    await fetchPatiently(scheduling, { clock, signal: ended.signal, onProblem });
    informers.stop();
    if (!ended.signal.aborted) running = scheduling.get().runScheduler(dependencies);
  };
  const stopLooking = informers.of(pods).on({ added: (pod) => (pod.spec.nodeName ? undefined : void run()) });
  informers.start();
  return {
    stop: async () => {
      ended.abort();
      informers.stop();
      await running?.stop();
    },
  };
}

export type { RunningScheduler, SchedulerDependencies };
