import type { Cause, Waking } from '../../trace/index.ts';

/** Of the changes that wake a key while it waits, only the latest are told. */
const MOST = 20;

/** What woke each key of a loop, so that what a run writes can be traced back to what it reacts to. */
export class Wakings {
  readonly #waiting = new Map<string, readonly Waking[]>();
  readonly #running = new Map<string, readonly Waking[]>();

  note(key: string, waking: Waking): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waking].slice(-MOST));
  }

  /** A run begins: what woke the key so far is what it reacts to. */
  begin(key: string): void {
    this.#running.set(key, this.#waiting.get(key) ?? []);
    this.#waiting.delete(key);
  }

  /** A run is over. One that failed is tried again for the same reasons. */
  end(key: string, failed: boolean): void {
    const woken = this.#running.get(key) ?? [];
    this.#running.delete(key);
    if (failed && woken.length > 0) this.#waiting.set(key, [...woken, ...(this.#waiting.get(key) ?? [])].slice(-MOST));
  }

  /** One cause for each run that is under way. */
  causes(controller: string): readonly Cause[] {
    return Array.from(this.#running, ([key, woken]) => ({ controller, key, woken }));
  }
}
