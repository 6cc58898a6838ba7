/** A gauge sampled every millisecond, with its maximum and minimum between samples. */
import { histogram, type Clock, type Metrics, type Series } from '../../std/index.ts';

/** Fractions of a limit. */
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

const levelSamples = histogram(
  'apiserver_flowcontrol_priority_level_request_count_samples',
  'Requests of a level, as a share of its seats or of the length of a queue, sampled every millisecond.',
  SHARES,
  ['priority_level', 'phase'],
);
const levelWatermarks = histogram(
  'apiserver_flowcontrol_priority_level_request_count_watermarks',
  'The highest and lowest shares between two samples.',
  SHARES,
  ['priority_level', 'phase', 'mark'],
);

export const sampleFamilies = [levelSamples, levelWatermarks];

/** Samples are taken at whole milliseconds; those since the last change are added at the next change. */
export class Sampler {
  readonly #clock: Clock;
  readonly #samples: Series;
  readonly #highs: Series;
  readonly #lows: Series;
  /** The limit of which the number is a fraction. */
  #limit = 1;
  #value = 0;
  #high = 0;
  #low = 0;
  #sampled: number;

  constructor(metrics: Metrics, clock: Clock, level: string, phase: 'executing' | 'waiting') {
    const labels = { priority_level: level, phase };
    this.#clock = clock;
    this.#samples = metrics.at(levelSamples, labels);
    this.#highs = metrics.at(levelWatermarks, { ...labels, mark: 'high' });
    this.#lows = metrics.at(levelWatermarks, { ...labels, mark: 'low' });
    this.#sampled = Math.floor(clock.now());
  }

  add(by: number): void {
    this.sample();
    this.#value += by;
    this.#high = Math.max(this.#high, this.#value);
    this.#low = Math.min(this.#low, this.#value);
  }

  hold(limit: number): void {
    this.sample();
    this.#limit = Math.max(1, limit);
  }

  /** Adds the samples up to now. */
  sample(): void {
    const now = Math.floor(this.#clock.now());
    const missed = now - this.#sampled;
    if (missed <= 0) return;
    this.#sampled = now;
    const share = this.#value / this.#limit;
    this.#samples.observe(share, missed);
    this.#highs.observe(this.#high / this.#limit);
    this.#lows.observe(this.#low / this.#limit);
    if (missed > 1) for (const marks of [this.#highs, this.#lows]) marks.observe(share, missed - 1);
    this.#high = this.#low = this.#value;
  }
}
