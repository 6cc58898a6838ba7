import { Activity, type WorkKind } from './activity.ts';
import { timersToFold, FOLD_FROM, nextThatMatters, type TimerUse } from './folding.ts';
import { inBackground, throwToHost } from './background.ts';
import { hostTime, type HostTime } from './hostTime.ts';
import { Timers } from './timers.ts';
import type { StopSignal } from './stop.ts';

/** A handle for a pending timer; opaque to its holder. */
export interface Timer {
  /** Timers are numbered as they are created. */
  readonly key: number;
  /** Milliseconds since the epoch. */
  readonly due: number;
}

/** The only source of time, in milliseconds since the epoch. Timers fire in order of their due time. */
export interface Clock {
  /** Whole milliseconds, because names of events and serial numbers are made from them. */
  now(): number;
  setTimeout(fn: () => void, ms: number, use?: TimerUse): Timer;
  clearTimeout(timer: Timer | undefined): void;
  /** Stepped time waits until `work` has settled. Returns `work`. */
  during<T>(work: Promise<T>, kind: WorkKind): Promise<T>;
}

/** The state of a clock, from which another clock can continue. */
export interface ClockState {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly paused: boolean;
  readonly scale: number;
}

/** A clock that a person or a test controls: it can be paused, sped up and stepped. */
export interface ControlledClock extends Clock {
  readonly paused: boolean;
  readonly scale: number;
  pause(): void;
  resume(): void;
  setScale(scale: number): void;
  /** Where the current step ends, in milliseconds since the epoch. */
  readonly target: number | undefined;
  /** The next timer that must fire on time, and its owner. */
  readonly next: { readonly due: number; readonly what: string } | undefined;
  /**
   * Moves time ahead by `ms`. Each timer fires at its due time, and time waits until the resulting work is done.
   * Resolves at the end, or after `stopStep`. Concurrent steps run one after another.
   */
  step(ms: number): Promise<void>;
  /** Ends the current step at the current time. */
  stopStep(): void;
  /** Continues from the state of another clock. */
  restore(state: ClockState): void;
  /**
   * Calls `listener` after time was moved, and before a step with the state that the step leads to. A step waits for
   * the listener.
   */
  onMove(listener: (state: ClockState) => void | Promise<void>): void;
  /** Stops the host timer behind this clock; no timer fires after that. */
  dispose(): void;
}

class SimulatedClock implements ControlledClock {
  #pending = new Timers();
  #nextKey = 1;
  #handle: unknown;
  #base: number;
  #hostBase: number;
  #scale: number;
  #paused: boolean;
  #target: number | undefined;
  #stopped = false;
  #steps: Promise<void> = Promise.resolve();
  #moved: (state: ClockState) => void | Promise<void> = () => undefined;
  readonly #activity = new Activity();
  readonly #host: HostTime | undefined;

  constructor(host: HostTime | undefined, start: number, scale: number) {
    this.#host = host;
    this.#base = start;
    this.#hostBase = host?.now() ?? 0;
    this.#scale = scale;
    this.#paused = host === undefined;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get scale(): number {
    return this.#scale;
  }

  get target(): number | undefined {
    return this.#target;
  }

