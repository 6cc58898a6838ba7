import { type Clock, delay, inBackground, type StopSignal, throwToHost, yieldToTasks } from '../../std/index.ts';
import { Killed } from '../errors.ts';

/** Steps that a process does before it lets others run. */
export const SLICE = 200;
/** Steps that it takes to start a process: a loop that does nothing else lets others run after a few. */
export const SPAWN_STEPS = 25;
/** Milliseconds of a simulated core that a slice takes. */
const SLICE_TIME = 10;

/**
 * The CPU of all containers. A process that computes without a pause gets slices of steps for its simulated time.
 * Between slices of different processes the host runs other work, which no process can prevent.
 */
export class Cpu {
  readonly #clock: Clock;
  #isTaken = false;
  #last = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until a process that has used up a slice may go on. `cores` is its container's limit. */
  async nextSlice(cores: number, killed: StopSignal): Promise<void> {
    await delay(this.#clock, SLICE_TIME / Math.max(0.001, Math.min(1, cores)), killed);
    await this.#turn();
    if (killed.aborted) throw new Killed();
  }

  /** The first turn between two tasks of the host comes at once, each further one after another task. */
  async #turn(): Promise<void> {
    if (this.#isTaken) {
      this.#last = this.#last.then(yieldToTasks);
      return this.#last;
    }
    this.#isTaken = true;
    inBackground(
      yieldToTasks().then(() => (this.#isTaken = false)),
      throwToHost,
    );
  }
}

/** The CPU time of a number of steps, in milliseconds. */
export const cpuTime = (steps: number): number => (steps * SLICE_TIME) / SLICE;
