/** Storage metrics, with the names that dashboards use. */
import type { Scheme } from '../../schema/index.ts';
import { gauge, histogram, type Clock, type Metrics, type Series } from '../../std/index.ts';
import type { Op, Storage } from '../../storage/index.ts';

/** Upper bounds in seconds. */
const DURATIONS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 15, 30, 60];

export const storageDuration = histogram(
  'etcd_request_duration_seconds',
  'How long storage took to make changes durable, by operation and kind of object.',
  DURATIONS,
  ['operation', 'type'],
);
const objectCounts = gauge('etcd_object_counts', 'Stored objects by resource.', ['resource']);
const databaseSize = gauge('etcd_db_total_size_in_bytes', 'Bytes that the database takes on disk.', ['endpoint']);

export const storageFamilies = [storageDuration, objectCounts, databaseSize];

interface Timing {
  readonly scheme: Scheme;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Wraps a storage to time its writes. Reads are in memory and take no measurable time. */
export function timedStorage(storage: Storage, { scheme, metrics, clock }: Timing): Storage {
  const timer = new WriteTimer(scheme, metrics);
  return {
    shared: storage.shared === true,
    get revision() {
      return storage.revision;
    },
    get compacted() {
      return storage.compacted;
    },
    get condition() {
      return storage.condition;
    },
    onCondition: (listener) => storage.onCondition(listener),
    get: (key, revision) => storage.get(key, revision),
    range: (range) => storage.range(range),
    fresh: () => storage.fresh(),
    count: (start, end) => storage.count(start, end),
    commit: async (ops, options) => {
      const started = clock.now();
      const result = await storage.commit(ops, options);
      timer.observe(ops[0], (clock.now() - started) / 1000);
      return result;
    },
    series: (series) => storage.series?.(series),
    writing: () => storage.writing(),
    watch: (options, sink, onEnd) => storage.watch(options, sink, onEnd),
    waitFor: (revision, timeoutMs) => storage.waitFor(revision, timeoutMs),
    compact: (revision) => storage.compact(revision),
    keepHistory: (ms) => storage.keepHistory(ms),
    history: (key) => storage.history(key),
    changesSince: (revision) => storage.changesSince(revision),
    stats: () => storage.stats(),
    export: () => storage.export(),
    close: () => storage.close(),
  };
}

/** Finds the series of a write by its operation and resource. */
class WriteTimer {
  readonly #scheme: Scheme;
  readonly #metrics: Metrics;
  readonly #series = new Map<string, Series>();

  constructor(scheme: Scheme, metrics: Metrics) {
    this.#scheme = scheme;
    this.#metrics = metrics;
  }

  observe(op: Op | undefined, seconds: number): void {
    if (!op) return;
    const operation = op.type !== 'put' ? op.type : op.expect === 0 ? 'create' : 'update';
    // The first two or three segments of the key identify the resource; a series may cover one namespace or several.
    const place = op.key.split('/', 4).join('/');
    const key = `${operation} ${place}`;
    const series = this.#series.get(key) ?? this.#find(key, operation, op.key);
    series.observe(seconds);
  }

  #find(key: string, operation: string, path: string): Series {
    const resource = this.#scheme.all().find(({ prefix }) => path.startsWith(prefix));
    const series = this.#metrics.at(storageDuration, { operation, type: resource?.gvk.kind ?? '' });
    this.#series.set(key, series);
    return series;
  }
}

/** Counts the stored objects. */
export function gaugeStorage(metrics: Metrics, scheme: Scheme, storage: Storage): void {
  metrics.clear(objectCounts);
  for (const resource of scheme.all()) {
    if (resource !== resource.hub || !resource.verbs.includes('list')) continue;
    const { group, resource: plural } = resource.gvr;
    const count = storage.count(resource.prefix, `${resource.prefix.slice(0, -1)}0`);
    metrics.set(objectCounts, { resource: group === '' ? plural : `${plural}.${group}` }, count);
  }
  metrics.set(databaseSize, { endpoint: 'storage' }, storage.stats().bytes);
}