  now(): number {
    if (this.#paused || !this.#host || this.#target !== undefined) return Math.floor(this.#base);
    return Math.floor(this.#base + (this.#host.now() - this.#hostBase) * this.#scale);
  }

  get next(): { readonly due: number; readonly what: string } | undefined {
    const next = nextThatMatters(this.#pending.all());
    return next && { due: next.due, what: next.use?.what ?? 'a component' };
  }

  setTimeout(fn: () => void, ms: number, use?: TimerUse): Timer {
    const timer = { key: this.#nextKey++, due: this.now() + Math.max(0, Math.ceil(ms)), fn, use };
    this.#pending.add(timer);
    // Only the first timer needs the host's timer. If another one is first, the host's timer is already set.
    if (this.#pending.first === timer) this.#arm();
    return timer;
  }

  clearTimeout(timer: Timer | undefined): void {
    if (timer) this.#pending.delete(timer);
  }

  during<T>(work: Promise<T>, kind: WorkKind): Promise<T> {
    return this.#activity.track(work, kind);
  }

  pause(): void {
    this.#move(() => (this.#paused = true));
  }

  resume(): void {
    this.#move(() => (this.#paused = this.#host === undefined));
  }

  setScale(scale: number): void {
    if (!(scale > 0)) throw new RangeError(`a clock's scale must be above 0, not ${scale}`);
    this.#move(() => (this.#scale = scale));
  }

  onMove(listener: (state: ClockState) => void | Promise<void>): void {
    this.#moved = listener;
  }

  restore({ now, paused, scale }: ClockState): void {
    this.#rebase();
    this.#base = now;
    this.#paused = paused || this.#host === undefined;
    this.#scale = scale;
    this.#arm();
  }

  step(ms: number): Promise<void> {
    const stepped = this.#steps.then(() => this.#step(ms));
    this.#steps = stepped.catch(() => undefined);
    return stepped;
  }

  stopStep(): void {
    this.#stopped = true;
  }

  async #step(ms: number): Promise<void> {
    this.#rebase();
    const target = this.#base + ms;
    this.#target = target;
    this.#stopped = false;
    this.#arm();
    try {
      // A step that starts during other work must not change the order of its writes.
      await this.#activity.quiet();
      await this.#moved({ ...this.#state, now: target });
      await this.#stepTo(target);
    } finally {
      this.#rebase();
      this.#target = undefined;
      this.#arm();
    }
    if (this.#base < target) await this.#moved(this.#state);
  }

  async #stepTo(target: number): Promise<void> {
    await this.#activity.quiet();
    for (
      let { first: next } = this.#pending;
      next && next.due <= target && !this.#stopped;
      next = this.#pending.first
    ) {
      const stop = target - this.#base < FOLD_FROM ? next.due : this.#nextStop(target);
      if (stop - this.#base >= FOLD_FROM) {
        await this.#fold(stop);
        continue;
      }
      this.#base = Math.max(this.#base, next.due);
      this.#fireDue();
      await this.#activity.quiet();
    }
    if (!this.#stopped) this.#base = Math.max(this.#base, target);
  }

  #nextStop(target: number): number {
    return Math.min(nextThatMatters(this.#pending.all())?.due ?? Infinity, target);
  }

  /** Jumps to `stop`. A timer that would have fired repeatedly on the way fires once. */
  async #fold(stop: number): Promise<void> {
    this.#base = stop;
    for (const which of ['beats', 'others'] as const) {
      for (const timer of timersToFold(this.#pending.all(), stop, which)) {
        this.clearTimeout(timer);
        timer.fn();
      }
      await this.#activity.quiet();
    }
  }

  dispose(): void {
    this.#pending = new Timers();
    if (this.#handle !== undefined) this.#host?.cancel(this.#handle);
  }

  get #state(): ClockState {
    return { now: this.now(), paused: this.#paused, scale: this.#scale };
  }

  #move(change: () => void): void {
    this.#rebase();
    change();
    this.#arm();
    const told = this.#moved(this.#state);
    if (told) inBackground(told, throwToHost);
  }

  #rebase(): void {
    this.#base = this.now();
    this.#hostBase = this.#host?.now() ?? 0;
  }

  #arm(): void {
    if (!this.#host) return;
    if (this.#handle !== undefined) this.#host.cancel(this.#handle);
    this.#handle = undefined;
    const next = this.#pending.first;
    if (this.#paused || !next || this.#target !== undefined) return;
    this.#handle = this.#host.schedule(() => this.#fire(), Math.max(0, (next.due - this.now()) / this.#scale));
  }

  #fire(): void {
    try {
      this.#fireDue();
    } finally {
      this.#arm();
    }
  }

  #fireDue(): void {
    const now = this.now();
    for (let { first: next } = this.#pending; next && next.due <= now; next = this.#pending.first) {
      this.#pending.delete(next);
      next.fn();
    }
  }
}

/** Runs everything that only waits for promises, without time passing. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise<void>((resolve) => queueMicrotask(resolve));
}

/** The host's time, at `scale` times its speed. It can be paused and stepped. */
export function realClock(scale = 1, host: HostTime = hostTime): ControlledClock {
  return new SimulatedClock(host, host.now(), scale);
}

/** A clock that stands still until it is stepped. `start` is in milliseconds since the epoch. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ControlledClock {
  return new SimulatedClock(undefined, start, 1);
}

/** Resolves when `ms` of the clock's time have passed, or at once when `signal` aborts. */
export function delay(clock: Clock, ms: number, signal?: StopSignal, use?: TimerUse): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(done, ms, use);
    function done(): void {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

/** The second that was written last, and how: a write names the same one several times, and so do its neighbours. */
let [lastSecond, lastText] = [NaN, ''];

/** RFC 3339 with whole seconds in UTC: the format of `Time` fields. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(ms).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** RFC 3339 with microseconds in UTC: the format of `MicroTime` fields. */
export function rfc3339Micro(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
