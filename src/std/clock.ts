/** A handle for a pending timer; opaque to its holder. */
export interface Timer {
  readonly id: number;
}

/** The one source of time. Milliseconds since the epoch; timers fire in order of their due time. */
export interface Clock {
  now(): number;
  setTimeout(fn: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | undefined): void;
}

/** A clock that a person or a test moves: pause, run at another speed, jump ahead. */
export interface ControlledClock extends Clock {
  readonly paused: boolean;
  readonly scale: number;
  pause(): void;
  resume(): void;
  setScale(scale: number): void;
  /** Moves time ahead by `ms`, firing each timer that falls due at its own moment; lets promises settle between. */
  step(ms: number): Promise<void>;
  /** Stops the host timer behind this clock; nothing fires any more. */
  dispose(): void;
}

/** What a clock stands on: the host's own time, or nothing for one that only moves by `step`. */
export interface HostTime {
  now(): number;
  schedule(fn: () => void, ms: number): unknown;
  cancel(handle: unknown): void;
}

const MAX_HOST_DELAY = 0x7fffffff;

export const hostTime: HostTime = {
  now: () => Date.now(),
  schedule: (fn, ms) => {
    const handle = setTimeout(fn, Math.min(ms, MAX_HOST_DELAY));
    // In Node a pending timer of the simulation must not keep the process alive; browsers hand out numbers.
    if (typeof handle === 'object' && 'unref' in handle) (handle as { unref(): void }).unref();
    return handle;
  },
  cancel: (handle) => clearTimeout(handle as never),
};

interface Pending {
  readonly id: number;
  readonly due: number;
  readonly fn: () => void;
}

class SimulatedClock implements ControlledClock {
  #pending: Pending[] = [];
  #nextId = 1;
  #handle: unknown;
  #base: number;
  #hostBase: number;
  #scale: number;
  #paused: boolean;
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

  now(): number {
    if (this.#paused || !this.#host) return this.#base;
    return Math.floor(this.#base + (this.#host.now() - this.#hostBase) * this.#scale);
  }

  setTimeout(fn: () => void, ms: number): Timer {
    const timer = { id: this.#nextId++, due: this.now() + Math.max(0, ms), fn };
    this.#insert(timer);
    this.#arm();
    return timer;
  }

  clearTimeout(timer: Timer | undefined): void {
    if (!timer) return;
    const index = this.#pending.findIndex((p) => p.id === timer.id);
    if (index >= 0) this.#pending.splice(index, 1);
  }

  pause(): void {
    this.#rebase();
    this.#paused = true;
    this.#arm();
  }

  resume(): void {
    this.#rebase();
    this.#paused = this.#host === undefined;
    this.#arm();
  }

  setScale(scale: number): void {
    if (!(scale > 0)) throw new RangeError(`a clock's scale must be above 0, not ${scale}`);
    this.#rebase();
    this.#scale = scale;
    this.#arm();
  }

  async step(ms: number): Promise<void> {
    this.#rebase();
    const target = this.#base + ms;
    for (;;) {
      const next = this.#pending[0];
      if (!next || next.due > target) break;
      this.#pending.shift();
      this.#base = Math.max(this.#base, next.due);
      this.#hostBase = this.#host?.now() ?? 0;
      next.fn();
      await settle();
    }
    this.#base = Math.max(this.#base, target);
    this.#hostBase = this.#host?.now() ?? 0;
    await settle();
    this.#arm();
  }

  dispose(): void {
    this.#pending = [];
    if (this.#handle !== undefined) this.#host?.cancel(this.#handle);
  }

  /** Keeps `#pending` ordered by due time, first come first within one moment. */
  #insert(timer: Pending): void {
    let low = 0;
    let high = this.#pending.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pending[middle] as Pending).due <= timer.due) low = middle + 1;
      else high = middle;
    }
    this.#pending.splice(low, 0, timer);
  }

  #rebase(): void {
    this.#base = this.now();
    this.#hostBase = this.#host?.now() ?? 0;
  }

  #arm(): void {
    if (!this.#host) return;
    if (this.#handle !== undefined) this.#host.cancel(this.#handle);
    this.#handle = undefined;
    const next = this.#pending[0];
    if (this.#paused || !next) return;
    this.#handle = this.#host.schedule(() => this.#fire(), Math.max(0, (next.due - this.now()) / this.#scale));
  }

  #fire(): void {
    const now = this.now();
    for (let next = this.#pending[0]; next && next.due <= now; next = this.#pending[0]) {
      this.#pending.shift();
      next.fn();
    }
    this.#arm();
  }
}

/** Lets everything that waits on promises run as far as it can without time passing. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise<void>((resolve) => queueMicrotask(resolve));
}

/** The host's own time, at `scale` times its speed; it can be paused and stepped. */
export function realClock(scale = 1, host: HostTime = hostTime): ControlledClock {
  return new SimulatedClock(host, host.now(), scale);
}

/** A clock that stands still until it is stepped. `start` is in milliseconds since the epoch. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ControlledClock {
  return new SimulatedClock(undefined, start, 1);
}

/** Resolves when `ms` of the clock's time have passed, or at once when `signal` aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(done, ms);
    function done(): void {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

/** RFC 3339 with whole seconds in UTC: the form of every `Time` field. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds in UTC: the form of every `MicroTime` field. */
export function rfc3339Micro(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
