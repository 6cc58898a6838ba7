/** How far the control plane is behind: what waits in the queues of controllers and of the scheduler. */
import type { ControllersState } from '../../controllers.ts';

export interface Behind {
  /** Keys of controllers and pods of the scheduler that wait for their turn. */
  readonly total: number;
  /** Who has how many of them, the most first. */
  readonly by: readonly { readonly name: string; readonly waiting: number; readonly paused: boolean }[];
}

export function behindIn(state: ControllersState | undefined): Behind {
  const by = (state?.controllers ?? [])
    .map(({ name, loops }) => ({
      name,
      waiting: loops.reduce((sum, loop) => sum + loop.waiting, 0),
      paused: loops.some((loop) => loop.paused),
    }))
    .filter(({ waiting }) => waiting > 0)
    .sort((a, b) => b.waiting - a.waiting);
  return { total: by.reduce((sum, { waiting }) => sum + waiting, 0), by };
}

/** As one sentence. */
export function describeBehind({ by }: Behind): string {
  const who = by.map(({ name, waiting, paused }) => `${name} ${waiting}${paused ? ' (paused)' : ''}`);
  return `Work is still queued, so this list may change: ${who.join(', ')}. Press to see the controllers.`;
}
