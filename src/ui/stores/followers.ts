/** Stores that a panel fills: from their first use on they hear the trace, and they forget everything when the cluster closes. */
import type { TraceEvent } from '../../trace/index.ts';

export interface Follower {
  note?(events: readonly TraceEvent[]): void;
  forget(): void;
}

const followers = new Set<Follower>();

/** From now on `follower` hears of the open cluster, until it closes. Joining twice is joining once. */
export const join = (follower: Follower): void => void followers.add(follower);

export function noteEvents(events: readonly TraceEvent[]): void {
  for (const follower of followers) follower.note?.(events);
}

/** The cluster closes: all forget, and are followers no longer. */
export function dismissFollowers(): void {
  for (const follower of followers) follower.forget();
  followers.clear();
}
