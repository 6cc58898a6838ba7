import { hostTime } from './hostTime.ts';
import { otherTasks } from './tasks.ts';

/**
 * `io` ends by itself, whatever the clock does: a write to disk, code in a sandbox. A `task` may wait for the clock or for
 * a person: a request, a reconcile.
 */
export type WorkKind = 'io' | 'task';

/** Turns of the host's event loop without a change after which nothing more is expected. */
const IDLE_TURNS = 3;

/** Milliseconds of the host's time without a change after which tasks count as waiting for the clock or for a person. */
const PATIENCE = 250;

/** Turns of the event loop without a change that are needed as well: on a busy machine time passes while this thread does not run. */
const PATIENT_TURNS = 100;

/** Milliseconds of the host's time after which work that should have ended by itself is given up on: longer than any sandbox may run. */
const LONGEST_IO = 4_000;

/** What goes on at the moment, so that time can stand still until it is done. */
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

  /** Resolves when nothing is in flight but tasks that wait for the clock or for a person. */
  async quiet(): Promise<void> {
    let changes = this.#changes;
    let since = hostTime.now();
    let turns = 0;
    for (let idle = 0; idle < IDLE_TURNS;) {
      await (this.#io.size > 0 ? this.#ioDone() : otherTasks());
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

  /** Resolves when the input and output in flight is done. What hangs must not stop time for ever. */
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
