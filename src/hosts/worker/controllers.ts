/** How controllers stand, and what a person does to them. */
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

export function steerController({ controllers }: Cluster, { do: what, controller }: ControllerMove): void {
  if (what === 'step') controllers.step(controller);
  else controllers.setPaused(controller, what === 'pause');
}

/** Changes that come within so many milliseconds are told together. */
const GATHER_MS = 200;

/** Calls `tell` with the state now and after loops have worked; returns what ends that. */
export function followControllers(
  { controllers, storage }: Cluster,
  tell: (state: ControllersState) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    timer = undefined;
    tell({ ...controllers.view(), revision: storage.revision });
  };
  const end = controllers.follow(() => (timer ??= setTimeout(read, GATHER_MS)));
  read();
  return () => {
    clearTimeout(timer);
    end();
  };
}
