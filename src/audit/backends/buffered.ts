/** Collects events and sends them in batches with a rate limit; events beyond the buffer are lost. */
import { TokenBucket, type Clock, type Timer } from '../../std/index.ts';
import type { AuditEvent } from '../event.ts';
import type { Backend, OnLost } from './types.ts';

export interface BatchOptions {
  readonly clock: Clock;
  /** The maximum number of waiting events. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** An incomplete batch is sent after this time. 0: immediately. */
  readonly maxWaitMs: number;
  /** The rate limit of batches; undefined for none. */
  readonly throttle?: { readonly qps: number; readonly burst: number } | undefined;
  readonly onLost: OnLost;
}

export function buffered(backend: Backend, options: BatchOptions): Backend {
  return new Buffered(backend, options);
}

class Buffered implements Backend {
  readonly name: string;
  readonly #backend: Backend;
  readonly #options: BatchOptions;
  #waiting: AuditEvent[] = [];
  #timer: Timer | undefined;
  readonly #tokens: TokenBucket | undefined;
  readonly #sending = new Set<Promise<void>>();

  constructor(backend: Backend, options: BatchOptions) {
    this.name = backend.name;
    this.#backend = backend;
    this.#options = options;
    const { throttle, clock } = options;
    this.#tokens = throttle && new TokenBucket(throttle.qps, throttle.burst, clock.now());
  }

  process(events: readonly AuditEvent[]): void {
    const { bufferSize, maxBatchSize, maxWaitMs, clock, onLost } = this.#options;
    const room = Math.max(0, bufferSize - this.#waiting.length);
    this.#waiting.push(...events.slice(0, room));
    if (events.length > room) onLost('buffered', events.length - room, 'the buffer is full');
    if (this.#waiting.length >= maxBatchSize || maxWaitMs === 0) this.#send();
    else this.#timer ??= clock.setTimeout(() => this.#send(), maxWaitMs);
  }

  async stop(): Promise<void> {
    this.#clearTimer();
    while (this.#waiting.length > 0) this.#handOn();
    await Promise.all(this.#sending);
    await this.#backend.stop();
  }

  /** Sends batches while the rate limit permits; continues when the next one is permitted. */
  #send(): void {
    const { clock, maxBatchSize, maxWaitMs } = this.#options;
    this.#clearTimer();
    do {
      const wait = this.#tokens?.take(clock.now()) ?? 0;
      if (wait > 0) {
        this.#timer = clock.setTimeout(() => this.#send(), wait);
        return;
      }
      this.#handOn();
    } while (this.#waiting.length >= maxBatchSize);
    if (this.#waiting.length > 0) this.#timer = clock.setTimeout(() => this.#send(), maxWaitMs);
  }

  #handOn(): void {
    const { maxBatchSize, onLost } = this.#options;
    const batch = this.#waiting.splice(0, maxBatchSize);
    if (batch.length === 0) return;
    const sending = Promise.resolve(this.#backend.process(batch))
      .catch((problem: unknown) => onLost(this.name, batch.length, String(problem)))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  #clearTimer(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
