/** Waits for something by the cluster's clock. */
import { inBackground } from '../../src/std/index.ts';
import { WriteError } from '../../src/storage/index.ts';
import type { Ground } from '../simulation/ground.ts';
import type { FaultyDisk } from './faultyDisk.ts';

/** A request may take so many steps of a second once nothing is wrong any more. */
export const MOST_SECONDS = 90;

/**
 * Moves the clock until `work` is done; says whether it is. The clock can't move while the disk is full, because its time
 * is written down first. So the disk gets room as soon as that is all that is missing.
 */
export async function whileTimePasses(ground: Ground, disk: FaultyDisk, work: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  inBackground(done, () => undefined);
  for (let i = 0; i < MOST_SECONDS && !isDone; i++) {
    await ground.advance(1000).catch((error: unknown) => {
      unlessRefused(error);
      if (disk.fault === 'full') disk.fault = 'none';
    });
  }
  if (isDone) await done;
  return isDone;
}

/** Throws again what is not a refused write. */
export function unlessRefused(error: unknown): void {
  if (!(error instanceof WriteError)) throw error;
}
