import { Database } from './database.ts';
import { defaultTuning, Journal } from './disk/journal.ts';
import type { Tuning } from './disk/journal.ts';
import { loadDatabase } from './disk/load.ts';
import { GoneError } from './errors.ts';
import { KeySpace } from './keyspace.ts';
import { repairing } from './parts.ts';
import type { Storage, StorageOptions } from './types.ts';

const KEEP = 5 * 60_000;

/**
 * Opens the backend's database, or creates an empty one; without a backend it lives in memory only. Throws DamagedError if the data is damaged; then nothing has
 * been changed, and the backend stays open for the error's `repair` and `export`.
 */
export async function openStorage(options: StorageOptions, tuning: Tuning = defaultTuning): Promise<Storage> {
  const { backend, clock, keep = KEEP, expectData = false, shared = false } = options;
  if (!backend) return new Database({ space: new KeySpace(), clock, keep, shared });
  const loaded = await loadDatabase(backend);
  if (loaded.damage.length > 0) {
    const { damagedError } = await repairing.load();
    throw damagedError(backend, loaded, tuning);
  }
  const journal = new Journal(backend, loaded.layout, tuning);
  if (loaded.fresh && expectData) throw new GoneError();
  if (loaded.fresh) await journal.create();
  return new Database({ space: loaded.space, folder: loaded.folder, disk: { journal, backend }, clock, keep, shared });
}
