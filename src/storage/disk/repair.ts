import type { Backend } from '../backends/backend.ts';
import { DamagedError } from '../errors.ts';
import type { Salvage } from '../errors.ts';
import { emptyHead } from './codec.ts';
import { exportLines } from './export.ts';
import { Journal } from './journal.ts';
import type { Tuning } from './tuning.ts';
import type { Loaded } from './load.ts';

/** The error for a damaged database: the damage, what can be kept, and the two ways to continue. */
export function damagedError(backend: Backend, loaded: Loaded, tuning: Tuning): DamagedError {
  const { damage, space, dropped, lost } = loaded;
  const salvage: Salvage = {
    keys: space.keys,
    revision: space.revision,
    dropped: dropped.rows + damage.filter(({ table }) => table === 'base').length,
    lost,
  };
  return new DamagedError({
    damage: damage.map(({ table, row, problem }) => ({ table, row, problem })),
    salvage,
    repair: async () => {
      await repair(backend, loaded, tuning);
      return salvage;
    },
    export: () => exportLines(space, damage),
  });
}

/**
 * Makes the readable data the new snapshot. Its revision is above any that the dropped rows can contain (a commit takes
 * at least one byte), and history begins there, so clients that saw lost revisions must list again.
 */
async function repair(backend: Backend, { space, dropped, freeBase, freeLog }: Loaded, tuning: Tuning): Promise<void> {
  const head = { ...emptyHead, baseFrom: freeBase, logFrom: freeLog };
  const journal = new Journal(backend, { head, baseBytes: 0, log: [] }, tuning);
  await journal.snapshot(space.entriesAt(space.revision), space.revision + dropped.bytes + 1);
}
