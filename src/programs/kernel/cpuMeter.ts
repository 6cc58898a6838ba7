import { cpuTime } from './cpu.ts';

/** Milliseconds that use is averaged over, and the parts in which it is counted. */
export const WINDOW = 30_000;
const PART = 5000;

/** How much of a core a container has used of late. */
export class CpuMeter {
  readonly #startedAt: number;
  /** Steps by part of the time, the oldest first; only parts in which there were any. */
  #parts: { readonly number: number; steps: number }[] = [];

  constructor(now: number) {
    this.#startedAt = now;
  }

  add(steps: number, now: number): void {
    const number = Math.floor(now / PART);
    const last = this.#parts.at(-1);
    if (last?.number === number) last.steps += steps;
    else this.#parts = [...this.#within(now), { number, steps }];
  }

  /** Thousandths of a core, averaged over the last half minute, or since the start where that is later. */
  millicores(now: number): number {
    const steps = this.#within(now).reduce((sum, part) => sum + part.steps, 0);
    const first = (Math.floor(now / PART) - WINDOW / PART + 1) * PART;
    const ms = Math.max(1000, now - Math.max(first, this.#startedAt));
    return (cpuTime(steps) * 1000) / ms;
  }

  #within(now: number): { readonly number: number; steps: number }[] {
    const oldest = Math.floor(now / PART) - WINDOW / PART;
    return this.#parts.filter(({ number }) => number > oldest);
  }
}
