import type { ManagerOptions } from '../controllers/index.ts';

/** Starts the default scheduler. */
export function startScheduler(_options: ManagerOptions): { stop(): Promise<void> } {
  return { stop: () => Promise.resolve() };
}
