/**
 * Allows `burst` events at once, then `qps` per second. Times are in milliseconds; the bucket refills by the times
 * passed to it.
 */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(qps: number, burst: number, now: number) {
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  /** Takes a token and returns 0, or returns the milliseconds until a token is available. */
  take(now: number): number {
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#burst, this.#tokens + (passed / 1000) * this.#qps);
    this.#at = now;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) / this.#qps) * 1000);
    this.#tokens--;
    return 0;
  }
}
