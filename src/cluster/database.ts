import { realClock } from '../std/index.ts';
import type { Backend, Salvage, Storage } from '../storage/index.ts';
import { DamagedError, deleteDexie, dexieBackend, openStorage, restoreStorage } from '../storage/index.ts';
import { withoutSecretLines } from './optional.ts';

/** Where a cluster on disk lives, and work on that database while nobody has it open. */

/** The database of the cluster of that name, for `createCluster`; `freeSpace` gives up what the host can do without. */
export function diskBackend(name: string, freeSpace?: () => Promise<boolean>): Promise<Backend> {
  return dexieBackend({ name, ...(freeSpace && { freeSpace }) });
}

/** Everything that can be read of it, as lines of JSON, damage included; what is secret only where it is asked for. */
export async function* exportDatabase(name: string, secrets = false): AsyncIterable<Uint8Array> {
  const { found, close } = await openAnyway(name);
  try {
    yield* secrets ? found.export() : withoutSecretLines(found.export());
  } finally {
    await close();
  }
}

/** Drops what is damaged; undefined when nothing was. */
export async function repairDatabase(name: string): Promise<Salvage | undefined> {
  const { found, close } = await openAnyway(name);
  try {
    return found instanceof DamagedError ? await found.repair() : undefined;
  } finally {
    await close();
  }
}

/** Makes the database anew from what `export` gives. Rejects where there is one already. */
export async function restoreDatabase(name: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  const backend = await dexieBackend({ name });
  const isFresh = (await backend.read('head', 0, Infinity, 1)).length === 0;
  try {
    await restoreStorage(backend, lines);
  } catch (error) {
    await backend.close();
    // Half of it would be taken for a cluster of that name.
    if (isFresh) await deleteDexie(name);
    throw error;
  }
  await backend.close();
}

export function removeDatabase(name: string): Promise<void> {
  return deleteDexie(name);
}

/** The database, or what there is to say of its damage. */
async function openAnyway(name: string): Promise<{ found: Storage | DamagedError; close(): Promise<void> }> {
  const backend = await dexieBackend({ name });
  try {
    const storage = await openStorage({ backend, clock: realClock() });
    return { found: storage, close: () => storage.close() };
  } catch (error) {
    if (error instanceof DamagedError) return { found: error, close: () => backend.close() };
    await backend.close();
    throw error;
  }
}
