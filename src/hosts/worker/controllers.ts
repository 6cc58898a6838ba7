/** The state of controllers and scheduler, and their manual control. */
import type { Cluster, ControllersView } from '../../cluster/index.ts';

/** Pauses a controller, lets it go on, or lets it reconcile one key. */
export interface ControllerMove {
  readonly do: 'pause' | 'resume' | 'step';
  readonly controller: string;
}

/** The controllers as they stand at a revision of storage. */
export interface ControllersState extends ControllersView {
  readonly revision: number;
}

/** The name under which the scheduler stands in the list: people pause it as they pause a controller. */
const SCHEDULER = 'scheduler';

export function steerController(cluster: Cluster, { do: what, controller }: ControllerMove): void {
  const { controllers, scheduling } = cluster;
  if (controller !== SCHEDULER) {
    if (what === 'step') controllers.step(controller);
    else controllers.setPaused(controller, what === 'pause');
  } else if (what === 'step') scheduling.step();
  else scheduling.setPaused(what === 'pause');
  followers.get(cluster)?.forEach((soon) => soon());
}

/** Notified of manual changes, because the trace contains only the components' own work. */
const followers = new WeakMap<Cluster, Set<() => void>>();

/** The scheduler in the form of a controller; its queue is the only loop. */
function schedulerView({ scheduling, names }: Cluster): ControllersView['controllers'][number] {
  const view = scheduling.view();
  const { waiting = 0, next = [], delayed = [], paused = false } = view ?? {};
  const loop = { name: SCHEDULER, workers: 1, waiting, next, running: [], delayed, failing: [], paused };
  return {
    name: SCHEDULER,
    user: names.fill('system:{prefix}-scheduler'),
    notStarted: !view,
    loops: [loop],
    reads: [],
  };
}

/** Changes within this many milliseconds are reported together. */
const GATHER_MS = 200;

/** Calls `tell` with the state now and after loops or the scheduler have worked; returns what ends that. */
export function followControllers(cluster: Cluster, tell: (state: ControllersState) => void): () => void {
  const { controllers, storage, trace } = cluster;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    timer = undefined;
    const { controllers: all, informers } = controllers.view();
    tell({ controllers: [schedulerView(cluster), ...all], informers, revision: storage.revision });
  };
  const soon = (): void => void (timer ??= setTimeout(read, GATHER_MS));
  const all = followers.get(cluster) ?? new Set();
  followers.set(cluster, all.add(soon));
  const ends = [controllers.follow(soon), trace.hear(soon, 'scheduling')];
  read();
  return () => {
    clearTimeout(timer);
    all.delete(soon);
    ends.forEach((end) => end());
  };
}
