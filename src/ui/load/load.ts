/** The load of the open cluster: what the person asked for, how far it is. One at a time. */
import { create } from '../store.ts';
import { messageOf } from '../stores/actions.ts';
import { makingClient } from '../stores/clients.ts';
import { theCluster, useSession, type Session } from '../stores/session.ts';
import { withSample, type Sample } from './pace.ts';
import { problemWith, type LoadPlan } from './plan.ts';
import {
  keepPlan,
  makeNodes,
  makePods,
  removeLoad,
  survey,
  takeLeftovers,
  type Extent,
  type LoadFollower,
} from './run.ts';
import { untilBeat } from '../stores/beat.ts';

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

/** What is being made or removed. What it does after another began, or the cluster was left, is not shown. */
class Run {
  readonly #stopped = new AbortController();
  readonly signal = this.#stopped.signal;
  readonly follower: LoadFollower = {
    nodes: (nodes) => this.#soon({ nodes }),
    pods: (pods) => this.#soon({ pods }),
    problem: (problem) => this.#soon({ problem: messageOf(problem) }),
  };

  get isCurrent(): boolean {
    return run === this;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Shows at once what was to be shown soon, and then this. */
  now(change: Partial<Load>): void {
    if (!this.isCurrent) return;
    show();
    useLoad.setState(change);
  }

  #soon(change: Partial<Load>): void {
    if (!this.isCurrent) return;
    latest = { ...latest, ...change };
    showing ??= setTimeout(show, untilBeat(4));
  }
}

let run = new Run();

/** The cluster as it is, also while the page shows it as it was. */
const liveCluster = (session: Session): unknown =>
  session.phase === 'open' ? (session.past?.live ?? session.cluster) : undefined;

/** A cluster that is left takes what was known of its load along. */
function forget(): void {
  run.stop();
  run = new Run();
  clearTimeout(showing);
  showing = undefined;
  latest = {};
  useLoad.setState(idle, true);
}

useSession.subscribe(({ session }, { session: before }) => {
  if (liveCluster(session) !== liveCluster(before)) forget();
});

/** One at a time, and none in the past. */
const canBegin = (): boolean => !isBusy(useLoad.getState()) && theCluster().past === undefined;

/** Brings the open cluster to so many nodes and pods; what an earlier load made counts. Resolves when it is there, stopped or failed. */
export async function startLoad(plan: LoadPlan): Promise<void> {
  if (!canBegin() || problemWith(plan) !== undefined) return;
  const mine = (run = new Run());
  const { follower, signal } = mine;
  const client = makingClient();
  const began = performance.now();
  useLoad.setState({ ...idle, plan, phase: 'nodes', samples: beginning() }, true);
  try {
    await keepPlan(client, plan);
    await takeLeftovers(client, plan, signal);
    await makeNodes(client, plan, follower, signal);
    mine.now({ phase: 'pods', samples: beginning() });
    await makePods(client, plan, follower, signal);
    mine.now({ phase: 'done', took: performance.now() - began, problem: undefined });
  } catch (problem) {
    mine.now(signal.aborted ? { phase: 'stopped' } : { phase: 'failed', problem: messageOf(problem) });
  }
}

/** Asks for nothing more. What was asked for goes on to run. */
export function stopLoad(): void {
  run.stop();
}

/** Removes what loads have made in the open cluster. Resolves when it is gone, or when that failed. */
export async function endLoad(): Promise<void> {
  if (!canBegin()) return;
  const mine = (run = new Run());
  mine.now({ phase: 'removing', samples: [], problem: undefined });
  try {
    await removeLoad(makingClient(), mine.follower, mine.signal);
    if (mine.isCurrent) forget();
  } catch (problem) {
    mine.now({ phase: 'failed', problem: messageOf(problem) });
  }
}

/** Looks for what loads of earlier visits have left. */
export async function findLoad(): Promise<void> {
  const { plan, phase } = useLoad.getState();
  if (plan || phase !== 'idle' || theCluster().past) return;
  const before = run;
  const found = await survey(makingClient());
  if (!found || !before.isCurrent) return;
  const of = (count: number): Extent => ({ asked: count, done: count });
  before.now({ phase: 'stopped', plan: found.plan, nodes: of(found.made.nodes), pods: of(found.made.pods) });
}
