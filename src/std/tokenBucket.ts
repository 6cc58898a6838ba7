/** Lets `burst` things happen at once and `qps` a second from then on. Times are milliseconds; it fills by the times it is told. */
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

  /** Takes a token; milliseconds until there is one where there is none. */
  take(now: number): number {
    const passed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.#burst, this.#tokens + (passed / 1000) * this.#qps);
    this.#at = now;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) / this.#qps) * 1000);
    this.#tokens--;
    return 0;
  }
}
