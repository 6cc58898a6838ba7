/** Watch metrics. */
import { counter, exponentialBuckets, gauge, histogram, type Metrics } from '../../std/index.ts';
import type { RequestContext } from '../context.ts';
import type { Resource } from '../../schema/index.ts';
import { labelsOf, longRunning } from './requests.ts';

const KIND = ['group', 'version', 'kind'] as const;

const registeredWatchers = gauge('apiserver_registered_watchers', 'Watches that are open, by kind.', KIND);
const watchEvents = counter('apiserver_watch_events_total', 'Events sent to watches.', KIND);
const watchEventSizes = histogram(
  'apiserver_watch_events_sizes',
  'How large events sent to watches were, in bytes.',
  exponentialBuckets(1024, 2, 8),
  KIND,
);

export const watchFamilies = [registeredWatchers, watchEvents, watchEventSizes];

/** Counts one watch until `closed`. */
export interface WatchCount {
  sent(bytes: number): void;
  closed(): void;
}

export function countWatch(metrics: Metrics, { request, info }: RequestContext, resource: Resource): WatchCount {
  const { group, version, kind } = resource.gvk;
  const labels = { group, version, kind };
  const open = [metrics.at(registeredWatchers, labels), metrics.at(longRunning, labelsOf(request, info))];
  const events = metrics.at(watchEvents, labels);
  const sizes = metrics.at(watchEventSizes, labels);
  for (const series of open) series.add();
  return {
    sent: (bytes) => {
      events.add();
      sizes.observe(bytes);
    },
    closed: () => open.forEach((series) => series.add(-1)),
  };
}
