/** Watch metrics. */
import { counter, exponentialBuckets, gauge, histogram, type Metrics, type Series } from '../../std/index.ts';
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
export class WatchCount {
  readonly #watchers: Series;
  readonly #requests: Series;
  readonly #events: Series;
  readonly #sizes: Series;

  constructor(metrics: Metrics, { request, info }: RequestContext, resource: Resource) {
    const { group, version, kind } = resource.gvk;
    const labels = { group, version, kind };
    this.#watchers = metrics.at(registeredWatchers, labels);
    this.#requests = metrics.at(longRunning, labelsOf(request, info));
    this.#events = metrics.at(watchEvents, labels);
    this.#sizes = metrics.at(watchEventSizes, labels);
    this.#watchers.add();
    this.#requests.add();
  }

  sent(bytes: number): void {
    this.#events.add();
    this.#sizes.observe(bytes);
  }

  closed(): void {
    this.#watchers.add(-1);
    this.#requests.add(-1);
  }
}
