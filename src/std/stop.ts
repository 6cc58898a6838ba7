import { throwToHost } from './background.ts';

/** Says that something stops: an AbortSignal, or a Stop. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A signal for what exists by the thousand: pods, containers, processes. It does what they need of an AbortController,
 * which takes a kilobyte in Node.
 */
export class Stop implements StopSignal {
  #aborted = false;
  /** Mostly there is one listener, which needs no set. */
  #listeners: Set<() => void> | (() => void) | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Calls each listener once. The others are called, too, if one throws. One that is removed by another is not called. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const listeners = typeof this.#listeners === 'function' ? [this.#listeners] : (this.#listeners ?? []);
    for (const listener of listeners) {
      try {
        listener();
      } catch (problem) {
        throwToHost(problem);
      }
    }
    this.#listeners = undefined;
  }

  /** Every listener is called once at most. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#aborted || this.#listeners === listener) return;
    if (this.#listeners === undefined) this.#listeners = listener;
    else if (typeof this.#listeners === 'function') this.#listeners = new Set([this.#listeners, listener]);
    else this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listeners === listener) this.#listeners = undefined;
    else if (typeof this.#listeners === 'object' && this.#listeners.delete(listener) && this.#listeners.size === 0)
      this.#listeners = undefined;
  }
}

/** Stops as soon as one of the signals does. A listener has to bear a second call. */
export const firstOf = (...signals: readonly StopSignal[]): StopSignal => new First(signals);

class First implements StopSignal {
  readonly #signals: readonly StopSignal[];

  constructor(signals: readonly StopSignal[]) {
    this.#signals = signals;
  }

  get aborted(): boolean {
    return this.#signals.some(({ aborted }) => aborted);
  }

  addEventListener(...args: Parameters<StopSignal['addEventListener']>): void {
    for (const signal of this.#signals) signal.addEventListener(...args);
  }

  removeEventListener(...args: Parameters<StopSignal['removeEventListener']>): void {
    for (const signal of this.#signals) signal.removeEventListener(...args);
  }
}

/** The same as an AbortSignal, for the platform's functions. */
export function abortSignalOf(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}
