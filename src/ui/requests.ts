/** The log of requests, and breakpoints that hold them. */
import type { Breakpoint, BriefEvent, Delivery, Held, WholeRequest } from '../trace/index.ts';

/** The log of requests, most of which stays where the cluster runs. */
export interface RequestsControl {
  /** Begins the log. Calls back with requests in short as they happen; returns what ends it and forgets all. */
  follow(listener: (events: readonly BriefEvent[]) => void): () => void;
  /** While paused, requests are told and not kept. */
  pause(paused: boolean): Promise<void>;
  /** Calls back with all that was kept of a request, now and whenever there is more; null if nothing is. Returns what ends it. */
  whole(request: string, listener: (whole: WholeRequest | null) => void): () => void;
  /** Calls back with the watches that were notified of a revision, in the same way. */
  notified(revision: number, listener: (deliveries: readonly Delivery[]) => void): () => void;
}

/** Breakpoints, what waits at them, and the steps before which there can be some. */
export interface BreakpointState {
  readonly set: readonly Breakpoint[];
  readonly steps: readonly string[];
  readonly held: readonly Held[];
}

/** Where requests are held for somebody to look at. */
export interface BreakpointControl {
  /** Calls back with how it stands, now and whenever that changes; returns what ends it. */
  follow(listener: (state: BreakpointState) => void): () => void;
  /** Replaces all breakpoints; what waits at one that is gone goes on. */
  set(breakpoints: readonly Breakpoint[]): Promise<void>;
  /** Lets a request go on, with the object given where there is one. */
  release(request: string, object?: unknown): Promise<void>;
}

/** The part of a cluster that has to do with single requests. */
export interface Requested {
  /** Absent in the past, where nothing is asked. */
  readonly requests?: RequestsControl;
  /** Absent where the host can't hold requests. */
  readonly breakpoints?: BreakpointControl;
}
