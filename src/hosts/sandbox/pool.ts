/** Threads that run jobs, one at a time each: those that are free are used again, those that misbehave are ended. */
import type { Job, Run, Sandbox } from '../../cluster/index.ts';
import { hostTime } from '../../std/index.ts';

/** A thread as a host starts it: it answers each job with a run. */
export interface Thread {
  post(job: Job): void;
  end(): void;
}

export interface ThreadEvents {
  onRun(run: Run): void;
  /** The thread is gone, or could not be started. */
  onBroken(why: string): void;
}

export type StartThread = (events: ThreadEvents) => Thread;

/** How many jobs run at once; a browser tab has a few processors at best. */
const MOST = 6;
/** Threads that are kept when there is nothing to do. */
const KEPT = 2;
/** How much later than its limit a job may answer; an engine looks at its clock only now and then. */
const GRACE_MS = 1000;

export function createPool(start: StartThread): Sandbox {
  const idle: PooledThread[] = [];
  const all = new Set<PooledThread>();
  const waiting: ((thread: PooledThread) => void)[] = [];

  const take = (): PooledThread | undefined => {
    const known = idle.pop();
    if (known || all.size >= MOST) return known;
    const made = new PooledThread(start);
    all.add(made);
    return made;
  };

  const giveBack = (thread: PooledThread): void => {
    if (thread.spent || (idle.length >= KEPT && waiting.length === 0)) {
      thread.end();
      all.delete(thread);
    } else idle.push(thread);
    const next = waiting.length > 0 ? take() : undefined;
    if (next) waiting.shift()?.(next);
  };

  const threadFor = (signal: AbortSignal): Promise<PooledThread> => {
    const thread = take();
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve, reject) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => {
        const place = waiting.indexOf(resolve);
        if (place >= 0) waiting.splice(place, 1);
        reject(signal.reason as Error);
      });
    });
  };

  return {
    run: async (job, signal) => {
      signal.throwIfAborted();
      const thread = await threadFor(signal);
      try {
        return await thread.run(job, signal);
      } finally {
        giveBack(thread);
      }
    },
    stop: () => {
      for (const thread of all) thread.end();
      all.clear();
      idle.length = 0;
    },
  };
}

class PooledThread {
  /** It must not run anything any more. */
  spent = false;
  readonly #thread: Thread;
  #settle: ((run: Run) => void) | undefined;

  constructor(start: StartThread) {
    const ended = (message: string): Run => ({ outcome: 'ended', limit: 'none', message, logs: [] });
    this.#thread = start({
      onRun: (run) => {
        // A machine that went beyond a limit may have left its thread with memory that is hard to get back.
        if (run.outcome === 'ended') this.spent = true;
        this.#settle?.(run);
      },
      onBroken: (why) => {
        this.spent = true;
        this.#settle?.(ended(why));
      },
    });
  }

  run(job: Job, signal: AbortSignal): Promise<Run> {
    const { milliseconds } = job.limits;
    return new Promise<Run>((resolve, reject) => {
      const giveUp = (settle: () => void): void => {
        this.spent = true;
        settle();
      };
      const abort = (): void => giveUp(() => reject(signal.reason as Error));
      const message = `it did not end after ${milliseconds / 1000} s`;
      const late = hostTime.schedule(
        () => giveUp(() => resolve({ outcome: 'ended', limit: 'time', message, logs: [] })),
        milliseconds + GRACE_MS,
      );
      this.#settle = (run) => (hostTime.cancel(late), signal.removeEventListener('abort', abort), resolve(run));
      signal.addEventListener('abort', abort, { once: true });
      this.#thread.post(job);
    });
  }

  end(): void {
    this.#settle?.({ outcome: 'ended', limit: 'none', message: 'the sandbox was closed', logs: [] });
    this.#thread.end();
  }
}
