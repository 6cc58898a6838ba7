import { realClock } from '../std/index.ts';
import type { Backend, Salvage } from '../storage/index.ts';
import { DamagedError, deleteDexie, dexieBackend, openStorage } from '../storage/index.ts';

/** Where a cluster on disk lives, and work on that database while nobody has it open. */

/** The database of the cluster of that name, for `createCluster`. */
export function diskBackend(name: string): Promise<Backend> {
  return dexieBackend({ name });
}

/** Everything that can be read of it, as lines of JSON, damage included. */
export async function* exportDatabase(name: string): AsyncIterable<Uint8Array> {
  const opened = await openOrFindDamage(name);
  if (opened instanceof DamagedError) return yield* opened.export();
  yield* opened.export();
  await opened.close();
}

/** Drops what is damaged; undefined when nothing was. */
export async function repairDatabase(name: string): Promise<Salvage | undefined> {
  const opened = await openOrFindDamage(name);
  if (opened instanceof DamagedError) return opened.repair();
  await opened.close();
  return undefined;
}

export function removeDatabase(name: string): Promise<void> {
  return deleteDexie(name);
}

async function openOrFindDamage(name: string): Promise<Awaited<ReturnType<typeof openStorage>> | DamagedError> {
  try {
    return await openStorage({ backend: await dexieBackend({ name }), clock: realClock() });
  } catch (error) {
    if (error instanceof DamagedError) return error;
    throw error;
  }
}
