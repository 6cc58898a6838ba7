/** Who was notified of each revision: the watches to which a write went, gathered from the trace. */
import { create } from 'zustand';
import type { TraceEvent } from '../../trace/index.ts';

/** One watch that was notified of a revision. */
export interface Delivery {
  /** The watch's request. */
  readonly request: string;
  readonly user: string;
  readonly userAgent: string;
  /** What the change is to this watcher: ADDED, MODIFIED, DELETED. */
  readonly type: string;
  readonly at: number;
}

type ByRevision = ReadonlyMap<number, readonly Delivery[]>;

const KEPT = 3000;
const nothing: readonly Delivery[] = [];

const useDeliveries = create<{ readonly of: ByRevision }>()(() => ({ of: new Map() }));

/** The deliveries after `events`; those of the oldest revisions are dropped. */
export function takeDeliveries(known: ByRevision, events: readonly TraceEvent[]): ByRevision {
  const next = new Map(known);
  for (const event of events) {
    if (event.topic !== 'watch') continue;
    const { request, user, userAgent, at } = event;
    for (const { revision, type } of event.sent ?? [])
      next.set(revision, [...(next.get(revision) ?? nothing), { request, user, userAgent, type, at }]);
  }
  for (const revision of next.keys()) {
    if (next.size <= KEPT) break;
    next.delete(revision);
  }
  return next;
}

/** Feeds the store; the host hands over what it gathered. */
export function noteDeliveries(events: readonly TraceEvent[]): void {
  if (events.some((event) => event.topic === 'watch' && (event.sent?.length ?? 0) > 0))
    useDeliveries.setState(({ of }) => ({ of: takeDeliveries(of, events) }));
}

export function forgetDeliveries(): void {
  useDeliveries.setState({ of: new Map() });
}

/** The watches that were notified of a revision. */
export function useDeliveriesOf(revision: number): readonly Delivery[] {
  return useDeliveries(({ of }) => of.get(revision) ?? nothing);
}
