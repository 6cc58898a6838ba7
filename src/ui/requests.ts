/** The log of requests, as the page asks its host for it. */
import type { BriefEvent, Delivery, WholeRequest } from '../trace/index.ts';

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

/** The part of a cluster that keeps its log. */
export interface Logged {
  /** Absent in the past, where nothing is asked. */
  readonly requests?: RequestsControl;
}
