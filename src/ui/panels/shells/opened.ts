/** Which shells are open, as the dock lists them. What runs in them is fetched with the first (`session.ts`). */
import { create } from '../../store.ts';
import type { ContainerTarget } from '../../../client/index.ts';
import { showDock } from '../../shell/overlay.ts';

export interface OpenedShell {
  readonly id: number;
  readonly target: ContainerTarget;
  /** All containers of the pod. */
  readonly containers: readonly string[];
}

export const useShells = create<{ readonly shells: readonly OpenedShell[]; readonly current: number }>()(() => ({
  shells: [],
  current: 0,
}));

let lastId = 0;

/** Opens a shell in a container, in the dock. */
export function openShell(target: ContainerTarget, containers: readonly string[]): void {
  const id = ++lastId;
  useShells.setState(({ shells }) => ({ shells: [...shells, { id, target, containers }], current: id }));
  showDock('shell');
}

export function chooseShell(current: number): void {
  useShells.setState({ current });
}

/** Takes a shell from the list; the one before it is shown then. */
export function forgetShell(id: number): void {
  useShells.setState(({ shells, current }) => {
    const left = shells.filter((shell) => shell.id !== id);
    return { shells: left, current: current === id ? (left.at(-1)?.id ?? 0) : current };
  });
}
