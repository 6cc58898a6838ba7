import { rfc3339Micro, type Clock, type Timer } from '../std/index.ts';
import type { Client } from './client.ts';
import { referenceTo, type Regarding } from './eventRecorder.ts';
import { eventsV1 } from './kinds.ts';

/** A report of a component to the events API (events.k8s.io/v1). */
export interface Report {
  readonly type: 'Normal' | 'Warning';
  /** Why the action was taken, in one word. */
  readonly reason: string;
  /** What was done or attempted, in one word. */
  readonly action: string;
  readonly note: string;
  /** A second object that is involved. */
  readonly related?: Regarding;
}

export interface SeriesRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The reporting controller, such as `default-scheduler`. */
  readonly controller: string;
  /** The machine or process that runs it. */
  readonly instance: string;
}

interface Known {
  readonly name: string;
  readonly namespace: string;
  /** When it was last reported, in milliseconds since the epoch. */
  last: number;
  /** The number of reports after the first. */
  repeats: number;
}

/** An event without a repeat for this many milliseconds is finished: the next report creates a new event. */
const FINISH_AFTER = 360_000;
const SWEEP = { what: 'events: series of repeated ones are written' };
/** Ongoing series are written at this interval. */
const REFRESH_EVERY = 1_800_000;
const MAX_NOTE = 1024;
/** The server refuses a series with a lower count. */
const LEAST_REPEATS = 2;
const REMEMBERED = 4096;

/**
 * Writes Events with the events API. Equal reports about the same revision of an object share one event: repeats are
 * counted here and written as its series when the series ends, and every half hour while it continues.
 */
export class SeriesRecorder {
  readonly #options: SeriesRecorderOptions;
  readonly #known = new Map<string, Known>();
  #timer: Timer | undefined;
  #refreshed: number;
  #sequence = 0;

  constructor(options: SeriesRecorderOptions) {
    this.#options = options;
    this.#refreshed = options.clock.now();
  }

  /** Records a report in the background; a report that the server refuses is lost. */
  record(regarding: Regarding, report: Report): void {
    const key = JSON.stringify([referenceTo(regarding), report.related && referenceTo(report.related), report]);
    const now = this.#options.clock.now();
    const known = this.#known.get(key);
    if (known) {
      known.last = now;
      known.repeats += 1;
      return;
    }
    const { namespace = 'default', name = '' } = regarding.metadata;
    const event = { name: `${name}.${this.#stamp()}`, namespace, last: now, repeats: 0 };
    this.#remember(key, event);
    void this.#create(event, regarding, report).catch(() => this.#known.delete(key));
  }

  stop(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #create({ name, namespace }: Known, regarding: Regarding, report: Report): Promise<void> {
    const { client, clock, controller, instance } = this.#options;
    const { type, reason, action, note, related } = report;
    await client.of(eventsV1).record({
      metadata: { name, namespace },
      eventTime: rfc3339Micro(clock.now()),
      reportingController: controller,
      reportingInstance: instance,
      ...{ type, reason, action, note: note.slice(0, MAX_NOTE) },
      regarding: referenceTo(regarding),
      ...(related && { related: referenceTo(related) }),
    });
  }

  #remember(key: string, event: Known): void {
    this.#known.set(key, event);
    const oldest = this.#known.size > REMEMBERED ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#timer ??= this.#options.clock.setTimeout(() => this.#sweep(), FINISH_AFTER, SWEEP);
  }

  /** Drops finished events and writes the series that are due. */
  #sweep(): void {
    this.#timer = undefined;
    const now = this.#options.clock.now();
    const isRefresh = now - this.#refreshed >= REFRESH_EVERY;
    if (isRefresh) this.#refreshed = now;
    for (const [key, event] of this.#known) {
      const isFinished = now - event.last >= FINISH_AFTER;
      if (isFinished) this.#known.delete(key);
      if (event.repeats >= LEAST_REPEATS && (isFinished || isRefresh))
        void this.#writeSeries(event).catch(() => undefined);
    }
    if (this.#known.size > 0) this.#timer = this.#options.clock.setTimeout(() => this.#sweep(), FINISH_AFTER, SWEEP);
  }

  async #writeSeries({ name, namespace, repeats, last }: Known): Promise<void> {
    const series = { count: repeats, lastObservedTime: rfc3339Micro(last) };
    await this.#options.client.of(eventsV1).patch({ metadata: { name, namespace } }, 'strategic', { series });
  }

  /** Hexadecimal nanoseconds, made unique by a counter. */
  #stamp(): string {
    this.#sequence = (this.#sequence + 1) % 1_000_000;
    return (BigInt(this.#options.clock.now()) * 1_000_000n + BigInt(this.#sequence)).toString(16);
  }
}
