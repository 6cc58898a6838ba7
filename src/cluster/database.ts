import { realClock } from '../std/index.ts';
import type { Backend, Salvage, Storage } from '../storage/index.ts';
import { DamagedError, deleteIndexedDb, indexedDbBackend, openStorage, restoreStorage } from '../storage/index.ts';
import { withoutSecretLines } from './optional.ts';

/** Clusters on disk, and operations on a database that is not open. */

/** The database of the named cluster, for `createCluster`; `freeSpace` deletes what the host can do without. */
export function diskBackend(name: string, freeSpace?: () => Promise<boolean>): Promise<Backend> {
  return indexedDbBackend({ name, ...(freeSpace && { freeSpace }) });
}

/** Everything readable in it as JSON lines, including damage; secrets only if requested. */
export async function* exportDatabase(name: string, secrets = false): AsyncIterable<Uint8Array> {
  const { found, close } = await openAnyway(name);
  try {
    yield* secrets ? found.export() : withoutSecretLines(found.export());
  } finally {
    await close();
  }
}

/** Drops damaged data; undefined if there was none. */
export async function repairDatabase(name: string): Promise<Salvage | undefined> {
  const { found, close } = await openAnyway(name);
  try {
    return found instanceof DamagedError ? await found.repair() : undefined;
  } finally {
    await close();
  }
}

/** Creates the database from the output of `export`. Rejects if it exists. */
export async function restoreDatabase(name: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  const backend = await indexedDbBackend({ name });
  const isFresh = (await backend.read('head', 0, Infinity, 1)).length === 0;
  try {
    await restoreStorage(backend, lines);
  } catch (error) {
    await backend.close();
    // A partial database would be mistaken for a cluster of that name.
    if (isFresh) await deleteIndexedDb(name);
    throw error;
  }
  await backend.close();
}

export function removeDatabase(name: string): Promise<void> {
  return deleteIndexedDb(name);
}

/** The database, or the report of its damage. */
async function openAnyway(name: string): Promise<{ found: Storage | DamagedError; close(): Promise<void> }> {
  const backend = await indexedDbBackend({ name });
  try {
    const storage = await openStorage({ backend, clock: realClock() });
    return { found: storage, close: () => storage.close() };
  } catch (error) {
    if (error instanceof DamagedError) return { found: error, close: () => backend.close() };
    await backend.close();
    throw error;
  }
}
