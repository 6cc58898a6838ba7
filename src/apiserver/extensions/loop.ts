import { throwToHost, type Clock, type Timer } from '../../std/index.ts';
import { WriteError } from '../../storage/index.ts';

/** Runs a round after every change, never two at a time. */
export interface Loop {
  /** Requests another round; requests during a round share the next one. */
  wake(): void;
  /** Waits for the current round to end. */
  stop(): Promise<void>;
}

/** Milliseconds until a failed round is retried. */
const AGAIN_MS = 1_000;

/** A failed round is retried after a delay: storage may be full or unreachable. */
export function createLoop(clock: Clock, round: () => Promise<void>): Loop {
  let asked = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  let timer: Timer | undefined;
  const failed = (problem: unknown): void => {
    if (!(problem instanceof WriteError)) throwToHost(problem);
    if (!stopped) timer = clock.setTimeout(wake, AGAIN_MS, { what: 'API server: what failed is tried again' });
  };
  const run = async (): Promise<void> => {
    while (asked && !stopped) {
      asked = false;
      clock.clearTimeout(timer);
      await round().catch(failed);
    }
  };
  const wake = (): void => {
    asked = true;
    if (stopped) return;
    running ??= run().finally(() => {
      running = undefined;
      if (asked) wake();
    });
  };
  return {
    wake,
    stop: async () => {
      stopped = true;
      clock.clearTimeout(timer);
      await running;
    },
  };
}
