/**
 * Shares the answer to a query among all callers that ask before the query is sent. A caller during a query waits for
 * the next one, because the current answer may be older than the call.
 */
export class Barrier<T> {
  readonly #ask: () => Promise<T>;
  #running: Promise<unknown> | undefined;
  #next: Promise<T> | undefined;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  pass(): Promise<T> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#put();
    const next = this.#running.then(() => {
      this.#next = undefined;
      return this.#put();
    });
    this.#next = next;
    return next;
  }

  #put(): Promise<T> {
    const answer = this.#ask();
    const settled = answer.then(
      () => undefined,
      () => undefined,
    );
    const running = settled.then(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return answer;
  }
}
