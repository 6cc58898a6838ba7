/** The load of the open cluster: what the person asked for, how far it is. One at a time. */
import { create } from 'zustand';
import { messageOf } from '../stores/actions.ts';
import { makingClient } from '../stores/clients.ts';
import { useSession } from '../stores/session.ts';
import { withSample, type Sample } from './pace.ts';
import { problemWith, type LoadPlan } from './plan.ts';
import { makeNodes, makePods, removeLoad, survey, type Extent, type LoadFollower } from './run.ts';

export type LoadPhase = 'idle' | 'nodes' | 'pods' | 'done' | 'stopped' | 'failed' | 'removing';

export interface Load {
  readonly phase: LoadPhase;
  /** What was asked for. */
  readonly plan: LoadPlan | undefined;
  readonly nodes: Extent;
  readonly pods: Extent;
  /** How far the phase was at which moment. */
  readonly samples: readonly Sample[];
  /** Milliseconds that making it took, where it was made. */
  readonly took: number | undefined;
  readonly problem: string | undefined;
}

const NOTHING: Extent = { asked: 0, done: 0 };

const idle: Load = {
  ...{ phase: 'idle', plan: undefined, nodes: NOTHING, pods: NOTHING, samples: [] },
  ...{ took: undefined, problem: undefined },
};

export const useLoad = create<Load>()(() => idle);

export const isBusy = ({ phase }: Load): boolean => phase === 'nodes' || phase === 'pods' || phase === 'removing';

/** Numbers change with every pod; people read some in a second. */
const SHOW_EVERY = 250;

let stopping = new AbortController();
let showing: ReturnType<typeof setTimeout> | undefined;
let latest: Partial<Load> = {};

function show(): void {
  clearTimeout(showing);
  showing = undefined;
  const { phase, samples } = useLoad.getState();
  const change = latest;
  latest = {};
  const done = (phase === 'nodes' ? change.nodes : change.pods)?.done;
  useLoad.setState({
    ...change,
    ...(done !== undefined && { samples: withSample(samples, { at: performance.now(), done }) }),
  });
}

/** Nothing is done of what is about to begin. */
const beginning = (): readonly Sample[] => [{ at: performance.now(), done: 0 }];

function soon(change: Partial<Load>): void {
  latest = { ...latest, ...change };
  showing ??= setTimeout(show, SHOW_EVERY);
}

/** Shows at once what was to be shown soon, and then this. */
function now(change: Partial<Load>): void {
  show();
  useLoad.setState(change);
}

const follower: LoadFollower = {
  nodes: (nodes) => soon({ nodes }),
  pods: (pods) => soon({ pods }),
  problem: (problem) => soon({ problem: messageOf(problem) }),
};

/** A cluster that is left takes what was known of its load along. */
function leaveWithCluster(signal: AbortSignal): () => void {
  const begun = useSession.getState().session;
  return useSession.subscribe(({ session }) => {
    if (session === begun || signal.aborted) return;
    stopping.abort();
    clearTimeout(showing);
    showing = undefined;
    latest = {};
    useLoad.setState(idle, true);
  });
}

/** Brings the open cluster to so many nodes and pods; what an earlier load made counts. Resolves when it is there, stopped or failed. */
export async function startLoad(plan: LoadPlan): Promise<void> {
  if (isBusy(useLoad.getState()) || problemWith(plan) !== undefined) return;
  stopping = new AbortController();
  const { signal } = stopping;
  const leave = leaveWithCluster(signal);
  const client = makingClient();
  const began = performance.now();
  useLoad.setState({ ...idle, plan, phase: 'nodes', samples: beginning() }, true);
  try {
    await makeNodes(client, plan, follower, signal);
    now({ phase: 'pods', samples: beginning() });
    await makePods(client, plan, follower, signal);
    now({ phase: 'done', took: performance.now() - began, problem: undefined });
  } catch (problem) {
    if (useLoad.getState().plan === plan)
      now(signal.aborted ? { phase: 'stopped' } : { phase: 'failed', problem: messageOf(problem) });
  } finally {
    leave();
  }
}

/** Asks for nothing more. What was asked for goes on to run. */
export function stopLoad(): void {
  stopping.abort();
}

/** Removes what loads have made in the open cluster. Resolves when it is gone, or when that failed. */
export async function endLoad(): Promise<void> {
  if (isBusy(useLoad.getState())) return;
  stopping = new AbortController();
  const leave = leaveWithCluster(stopping.signal);
  now({ phase: 'removing', samples: [], problem: undefined });
  try {
    await removeLoad(makingClient(), follower);
    now({});
    useLoad.setState(idle, true);
  } catch (problem) {
    if (useLoad.getState().phase === 'removing') now({ phase: 'failed', problem: messageOf(problem) });
  } finally {
    leave();
  }
}

/** Looks for what loads of earlier visits have left. */
export async function findLoad(): Promise<void> {
  const { plan, phase } = useLoad.getState();
  if (plan || phase !== 'idle') return;
  const found = await survey(makingClient());
  if (found.nodes + found.pods === 0 || useLoad.getState().phase !== 'idle') return;
  const of = (count: number): Extent => ({ asked: count, done: count });
  useLoad.setState({ phase: 'stopped', plan: found, nodes: of(found.nodes), pods: of(found.pods) });
}
