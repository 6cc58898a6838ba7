import type { Backend } from './backends/backend.ts';
import { Database } from './database.ts';
import { Journal } from './disk/journal.ts';
import { defaultTuning, type Tuning } from './disk/tuning.ts';
import { emptyHead } from './disk/codec.ts';
import { GoneError } from './errors.ts';
import { folding } from './folding.ts';
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
  const others = { clock, keep, shared };
  if (!backend) return new Database({ space: new KeySpace(), ...others });
  if (await isEmpty(backend)) {
    if (expectData) throw new GoneError();
    const journal = new Journal(backend, { head: emptyHead, baseBytes: 0, log: [] }, tuning);
    await journal.create();
    return new Database({ space: new KeySpace(), disk: { journal, backend }, ...others });
  }
  const { loadDatabase } = await folding.load();
  const loaded = await loadDatabase(backend);
  if (loaded.damage.length > 0) {
    const { damagedError } = await repairing.load();
    throw damagedError(backend, loaded, tuning);
  }
  const { space, folder, layout } = loaded;
  const journal = new Journal(backend, layout, tuning);
  return new Database({ space, folder, disk: { journal, backend }, ...others });
}

/** Whether nothing was ever written. Then the code that reads a database is not needed. */
async function isEmpty(backend: Backend): Promise<boolean> {
  for (const table of ['head', 'base', 'log'] as const)
    if ((await backend.read(table, 0, Infinity, 1)).length > 0) return false;
  return true;
}
