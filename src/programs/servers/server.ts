import type { Process } from '../process.ts';

/**
 * Runs until a signal asks the process to stop; resolves to 0. The main process of a container ignores signals without
 * a handler.
 */
export function untilStopped(process: Process): Promise<number> {
  return process.wait(
    new Promise((resolve) => {
      for (const signal of ['TERM', 'INT', 'QUIT'] as const) process.on(signal, () => resolve(0));
    }),
  );
}
