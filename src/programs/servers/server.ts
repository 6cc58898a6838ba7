import type { Process } from '../process.ts';
import { STOP_SIGNALS } from '../signals.ts';

/**
 * Waits until a signal asks the process to stop; resolves to 0. The main process of a container ignores signals without
 * a handler. A program that does nothing more after that uses `process.stay` instead, which keeps nothing.
 */
export function untilStopped(process: Process): Promise<number> {
  return process.wait(
    new Promise((resolve) => {
      for (const signal of STOP_SIGNALS) process.on(signal, () => resolve(0));
    }),
  );
}
