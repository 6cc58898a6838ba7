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

type ByRevision = Map<number, readonly Delivery[]>;

const KEPT = 3000;
const nothing: readonly Delivery[] = [];

const useDeliveries = create<{ readonly of: ByRevision }>()(() => ({ of: new Map() }));

/** Adds what `events` tell to `known`, and drops the oldest revisions. Batches come many times a second, so the map is not copied. */
export function takeDeliveries(known: ByRevision, events: readonly TraceEvent[]): void {
  for (const event of events) {
    if (event.topic !== 'watch') continue;
    const { request, user, userAgent, at } = event;
    for (const { revision, type } of event.sent ?? [])
      known.set(revision, [...(known.get(revision) ?? nothing), { request, user, userAgent, type, at }]);
  }
  for (const revision of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(revision);
  }
}

/** Feeds the store; the host hands over what it gathered. */
export function noteDeliveries(events: readonly TraceEvent[]): void {
  if (!events.some((event) => event.topic === 'watch' && (event.sent?.length ?? 0) > 0)) return;
  const { of } = useDeliveries.getState();
  takeDeliveries(of, events);
  // The map is the same, but the lists of the revisions that changed are new.
  useDeliveries.setState({ of });
}

export function forgetDeliveries(): void {
  useDeliveries.setState({ of: new Map() });
}

/** The watches that were notified of a revision. */
export function useDeliveriesOf(revision: number): readonly Delivery[] {
  return useDeliveries(({ of }) => of.get(revision) ?? nothing);
}
