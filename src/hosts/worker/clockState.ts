import type { Cluster } from '../../cluster/index.ts';

export interface ClockState {
  readonly now: number;
  readonly paused: boolean;
  readonly scale: number;
  /** Where the current step ends. */
  readonly target?: number;
  /** The next timer whose moment matters, and whose it is. */
  readonly next?: { readonly due: number; readonly what: string };
}

export function clockState({ clock }: Cluster): ClockState {
  const { paused, scale, target, next } = clock;
  return { now: clock.now(), paused, scale, ...(target !== undefined && { target }), ...(next && { next }) };
}
