/** The duration of each stage before the handler. */
import { histogram, type Clock, type Metrics, type Series } from '../../std/index.ts';

export const filterDuration = histogram(
  'apiserver_request_filter_duration_seconds',
  'How long requests spent in each stage before their handlers, waiting included.',
  [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5],
  ['filter'],
);

const FILTERS = ['authentication', 'audit', 'impersonation', 'authorization'] as const;

/** A stage; `flow` is the one for flow control, whose name depends on the mechanism. */
export type Filter = (typeof FILTERS)[number] | 'flow';

export class FilterTimer {
  readonly #clock: Clock;
  readonly #series: ReadonlyMap<Filter, Series>;

  constructor(metrics: Metrics, clock: Clock, fair: boolean) {
    this.#clock = clock;
    const at = (filter: string): Series => metrics.at(filterDuration, { filter });
    this.#series = new Map<Filter, Series>([
      ...FILTERS.map((filter) => [filter, at(filter)] as const),
      ['flow', at(fair ? 'priorityandfairness' : 'maxinflight')],
    ]);
  }

  /** Records a stage that began at `since`, a time of the clock; returns the start of the next one. */
  passed(filter: Filter, since: number, times = 1): number {
    const now = this.#clock.now();
    this.#series.get(filter)?.observe((now - since) / 1000, times);
    return now;
  }
}
