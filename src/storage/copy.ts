import type { Clock } from '../std/index.ts';
import { memoryBackend } from './backends/memory.ts';
import { Database } from './database.ts';
import { defaultTuning, Journal } from './disk/journal.ts';
import { loadDatabase } from './disk/load.ts';
import type { Entry, Revision, Storage } from './types.ts';

/** A storage in memory that holds these entries and nothing else; its history begins at `revision`. */
export async function copyStorage(entries: readonly Entry[], revision: Revision, clock: Clock): Promise<Storage> {
  const backend = memoryBackend();
  const { space, layout } = await loadDatabase(backend);
  const journal = new Journal(backend, layout, defaultTuning);
  await journal.create();
  for (const entry of entries) space.seed(entry);
  space.begin(revision);
  return new Database({ space, journal, backend, clock, keep: Infinity });
}
