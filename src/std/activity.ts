import { hostTime } from './hostTime.ts';
import { yieldToTasks } from './tasks.ts';

/**
 * `io` always ends, regardless of the clock: a write to disk, code in a sandbox. A `task` may wait for the clock or for
 * a person: a request, a reconcile.
 */
export type WorkKind = 'io' | 'task';

/** After this many turns of the event loop without a change, no further work is expected. */
const IDLE_TURNS = 3;

/** After this many milliseconds of host time without a change, tasks count as waiting for the clock or for a person. */
const PATIENCE = 250;

/**
 * The minimum number of event loop turns without a change, in addition to `PATIENCE`: on a busy machine time passes
 * while this thread does not run.
 */
const PATIENT_TURNS = 100;

/** Milliseconds of host time after which the clock no longer waits for `io`: longer than any sandbox may run. */
const LONGEST_IO = 4_000;

/** Tracks work in progress, so that stepped time can wait for it. */
export class Activity {
  readonly #io = new Set<Promise<unknown>>();
  readonly #tasks = new Set<Promise<unknown>>();
  #changes = 0;

  /** Counts `work` until it settles; returns it. */
  track<T>(work: Promise<T>, kind: WorkKind): Promise<T> {
    const group = kind === 'io' ? this.#io : this.#tasks;
    const end = (): void => {
      group.delete(work);
      this.#changes++;
    };
    group.add(work);
    this.#changes++;
    work.then(end, end);
    return work;
  }

  /** Resolves when only tasks that wait for the clock or for a person are in progress. */
  async quiet(): Promise<void> {
    let changes = this.#changes;
    let since = hostTime.now();
    let turns = 0;
    for (let idle = 0; idle < IDLE_TURNS;) {
      await (this.#io.size > 0 ? this.#ioDone() : yieldToTasks());
      turns++;
      if (this.#io.size > 0 || this.#changes !== changes) {
        changes = this.#changes;
        since = hostTime.now();
        turns = 0;
        idle = 0;
      } else if (this.#tasks.size === 0) idle++;
      else if (turns >= PATIENT_TURNS && hostTime.now() - since >= PATIENCE) this.#tasks.clear();
    }
  }

  /**
   * Resolves when the pending input and output is done. It gives up after `LONGEST_IO`, so that hanging work does not
   * stop time for ever.
   */
  async #ioDone(): Promise<void> {
    const given = [...this.#io];
    let timer: unknown;
    const tooLong = new Promise<void>((resolve) => {
      timer = hostTime.schedule(() => {
        for (const work of given) this.#io.delete(work);
        resolve();
      }, LONGEST_IO);
    });
    await Promise.race([Promise.allSettled(given), tooLong]);
    hostTime.cancel(timer);
  }
}
