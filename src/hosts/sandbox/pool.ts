/** Threads that run jobs, one at a time each: idle ones are reused, misbehaving ones are terminated. */
import type { Job, Run, Sandbox } from '../../cluster/index.ts';
import { hostTime } from '../../std/index.ts';

/** A thread's messages: that it is ready, then a result for each job. */
export type FromThread = 'ready' | Run;

/** A thread as a host starts it: it answers each job with a run. */
export interface Thread {
  post(job: Job): void;
  end(): void;
}

export interface ThreadEvents {
  onMessage(message: FromThread): void;
  /** The thread is gone, or could not be started. */
  onBroken(why: string): void;
}

export type StartThread = (events: ThreadEvents) => Thread;

/** How many jobs run at once; a browser tab has a few processors at best, but most of those that wait only wait. */
const MOST = 12;
/** How many of them may be of the same code: what loops must not keep all threads from what behaves. */
const MOST_ALIKE = 4;
/** Threads that are kept when there is nothing to do. */
const KEPT = 2;
/** How much later than its limit a job may answer; an engine looks at its clock only now and then. */
const GRACE_MS = 1000;
/** How long a thread may take to start; that time is not the job's, since a busy machine is not its fault. */
const START_MS = 30_000;
const CLOSED = 'the sandbox was closed';

interface Waiting {
  readonly code: string;
  readonly resolve: (thread: PooledThread) => void;
  readonly reject: (why: unknown) => void;
}

export function createPool(start: StartThread): Sandbox {
  const idle: PooledThread[] = [];
  /** What each thread that is at work runs. */
  const running = new Map<PooledThread, string>();
  let waiting: readonly Waiting[] = [];

  /** A thread that is free; one that broke while it had nothing to do is of no use. */
  const rested = (): PooledThread | undefined => {
    for (let thread = idle.pop(); thread; thread = idle.pop()) if (!thread.spent) return thread;
    return undefined;
  };

  /** A thread for this code, if it may have one now. */
  const take = (code: string): PooledThread | undefined => {
    const alike = [...running.values()].filter((other) => other === code).length;
    if (running.size >= MOST || alike >= MOST_ALIKE) return undefined;
    const thread = rested() ?? new PooledThread(start);
    running.set(thread, code);
    return thread;
  };

  const release = (thread: PooledThread): void => {
    running.delete(thread);
    if (thread.spent || idle.length >= KEPT) thread.end();
    else idle.push(thread);
    for (const next of waiting) {
      const free = take(next.code);
      if (!free) continue;
      waiting = waiting.filter((one) => one !== next);
      return next.resolve(free);
    }
  };

  const threadFor = (code: string, signal: AbortSignal): Promise<PooledThread> => {
    const thread = take(code);
    if (thread) return Promise.resolve(thread);
    return new Promise((resolve, reject) => {
      const entry = { code, resolve, reject };
      waiting = [...waiting, entry];
      signal.addEventListener('abort', () => {
        // A job that already has a thread is stopped by its runner.
        waiting = waiting.filter((one) => one !== entry);
        reject(signal.reason as Error);
      });
    });
  };

  return {
    run: async (job, signal) => {
      signal.throwIfAborted();
      const thread = await threadFor(job.code, signal);
      try {
        return await thread.run(job, signal);
      } finally {
        release(thread);
      }
    },
    stop: () => {
      for (const { reject } of waiting) reject(new Error(CLOSED));
      waiting = [];
      for (const thread of [...running.keys(), ...idle]) thread.end();
      idle.length = 0;
    },
  };
}

class PooledThread {
  /** It must not run anything any more. */
  spent = false;
  readonly #thread: Thread;
  #ready = false;
  #onReady: (() => void) | undefined;
  #settle: ((run: Run) => void) | undefined;

  constructor(start: StartThread) {
    this.#thread = start({
      onMessage: (message) => (message === 'ready' ? this.#started() : this.#finished(message)),
      onBroken: (why) => this.#end('none', why),
    });
  }

  run(job: Job, signal: AbortSignal): Promise<Run> {
    return new Promise<Run>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const stopTimer = this.#limitTime(job.limits.milliseconds);
      const abort = (): void => {
        this.spent = true;
        stopTimer();
        reject(signal.reason as Error);
      };
      this.#settle = (run) => (stopTimer(), signal.removeEventListener('abort', abort), resolve(run));
      signal.addEventListener('abort', abort, { once: true });
      this.#thread.post(job);
    });
  }

  end(): void {
    this.#end('none', CLOSED);
    this.#thread.end();
  }

  /** Ends a job that takes longer than `ms` once the thread is ready, or whose thread does not become ready; returns what calls that off. */
  #limitTime(ms: number): () => void {
    const endAfter = (limit: number, message: string): unknown =>
      hostTime.schedule(() => this.#end('time', message), limit);
    const limitJob = (): unknown => endAfter(ms + GRACE_MS, `it did not end after ${ms / 1000} s`);
    let timer = this.#ready ? limitJob() : endAfter(START_MS, `its thread did not start within ${START_MS / 1000} s`);
    this.#onReady = () => {
      hostTime.cancel(timer);
      timer = limitJob();
    };
    return () => {
      this.#onReady = undefined;
      hostTime.cancel(timer);
    };
  }

  #started(): void {
    this.#ready = true;
    this.#onReady?.();
  }

  #finished(run: Run): void {
    // A machine that went beyond a limit may have left its thread with memory that is hard to get back.
    if (run.outcome === 'ended') this.spent = true;
    this.#settle?.(run);
  }

  #end(limit: 'time' | 'none', message: string): void {
    this.spent = true;
    this.#settle?.({ outcome: 'ended', limit, message, logs: [] });
  }
}
