import type { Cause, Waking } from '../../trace/index.ts';

/** The maximum number of recorded causes of a waiting key; only the latest are kept. */
const MOST = 20;

/** The causes of each key of a loop, so that writes of a run can be traced back to them. */
export class Wakings {
  readonly #waiting = new Map<string, readonly Waking[]>();
  readonly #running = new Map<string, readonly Waking[]>();

  note(key: string, waking: Waking): void {
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waking].slice(-MOST));
  }

  /** Starts a run: the recorded causes of the key become those of the run. */
  begin(key: string): void {
    this.#running.set(key, this.#waiting.get(key) ?? []);
    this.#waiting.delete(key);
  }

  /** Ends a run. A failed run is retried with the same causes. */
  end(key: string, failed: boolean): void {
    const woken = this.#running.get(key) ?? [];
    this.#running.delete(key);
    if (failed && woken.length > 0) this.#waiting.set(key, [...woken, ...(this.#waiting.get(key) ?? [])].slice(-MOST));
  }

  /** One cause for each current run. */
  causes(controller: string): readonly Cause[] {
    return Array.from(this.#running, ([key, woken]) => ({ controller, key, woken }));
  }
}
