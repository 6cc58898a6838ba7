import { Client, fetchPatiently, Informers, pods } from '../client/index.ts';
import { inBackground, Part, throwToHost, type Loadable } from '../std/index.ts';
import { asking } from './asking.ts';
import type { RecalledScheduling, RunningScheduler, SchedulerDependencies } from './dependencies.ts';

/** The complete scheduler, loaded when there is a pod to schedule. */
export const scheduling = new Part(() => import('./whole.ts'));

export const schedulerParts: readonly Loadable[] = [scheduling, asking];

/** Runs the scheduler against an API server; it is loaded with the first unscheduled pod. Throws ConfigurationError. */
export function startScheduler(dependencies: SchedulerDependencies): RunningScheduler {
  return scheduling.loaded ? scheduling.get().runScheduler(dependencies) : untilPodsCome(dependencies);
}

/**
 * Answers questions about a cluster that does not change, such as a past one; no pod is scheduled. Throws
 * ConfigurationError.
 */
export const recallScheduling = async (dependencies: SchedulerDependencies): Promise<RecalledScheduling> =>
  (await scheduling.load()).recallScheduling(dependencies);

function untilPodsCome(dependencies: SchedulerDependencies): RunningScheduler {
  const { clock, names, random, tracer } = dependencies;
  const identity = names.fill('{prefix}-scheduler');
  const client = new Client({ transport: dependencies.transportFor(`system:${identity}`), names, userAgent: identity });
  const informers = new Informers({ client, clock, random });
  const ended = new AbortController();
  let running: RunningScheduler | undefined;
  let paused = dependencies.paused ?? false;
  const onProblem = (problem: unknown): void => {
    if (tracer.wants('scheduling'))
      tracer.emit({ topic: 'scheduling', pod: '', uid: '', what: 'failed', why: String(problem) });
  };
  const run = async (): Promise<RunningScheduler> => {
    stopLooking();
    await fetchPatiently(scheduling, { clock, signal: ended.signal, onProblem });
    informers.stop();
    ended.signal.throwIfAborted();
    return (running = scheduling.get().runScheduler({ ...dependencies, paused }));
  };
  let starting: Promise<RunningScheduler> | undefined;
  const start = (): Promise<RunningScheduler> => (starting ??= run());
  const startForPod = (): void => inBackground(start(), (problem) => ended.signal.aborted || throwToHost(problem));
  const stopLooking = informers.of(pods).on({ added: (pod) => (pod.spec.nodeName ? undefined : startForPod()) });
  informers.start();
  return {
    questions: async () => (await start()).questions(),
    view: () => running?.view() ?? (paused ? { waiting: 0, next: [], delayed: [], paused } : undefined),
    setPaused: (wanted) => {
      paused = wanted;
      running?.setPaused(wanted);
    },
    step: () => running?.step(),
    follow: (changed) => followOnceRunning(start, changed),
    stop: async () => {
      ended.abort();
      informers.stop();
      await running?.stop();
    },
  };
}

function followOnceRunning(start: () => Promise<RunningScheduler>, changed: () => void): () => void {
  let end: (() => void) | undefined = () => undefined;
  const begin = start().then((running) => {
    if (!end) return;
    end = running.follow(changed);
    changed();
  });
  inBackground(begin, () => undefined);
  return () => {
    end?.();
    end = undefined;
  };
}

export type { Facts } from './framework/plugin.ts';
export type {
  PodQuestion,
  Draft,
  DrainOutcome,
  Fit,
  Knob,
  LaneView,
  NodeRow,
  NodeTile,
  Overview,
  Placement,
  PreemptionCandidate,
  PreemptionStory,
  QueuedPod,
  Remedy,
  RemoteQuestions,
  SchedulingQuestions,
  Tipping,
  Verdict,
} from './questions/index.ts';
export type { RecalledScheduling, RunningScheduler, SchedulerDependencies };
export type { SchedulerView } from './queue.ts';
